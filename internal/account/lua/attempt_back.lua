-- Takes back one try that was counted: it was none at guessing.
--
-- KEYS
--   [1] tries of one address, a hash
-- RETURNS
--   how many are left
local tries = KEYS[1]

local n = tonumber(redis.call('HGET', tries, 'n') or 0)
if n <= 1 then
  redis.call('DEL', tries)
  return 0
end
return redis.call('HINCRBY', tries, 'n', -1)
