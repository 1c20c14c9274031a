-- Gives a hall to a node for a while, unless another one has it.
--
-- KEYS
--   [1] webhook hash of the hall
-- ARGV
--   [1] name of the node
--   [2] for how many milliseconds
-- RETURNS
--   {0 for whoever got it, else how many milliseconds another node has it still; number of the day; id of the last event}
local webhook_key = KEYS[1]
local node, length = ARGV[1], tonumber(ARGV[2])

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local found = redis.call('HMGET', webhook_key, 'node', 'until', 'day', 'after')
local left = tonumber(found[2] or 0) - now
-- A lease longer than any that is given comes from a clock that was put back.
if found[1] and found[1] ~= node and left > 0 and left <= length then
  return { left, found[3] or '', found[4] or '' }
end
redis.call('HSET', webhook_key, 'node', node, 'until', string.format('%.0f', now + length))
return { 0, found[3] or '', found[4] or '' }
