-- Puts a machine in service, in reserve or out of service.
--
-- ARGV
--   [5] machine
--   [6] state: idle, spare or out_of_service
--   [7] reason, for out_of_service
--   [8] code of the reason, for out_of_service
-- RETURNS
--   OK + machine + person or "" + sitting or "", also when it is in that state; UNKNOWN_MACHINE,
--   IN_USE + state while a sitting is open on it
local id, state, reason, code = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
undoable = true

local function answer_machine()
  local m = load(machines_key, id)
  local s = m.sitting and load(sittings_key, m.sitting)
  person_of = s and s.candidate
  return { outcome.OK, cjson.encode(m), s and person(s.candidate) or '', s and cjson.encode(s) or '' }
end

local function operation()
  local m = load(machines_key, id)
  if not m then return { outcome.UNKNOWN_MACHINE } end
  if m.sitting then
    if state == 'idle' then return answer_machine() end
    return { outcome.IN_USE, m.state }
  end
  if m.state == state then return answer_machine() end

  local was, since = m.state, m.since
  if was == 'idle' then unlist_idle(m) end
  if state == 'out_of_service' then
    take_out_of_service(m, reason, code)
    return answer_machine()
  end
  if state == 'spare' then
    if in_service(was) then add_capacity(m, -1) end
    set_machine(m, 'spare')
    event('machine_spare', { machine = m.id, model = m.model, room = m.room })
    return answer_machine()
  end
  add_capacity(m, 1)
  local outage = was == 'out_of_service' and now - since or nil
  event('machine_in_service', { machine = m.id, model = m.model, room = m.room, outage = outage })
  release(m)
  return answer_machine()
end
