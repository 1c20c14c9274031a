-- Sets a waiting or resting candidate aside; the place is kept.
--
-- ARGV
--   [5] candidate
-- RETURNS
--   OK + entry; UNKNOWN_CANDIDATE, WRONG_STATE + state
local id = ARGV[5]
undoable = true

local function operation()
  local c = load(candidates_key, id)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  local was = c.state
  if was == 'waiting' then
    dequeue(c)
  elseif was == 'resting' then
    redis.call('ZREM', due_key, 'rest ' .. c.id)
    take_from_aside(c)
    c.waitingSince, c.holdInWait, c.overTarget = now, nil, nil
    c.place = rules.requeue == 'keep' and c.firstPlace or tail_place()
  else
    return { outcome.WRONG_STATE, was }
  end
  begin_hold(c)
  event('candidate_held', about(c, { state = was }))
  return entry_answer(outcome.OK, c)
end
