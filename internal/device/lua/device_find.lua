-- Whose secret this is. That it was heard of is kept, and what it says of itself.
--
-- KEYS
--   [1] secrets
-- ARGV
--   [1] hash of the secret
--   [2] beginning of the keys of devices
--   [3] how many milliseconds the last contact may be off
--   [4] "report" if it says how it is
--   [5] sound
--   [6] paper
--   [7] the time, see clock.lua
-- RETURNS
--   id, then the fields of the device; nothing if there is none
local hash, beginning, every, report, sound, paper = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6]

local id = redis.call('HGET', KEYS[1], hash)
if not id then return {} end
local device = beginning .. id
local fields = redis.call('HGETALL', device)
if #fields == 0 then return {} end
local seen = 0
for i = 1, #fields, 2 do
  if fields[i] == 'seen' then seen = tonumber(fields[i + 1]) end
end
if report == 'report' then
  redis.call('HSET', device, 'seen', string.format('%.0f', now), 'sound', sound, 'paper', paper)
elseif now - seen >= every then
  redis.call('HSET', device, 'seen', string.format('%.0f', now))
end
table.insert(fields, 1, id)
return fields
