-- Calls one candidate out of turn to a machine.
--
-- ARGV
--   [5] candidate
--   [6] machine
--   [7] reason
-- RETURNS
--   OK + sitting; UNKNOWN_CANDIDATE, UNKNOWN_MACHINE, WRONG_STATE + state,
--   MACHINE_NOT_IDLE + state, PAUSED, NO_MACHINE when it serves no due subject
local id, machine, reason = ARGV[5], ARGV[6], ARGV[7]
undoable = true

local function operation()
  local c, m = load(candidates_key, id), load(machines_key, machine)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  if not m then return { outcome.UNKNOWN_MACHINE } end
  if c.state ~= 'waiting' then return { outcome.WRONG_STATE, c.state } end
  if m.state ~= 'idle' then return { outcome.MACHINE_NOT_IDLE, m.state } end
  if standing(m.room) then return { outcome.PAUSED } end
  local subject = choose(c, function(code) return has(m.subjects, code) end)
  if not subject then return { outcome.NO_MACHINE } end
  unlist_idle(m)
  return sitting_answer(call(c, m, subject, by, reason))
end
