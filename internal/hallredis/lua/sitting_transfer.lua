-- Moves an open sitting to another machine; its times go on.
--
-- ARGV
--   [5] sitting
--   [6] machine, "" for any idle one
--   [7] "out" takes the old machine out of service
--   [8] reason
--   [9] code of the reason, for a machine that goes out of service
-- RETURNS
--   OK + sitting, also when it is on that machine already; UNKNOWN_SITTING, UNKNOWN_MACHINE,
--   WRONG_STATE + state, MACHINE_NOT_IDLE + state, NO_MACHINE
local id, machine, consequence, reason, code = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
undoable = true

local function operation()
  local s = load(sittings_key, id)
  if not s then return { outcome.UNKNOWN_SITTING } end
  if s.state == 'ended' then return { outcome.WRONG_STATE, s.state } end
  if s.machine == machine then return sitting_answer(s) end
  local to = load(machines_key, machine ~= '' and machine or idle_machine(s.subject) or '')
  if not to then return { machine ~= '' and outcome.UNKNOWN_MACHINE or outcome.NO_MACHINE } end
  if to.state ~= 'idle' then return { outcome.MACHINE_NOT_IDLE, to.state } end
  if not has(to.subjects, s.subject) then return { outcome.NO_MACHINE } end

  local c, from = parties(s)
  local state = from.state
  vacate(from)
  unlist_idle(to)
  s.machine, s.room = to.id, to.room
  occupy(to, s, state)
  if s.state == 'called' then announce(s) end
  save(sittings_key, s)
  sitting_event('sitting_transferred', s, c, to, { from = from.id, state = s.state }, nil, reason)
  incidents.open_of('sitting_transferred', 'machine', s, c, from, reason, nil, to.id)
  alerts.look() -- what is wrong with the sitting is so on the other machine too
  if consequence == 'out' then take_out_of_service(from, reason, code) else release(from) end
  return sitting_answer(s)
end
