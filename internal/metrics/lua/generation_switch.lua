-- Puts a generation of a day's figures into use, if the one that it was made
-- to replace still is.
--
-- KEYS
--   [1] followed hash   [2] head hash of the new generation
-- ARGV
--   [1] field of the day
--   [2] generation to be replaced, "" for none
--   [3] the new one
-- RETURNS
--   1 in use, 0 another one is, or the new one is gone
local followed_key, head_key = KEYS[1], KEYS[2]
local field, old, new = ARGV[1], ARGV[2], ARGV[3]

if (redis.call('HGET', followed_key, field) or '') ~= old then return 0 end
if redis.call('EXISTS', head_key) == 0 then return 0 end
redis.call('HSET', followed_key, field, new)
return 1
