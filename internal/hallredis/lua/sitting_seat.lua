-- The called candidate sits at the machine.
--
-- ARGV
--   [5] sitting
-- RETURNS
--   OK + sitting, also when seated already; UNKNOWN_SITTING, WRONG_STATE + state
local id = ARGV[5]
undoable = true

local function operation()
  local s = load(sittings_key, id)
  if not s then return { outcome.UNKNOWN_SITTING } end
  if s.state == 'seated' then return sitting_answer(s) end
  if s.state ~= 'called' then return { outcome.WRONG_STATE, s.state } end
  local c, m = parties(s)
  s.state, s.seatedAt = 'seated', now
  stop_clock(s)
  save(sittings_key, s)
  move(c, 'seated')
  save(candidates_key, c)
  m.began = now
  set_machine(m, 'in_use')
  redis.call('HINCRBY', subjects_key, s.subject .. ':walked', 1)
  redis.call('HINCRBY', subjects_key, s.subject .. ':walk', now - s.calledAt)
  sitting_event('candidate_seated', s, c, m, { walk = now - s.calledAt })
  return sitting_answer(s)
end
