-- Says afterwards that Redis was away: an alert that was over when it was raised.
--
-- ARGV
--   [5] begin in milliseconds
--   [6] end in milliseconds
--   [7] milliseconds that it lasts at least to be one
-- RETURNS
--   OK
local since, over, least = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

-- All nodes see about the same outage: what overlaps with the last one is that one.
local function operation()
  local known = redis.call('HMGET', hall_key, 'openedAt', 'outageOver')
  if settings[2] ~= 'open' or over - since < least then return { outcome.OK } end
  if over <= tonumber(known[1]) or since < tonumber(known[2] or 0) then return { outcome.OK } end
  redis.call('HSET', hall_key, 'outageOver', string.format('%.0f', over))
  alerts.raise('redis_unreachable', nil, since, {}, { ['until'] = over })
  alerts.clear('redis_unreachable', nil, { ['until'] = over })
  return { outcome.OK }
end
