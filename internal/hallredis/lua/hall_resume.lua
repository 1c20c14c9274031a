-- Goes on calling, for the hall or one room, and makes the calls that are due.
--
-- ARGV
--   [5] room, "" for the whole hall
-- RETURNS
--   OK + hall
local room = ARGV[5]

local function operation()
  if redis.call('HDEL', pauses_key, room == '' and 'hall' or 'room ' .. room) == 0 then return hall_answer(outcome.OK) end
  if room ~= '' then list_idle_of_room(room) end
  set_clocks()
  event('hall_resumed', { room = room ~= '' and room or nil })
  drain()
  return hall_answer(outcome.OK)
end
