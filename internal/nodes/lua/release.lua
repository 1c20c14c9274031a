-- Gives a hall back.
--
-- KEYS
--   [1] webhook hash of the hall
-- ARGV
--   [1] name of the node
-- RETURNS
--   1, or 0 when the node does not have it
local webhook_key = KEYS[1]
local node = ARGV[1]

if redis.call('HGET', webhook_key, 'node') ~= node then return 0 end
redis.call('HDEL', webhook_key, 'node', 'until')
return 1
