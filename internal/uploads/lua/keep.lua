-- Lists a new upload of a hall, and erases the oldest of too many: those that
-- end by time first, those that a node is at never.
--
-- KEYS
--   [1] zset with the names of the hall's uploads
--   [2] hash of the new one
-- ARGV
--   [1] its name
--   [2] what is said of it, bytes
--   [3] how many are kept
--   [4] how many seconds they are kept
--   [5] how the hashes of the hall's uploads begin
-- RETURNS
--   how many were erased
local list_key, upload_key = KEYS[1], KEYS[2]
local name, progress, kept, lifetime, begin = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local there, gone = {}, {}
for _, other in ipairs(redis.call('ZRANGE', list_key, 0, -1)) do
  local found = redis.call('HMGET', begin .. other, 'state', 'until')
  if found[1] then
    there[#there + 1] = { name = other, busy = found[1] == 'taken' and tonumber(found[2]) > now }
  else
    gone[#gone + 1] = other
  end
end
for _, other in ipairs(gone) do redis.call('ZREM', list_key, other) end
local erased = 0
for _, other in ipairs(there) do
  if #there - erased < kept then break end
  if not other.busy then
    redis.call('DEL', begin .. other.name)
    redis.call('ZREM', list_key, other.name)
    erased = erased + 1
  end
end
redis.call('HSET', upload_key, 'state', 'waiting', 'progress', progress)
redis.call('EXPIRE', upload_key, lifetime)
redis.call('ZADD', list_key, now, name)
redis.call('EXPIRE', list_key, 2 * lifetime)
return erased
