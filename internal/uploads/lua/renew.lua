-- Keeps an upload for the node that has it.
--
-- KEYS
--   [1] zset with the names of the hall's uploads
--   [2] hash of the upload
-- ARGV
--   [1] its name
--   [2] the node
--   [3] for how many milliseconds more, 0 to leave it to another one
--   [4] how many seconds it is kept from now on
--   [5] what is said of it, '' to leave that as it is
-- RETURNS
--   1, 0 another node has it or it is over, -1 gone
local upload_key = KEYS[2]
local node, length, lifetime, progress = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

local found = redis.call('HMGET', upload_key, 'state', 'node')
if not found[1] then return -1 end
if found[1] ~= 'taken' or found[2] ~= node then return 0 end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HSET', upload_key, 'until', string.format('%.0f', now + length))
if progress ~= '' then redis.call('HSET', upload_key, 'progress', progress) end
redis.call('EXPIRE', upload_key, lifetime)
return 1
