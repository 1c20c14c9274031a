-- Lets the device in that shows a code: its secret becomes a credential, and
-- the code is nobody's any more. The same form sent again changes nothing.
--
-- KEYS
--   [1] when codes end
--   [2] codes
--   [3] secrets, a hash: hash → id of the device
--   [4] the device, a hash
--   [5] ids of the hall's devices, a set
-- ARGV
--   [1] code
--   [2] id, made of the form
--   [3] beginning of the keys of devices
--   [4] hall
--   [5] name
--   [6] rooms as JSON
--   [7] how many rooms
--   [8] by whom
--   [9] how many devices a hall may have
--   [10] the time, see clock.lua
-- RETURNS
--   1 if it is let in, also by this form before; 0 if no device shows the code, -1 if a
--   board shall show several rooms, -2 if another device of the hall has this
--   name, -3 if the hall has too many
local ends, codes, secrets, device, devices = unpack(KEYS)
local code, id, beginning, hall, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local rooms, number, by, most = ARGV[6], tonumber(ARGV[7]), ARGV[8], tonumber(ARGV[9])

if redis.call('EXISTS', device) == 1 then return 1 end
local known = redis.call('HGET', codes, code)
known = known and cjson.decode(known)
if not known or tonumber(known.ends) <= now or redis.call('HEXISTS', secrets, known.hash) == 1 then return 0 end
if known.kind == 'board' and number > 1 then return -1 end
local ids = redis.call('SMEMBERS', devices)
for _, other in ipairs(ids) do
  if redis.call('HGET', beginning .. other, 'name') == name then return -2 end
end
if #ids >= most then return -3 end

redis.call('HDEL', codes, code, 'of ' .. known.hash)
redis.call('ZREM', ends, code)
redis.call('HSET', secrets, known.hash, id)
redis.call('HSET', device, 'hash', known.hash, 'kind', known.kind, 'hall', hall, 'name', name, 'rooms', rooms, 'by', by,
  'made', string.format('%.0f', now))
redis.call('SADD', devices, id)
return 1
