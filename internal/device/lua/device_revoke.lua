-- Shuts a device of a hall out at once.
--
-- KEYS
--   [1] the device
--   [2] ids of the hall's devices
--   [3] secrets
-- ARGV
--   [1] id
-- RETURNS
--   1 if it was there, else 0
local device, devices, secrets = unpack(KEYS)

if redis.call('SREM', devices, ARGV[1]) == 0 then return 0 end
local hash = redis.call('HGET', device, 'hash')
if hash then redis.call('HDEL', secrets, hash) end
redis.call('DEL', device)
return 1
