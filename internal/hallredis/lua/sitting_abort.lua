-- Breaks a sitting off; the subject is still due. After a fault of the machine
-- the candidate comes before all others of the class.
--
-- ARGV
--   [5] sitting
--   [6] fault: machine or candidate
--   [7] then: "out" takes the machine out of service, "withdraw" takes the candidate out, "" neither
--   [8] reason
--   [9] code of the reason, for a machine that goes out of service
-- RETURNS
--   OK + sitting; UNKNOWN_SITTING, WRONG_STATE + state
local id, fault, consequence, reason, code = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
undoable = true

local function operation()
  local s = load(sittings_key, id)
  if not s then return { outcome.UNKNOWN_SITTING } end
  if s.state == 'ended' then return { outcome.WRONG_STATE, s.state } end
  local c, m = parties(s)
  close_sitting(s, c, m, 'aborted')
  redis.call('HINCRBY', subjects_key, s.subject .. ':toCome', 1)
  s.aborted = sitting_event('sitting_aborted', s, c, m, { fault = fault }, nil, reason)
  save(sittings_key, s) -- records find the reason by it
  incidents.open_of('sitting_aborted', fault == 'machine' and 'machine' or 'person', s, c, m, reason)
  if consequence == 'withdraw' then
    withdraw(c)
  elseif fault == 'machine' then
    requeue(c, place_before_class(c))
  else
    requeue(c, tail_place())
  end
  if consequence == 'out' then
    take_out_of_service(m, reason, code)
    if c.state == 'waiting' then seek(c) end
  else
    release_and_seek(m, c)
  end
  return sitting_answer(s)
end
