-- Follows the next day after one that is closed and was followed to its end.
--
-- KEYS
--   [1] followed hash
-- ARGV
--   [1] number of the closed day
--   [2] number of the next one
-- RETURNS
--   1, also when another node did so before
local followed_key = KEYS[1]
local closed, coming = ARGV[1], ARGV[2]

local present = redis.call('HGET', followed_key, 'day')
if not present or present == closed then redis.call('HSET', followed_key, 'day', coming) end
return 1
