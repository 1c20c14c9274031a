-- Counts a try at a secret, unless one has to wait. It is counted before the
-- secret is looked at, so that many tries at once are no way around it.
--
-- KEYS
--   [1] tries of one account, device or address, a hash
-- ARGV
--   [1] how many are free
--   [2] first wait after them, in milliseconds; it doubles with each try
--   [3] longest wait, in milliseconds
--   [4] after how many milliseconds without a try they are forgotten
--   [5] the time in milliseconds, 0 for that of Redis
-- RETURNS
--   0 if it was counted, else how many milliseconds are to be waited
local tries = KEYS[1]
local free, first, longest, kept = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(ARGV[5])

if now == 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local found = redis.call('HMGET', tries, 'n', 'last')
local n, last = tonumber(found[1] or 0), tonumber(found[2] or 0)
if n >= free then
  local wait = math.min(longest, first * 2 ^ math.min(n - free, 30))
  local left = last + wait - now
  if left > 0 then return math.min(left, wait) end -- a clock that was put back locks nobody for ever
end
redis.call('HSET', tries, 'n', string.format('%.0f', n + 1), 'last', string.format('%.0f', now))
redis.call('PEXPIRE', tries, kept)
return 0
