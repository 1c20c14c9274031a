-- Erases the file of an upload and what was said about it: what became of it
-- is written already.
--
-- KEYS
--   [1] zset with the names of the hall's uploads
--   [2] hash of the upload
-- ARGV
--   [1] its name
--   [2] the node that has it
--   [3] how many seconds the rest is kept from now on
--   [4] what is said of it
-- RETURNS
--   1, 0 another node has it or it is over, -1 gone
local upload_key = KEYS[2]
local node, lifetime, progress = ARGV[2], tonumber(ARGV[3]), ARGV[4]

local found = redis.call('HMGET', upload_key, 'state', 'node', 'file', 'about')
if not found[1] then return -1 end
if found[1] ~= 'taken' or found[2] ~= node then return 0 end
for piece = 0, tonumber(found[3] or 0) - 1 do redis.call('HDEL', upload_key, 'file:' .. piece) end
for piece = 0, tonumber(found[4] or 0) - 1 do redis.call('HDEL', upload_key, 'about:' .. piece) end
redis.call('HDEL', upload_key, 'file', 'about', 'node', 'until')
redis.call('HSET', upload_key, 'state', 'over', 'progress', progress)
redis.call('EXPIRE', upload_key, lifetime)
return 1
