-- Stands before the scripts that need the time: the last argument in
-- milliseconds, or that of Redis if it is 0.
local now = tonumber(ARGV[#ARGV])
if now == 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

