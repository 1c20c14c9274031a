-- The candidate is finished with the subject: back in line, to rest, or done;
-- the machine takes the next.
--
-- ARGV
--   [5] sitting
-- RETURNS
--   OK + sitting, also when ended so before; UNKNOWN_SITTING, WRONG_STATE + state
local id = ARGV[5]
undoable = true

local function operation()
  local s = load(sittings_key, id)
  if not s then return { outcome.UNKNOWN_SITTING } end
  if s.outcome == 'finished' then return sitting_answer(s) end
  if s.state == 'ended' then return { outcome.WRONG_STATE, s.state } end
  local c, m = parties(s)
  local length
  if s.seatedAt then
    length = now - s.seatedAt
    redis.call('HINCRBY', subjects_key, s.subject .. ':ended', 1)
    redis.call('HINCRBY', subjects_key, s.subject .. ':time', length)
  else
    s.seatedAt = now -- was never confirmed: left out of the lengths
  end
  c.sat = (c.sat or '|') .. s.subject .. '|'
  c.due = without(c.due, c.sat)
  c.lastEnded = now
  close_sitting(s, c, m, 'finished')
  sitting_event('sitting_ended', s, c, m, { length = length })
  if c.due == '|' then
    move(c, 'done')
    save(candidates_key, c)
    event('candidate_done', about(c), 'system')
  elseif rules.restSeconds > 0 then
    rest(c)
  else
    come_back(c)
  end
  release_and_seek(m, c)
  return sitting_answer(s)
end
