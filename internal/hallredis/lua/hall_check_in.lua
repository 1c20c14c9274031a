-- Opens or closes the kiosk's door, apart from the calling.
--
-- ARGV
--   [5] open or closed
-- RETURNS
--   OK + hall
local door = ARGV[5]

local function operation()
  if settings[3] ~= door then
    redis.call('HSET', hall_key, 'checkIn', door)
    event(door == 'open' and 'check_in_opened' or 'check_in_closed', {})
  end
  return hall_answer(outcome.OK)
end
