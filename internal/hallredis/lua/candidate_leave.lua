-- Takes a candidate out of the line.
--
-- ARGV
--   [5] candidate
-- RETURNS
--   OK; UNKNOWN_CANDIDATE, NOT_IN_QUEUE, WRONG_STATE + state while called or seated
local id = ARGV[5]
undoable = true

local function operation()
  local c = load(candidates_key, id)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  if c.state == 'called' or c.state == 'seated' then return { outcome.WRONG_STATE, c.state } end
  if c.state == 'waiting' then
    dequeue(c)
  elseif c.state == 'held' then
    end_hold(c)
  elseif c.state == 'resting' then
    redis.call('ZREM', due_key, 'rest ' .. c.id)
    take_from_aside(c)
  else
    return { outcome.NOT_IN_QUEUE, c.state }
  end
  withdraw(c)
  return { outcome.OK }
end
