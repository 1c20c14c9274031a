-- Opens the day that was prepared. Nobody can be in line yet, so there is nobody to call.
--
-- ARGV
--   [5] date of the day
--   [6] milliseconds that the day's base lies before its opening
--   [7] when sessions take people in: see hall_put.lua
--   [8] SHA-1 of the layout that the date and these are of
-- RETURNS
--   OK + hall; READ_AGAIN; WRONG_STATE + state while a day is open
local date, base_before, windows, layout = ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8]

-- Places count from the new base, so idle machines stand elsewhere in line: all
-- of them are idle for the same time, that of the day.
local function list_machines()
  for _, record in ipairs(redis.call('HVALS', machines_key)) do
    local m = cjson.decode(record)
    if m.state == 'idle' then
      m.since = now
      save_machine(m)
      list_idle(m)
    end
  end
end

local function operation()
  if settings[2] ~= 'preparing' then return { outcome.WRONG_STATE, settings[2] } end
  if redis.sha1hex(redis.call('HGET', hall_key, 'layout')) ~= layout then return { outcome.READ_AGAIN } end
  open_day(date, base_before)
  keep_windows(windows)
  list_machines()
  return hall_answer(outcome.OK)
end
