-- Gives an upload to a node for a while, if it waits or its node says nothing more.
--
-- KEYS
--   [1] zset with the names of the hall's uploads
--   [2] hash of the upload
-- ARGV
--   [1] its name
--   [2] the node
--   [3] for how many milliseconds
--   [4] how many seconds it is kept from now on
-- RETURNS
--   1 given, 0 another node is at it or it is over, -1 gone
local upload_key = KEYS[2]
local node, length, lifetime = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

local found = redis.call('HMGET', upload_key, 'state', 'until')
local state, held = found[1], tonumber(found[2] or 0)
if not state then return -1 end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if state == 'over' or (state == 'taken' and held > now) then return 0 end
redis.call('HSET', upload_key, 'state', 'taken', 'node', node, 'until', string.format('%.0f', now + length))
redis.call('EXPIRE', upload_key, lifetime)
return 1
