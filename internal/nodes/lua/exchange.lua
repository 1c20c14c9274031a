-- Replaces a name, if it still is the one that is to be replaced.
--
-- KEYS
--   [1] string with the name
-- ARGV
--   [1] the old name
--   [2] the new one
-- RETURNS
--   1 replaced, 0 it is another one
local name_key = KEYS[1]
local old, new = ARGV[1], ARGV[2]

if redis.call('GET', name_key) ~= old then return 0 end
redis.call('SET', name_key, new)
return 1
