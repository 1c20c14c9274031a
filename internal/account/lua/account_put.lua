-- Writes fields of an account if it is still at the expected version.
--
-- KEYS
--   [1] the account, a hash
-- ARGV
--   [1] expected version, "none" if there must be no account yet, "any" if there must be one
--   [2..] names and values of fields in turn; an empty value takes the field away
-- RETURNS
--   1 if it was written, 0 if the version is another one
local account = KEYS[1]
local expected = ARGV[1]

local version = 'none'
if redis.call('EXISTS', account) == 1 then
  version = redis.call('HGET', account, 'version') or '0'
end
if expected == 'any' then
  if version == 'none' then return 0 end
elseif version ~= expected then
  return 0
end
for i = 2, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', account, ARGV[i])
  else
    redis.call('HSET', account, ARGV[i], ARGV[i + 1])
  end
end
redis.call('HINCRBY', account, 'version', 1)
return 1
