-- Saves what a batch of events means and moves the position, if that still is
-- where the batch began. A command that Redis refuses is set aside; the rest
-- goes on.
--
-- KEYS
--   [1] head hash of the generation   [2] set of its keys   [3] list of what was set aside
--   [4] and up: keys of figures, each once
-- ARGV
--   [1] position where the batch began: id of an event, "" for the begin of the day
--   [2] position after it
--   [3] number of events
--   [4] how much is kept of what was set aside
--   [5] time of the first event, in milliseconds; 0 if the lag is not to be measured
--   [6] number of faults found before, then for each metric, event and reason
--   then for each command metric, event, name, index of its key, number of its arguments, arguments
-- RETURNS
--   1 saved, 0 another position, or no such generation
local head_key, names_key, aside_key = KEYS[1], KEYS[2], KEYS[3]
local began, ends, events, kept, first_at = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

if redis.call('HGET', head_key, 'after') ~= began then return 0 end

local set_aside = 0
local function put_aside(metric, event, reason)
  set_aside = set_aside + 1
  redis.call('LPUSH', aside_key, cjson.encode({ metric = metric, event = event, reason = reason }))
end

local at = 7
for _ = 1, tonumber(ARGV[6]) do
  put_aside(ARGV[at], ARGV[at + 1], ARGV[at + 2])
  at = at + 3
end
while at <= #ARGV do
  local count = tonumber(ARGV[at + 4])
  local reply = redis.pcall(ARGV[at + 2], KEYS[tonumber(ARGV[at + 3])], unpack(ARGV, at + 5, at + 4 + count))
  if type(reply) == 'table' and reply.err then put_aside(ARGV[at], ARGV[at + 1], reply.err) end
  at = at + 5 + count
end

if set_aside > 0 then
  redis.call('LTRIM', aside_key, 0, kept - 1)
  redis.call('HINCRBY', head_key, 'aside', set_aside)
end
local FEW = 1000 -- Lua cannot hand over any number of arguments
for from = 4, #KEYS, FEW do
  redis.call('SADD', names_key, unpack(KEYS, from, math.min(from + FEW - 1, #KEYS)))
end
local lag = 0
if first_at > 0 then
  local time = redis.call('TIME')
  lag = math.max(0, tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) - first_at)
end
redis.call('HINCRBY', head_key, 'events', events)
redis.call('HSET', head_key, 'after', ends, 'lag', string.format('%.0f', lag))
return 1
