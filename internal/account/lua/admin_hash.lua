-- Sets the hash of the first administrator if the present one is the expected one.
--
-- KEYS
--   [1] the account, a hash
-- ARGV
--   [1] expected hash, "" for none
--   [2] new hash
--   [3] "1" if the program made the password
--   [4] new epoch: sessions of before end
-- RETURNS
--   1 if it was set, else 0
local account = KEYS[1]
local expected, hash, made, epoch = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if (redis.call('HGET', account, 'hash') or '') ~= expected then return 0 end
redis.call('HSET', account, 'hash', hash, 'epoch', epoch)
redis.call('HINCRBY', account, 'version', 1)
if made == '1' then redis.call('HSET', account, 'made', '1') else redis.call('HDEL', account, 'made') end
return 1
