-- Ends a hold: the candidate waits again at the kept place.
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
  if c.state ~= 'held' then return { outcome.WRONG_STATE, c.state } end
  return_from_hold(c)
  return entry_answer(outcome.OK, load(candidates_key, id))
end
