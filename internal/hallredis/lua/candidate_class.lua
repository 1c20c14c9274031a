-- Changes a candidate's class; the ticket keeps its letter, the place its time.
--
-- ARGV
--   [5] candidate
--   [6] class
--   [7] reason, "" for none
-- RETURNS
--   OK + entry; UNKNOWN_CANDIDATE, WRONG_STATE + state once done, withdrawn or absent
local id, class, reason = ARGV[5], ARGV[6], ARGV[7]
undoable = true

local function operation()
  local c = load(candidates_key, id)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  if c.state == 'done' or c.state == 'withdrawn' or c.state == 'absent' then return { outcome.WRONG_STATE, c.state } end
  if c.class == class then return entry_answer(outcome.OK, c) end
  local waiting, was = c.state == 'waiting', c.class
  if waiting then dequeue(c) end
  c.class = class
  if waiting then enqueue(c, c.place) end
  save(candidates_key, c)
  event('candidate_class_changed', about(c, { state = c.state, classWas = was }), nil, reason)
  return entry_answer(outcome.OK, c)
end
