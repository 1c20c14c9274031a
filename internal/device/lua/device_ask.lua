-- The code that a device shows until somebody of the staff enters it: the one
-- that it has already, or a fresh one.
--
-- KEYS
--   [1] when codes end, a ZSET: code → milliseconds
--   [2] codes, a hash: code → hash of the secret, kind and end as JSON, "of " and the hash → code
-- ARGV
--   [1] hash of the secret
--   [2] kind of the device
--   [3] fresh code, "" for none
--   [4] for how many milliseconds it is valid
--   [5] how many codes there may be
--   [6] the time, see clock.lua
-- RETURNS
--   {1, code, end}; {0} if there is none and none was given, {-1} if there are
--   too many, {-2} if another device shows the fresh one
local ends, codes = KEYS[1], KEYS[2]
local hash, kind, fresh, valid, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

local function forget(code)
  local known = redis.call('HGET', codes, code)
  if known then redis.call('HDEL', codes, code, 'of ' .. cjson.decode(known).hash) end
  redis.call('ZREM', ends, code)
end

for _, code in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', string.format('%.0f', now))) do forget(code) end
local code = redis.call('HGET', codes, 'of ' .. hash)
if code then
  local known = cjson.decode(redis.call('HGET', codes, code))
  if known.kind == kind then return { 1, code, known.ends } end
end
if fresh == '' then return { 0 } end
if code then forget(code) end -- the browser shows another page now
if redis.call('ZCARD', ends) >= most then return { -1 } end
if redis.call('HEXISTS', codes, fresh) == 1 then return { -2 } end
local last = string.format('%.0f', now + valid)
redis.call('ZADD', ends, last, fresh)
redis.call('HSET', codes, fresh, cjson.encode({ hash = hash, kind = kind, ends = last }), 'of ' .. hash, fresh)
return { 1, fresh, last }
