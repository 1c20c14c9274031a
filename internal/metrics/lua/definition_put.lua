-- Keeps a definition and makes a new version of all of them, if the version is
-- still the one that it was checked against.
--
-- KEYS
--   [1] hash of definitions
-- ARGV
--   [1] name of the metric
--   [2] its definition
--   [3] version of the definitions that it was checked against
--   [4] field of the version
-- RETURNS
--   2 added, 1 replaced another one, 0 was there just so, -1 another version
local definitions_key = KEYS[1]
local name, definition, version, version_field = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if (redis.call('HGET', definitions_key, version_field) or '0') ~= version then return -1 end
local before = redis.call('HGET', definitions_key, name)
if before == definition then return 0 end
redis.call('HSET', definitions_key, name, definition)
redis.call('HINCRBY', definitions_key, version_field, 1)
if before then return 1 end
return 2
