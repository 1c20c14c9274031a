-- Stops calling, for the hall or one room.
--
-- ARGV
--   [5] room, "" for the whole hall
--   [6] message for the boards
-- RETURNS
--   OK + hall
local room, message = ARGV[5], ARGV[6]

local function operation()
  local field = room == '' and 'hall' or 'room ' .. room
  if redis.call('HGET', pauses_key, field) == message then return hall_answer(outcome.OK) end
  redis.call('HSET', pauses_key, field, message)
  if room ~= '' then list_idle_of_room(room) end
  set_clocks()
  event('hall_paused', { room = room ~= '' and room or nil })
  return hall_answer(outcome.OK)
end
