-- Calls the first in order for one machine, or for any.
--
-- ARGV
--   [5] machine, "" for any
-- RETURNS
--   OK + sitting, NOBODY when nobody waits for it; UNKNOWN_MACHINE, PAUSED,
--   MACHINE_NOT_IDLE + state, DAY_NOT_OPEN + state
local machine = ARGV[5]
undoable = true

local function operation()
  if settings[2] ~= 'open' then return { DAY_NOT_OPEN, settings[2] } end
  if machine == '' then
    if paused() then return { PAUSED } end
    local c = first_servable()
    return c and sitting_answer(call_to_idle(c, by)) or { NOBODY }
  end
  local m = load(machines_key, machine)
  if not m then return { UNKNOWN_MACHINE } end
  if m.state ~= 'idle' then return { MACHINE_NOT_IDLE, m.state } end
  if paused() or room_paused(m.room) then return { PAUSED } end
  if not first_for(m.subjects) then return { NOBODY } end
  unlist_idle(m)
  return sitting_answer(call_first(m, by))
end
