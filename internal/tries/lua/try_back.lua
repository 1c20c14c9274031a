-- Takes back tries that were counted: they were none at guessing.
--
-- KEYS
--   [1] tries of one account, device or address, a hash
-- ARGV
--   [1] how many
-- RETURNS
--   how many are left
local tries = KEYS[1]
local back = tonumber(ARGV[1])

local n = tonumber(redis.call('HGET', tries, 'n') or 0)
if n <= back then
  redis.call('DEL', tries)
  return 0
end
return redis.call('HINCRBY', tries, 'n', -back)
