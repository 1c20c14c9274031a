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
  if settings[2] ~= 'open' then return { outcome.DAY_NOT_OPEN, settings[2] } end
  if machine == '' then
    if paused() then return { outcome.PAUSED } end
    local c = first_servable()
    return c and sitting_answer(call_to_idle(c, by)) or { outcome.NOBODY }
  end
  local m = load(machines_key, machine)
  if not m then return { outcome.UNKNOWN_MACHINE } end
  if m.state ~= 'idle' then return { outcome.MACHINE_NOT_IDLE, m.state } end
  if paused() or room_paused(m.room) then return { outcome.PAUSED } end
  if not first_for(m.subjects) then return { outcome.NOBODY } end
  unlist_idle(m)
  return sitting_answer(call_first(m, by))
end
