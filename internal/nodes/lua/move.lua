-- Moves the position of a hall if it still is where it was read.
--
-- KEYS
--   [1] webhook hash of the hall
-- ARGV
--   [1] number of the day that it is at, 0 when there is none yet
--   [2] id of the event that it is at
--   [3] number of the day that it goes to
--   [4] id of the event that it goes to
--   [5] how many events were given up
-- RETURNS
--   1 moved, 0 it was elsewhere
local webhook_key = KEYS[1]
local from_day, from_after, to_day, to_after, lost = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

local found = redis.call('HMGET', webhook_key, 'day', 'after')
if (found[1] or '0') ~= from_day or (found[2] or '') ~= from_after then return 0 end
redis.call('HSET', webhook_key, 'day', to_day, 'after', to_after)
if lost > 0 then redis.call('HINCRBY', webhook_key, 'lost', lost) end
return 1
