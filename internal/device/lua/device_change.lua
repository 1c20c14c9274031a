-- Gives a device of a hall another name and other rooms.
--
-- KEYS
--   [1] the device
--   [2] ids of the hall's devices
-- ARGV
--   [1] id
--   [2] beginning of the keys of devices
--   [3] name
--   [4] rooms as JSON
--   [5] how many rooms
-- RETURNS
--   1 if it is so now, 0 if the hall has no such device, -1 if a board shall
--   show several rooms, -2 if another device of the hall has this name
local device, devices = KEYS[1], KEYS[2]
local id, beginning, name, rooms, number = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

if redis.call('SISMEMBER', devices, id) == 0 then return 0 end
if redis.call('HGET', device, 'kind') == 'board' and number > 1 then return -1 end
for _, other in ipairs(redis.call('SMEMBERS', devices)) do
  if other ~= id and redis.call('HGET', beginning .. other, 'name') == name then return -2 end
end
redis.call('HSET', device, 'name', name, 'rooms', rooms)
return 1
