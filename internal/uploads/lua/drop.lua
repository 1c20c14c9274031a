-- Erases an upload, unless a node is at it.
--
-- KEYS
--   [1] zset with the names of the hall's uploads
--   [2] hash of the upload
-- ARGV
--   [1] its name
-- RETURNS
--   1, 0 a node is at it, -1 gone
local list_key, upload_key = KEYS[1], KEYS[2]
local name = ARGV[1]

local found = redis.call('HMGET', upload_key, 'state', 'until')
if not found[1] then return -1 end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if found[1] == 'taken' and tonumber(found[2] or 0) > now then return 0 end
redis.call('DEL', upload_key)
redis.call('ZREM', list_key, name)
return 1
