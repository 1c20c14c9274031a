-- The called candidate did not come.
--
-- ARGV
--   [5] sitting
-- RETURNS
--   OK + sitting; UNKNOWN_SITTING, WRONG_STATE + state
local id = ARGV[5]
undoable = true

local function operation()
  local s = load(sittings_key, id)
  if not s then return { outcome.UNKNOWN_SITTING } end
  if s.state ~= 'called' then return { outcome.WRONG_STATE, s.state } end
  local c, m = parties(s)
  no_show(s, c, m)
  return sitting_answer(s)
end
