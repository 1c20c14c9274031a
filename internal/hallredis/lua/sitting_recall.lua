-- Announces a call again.
--
-- ARGV
--   [5] sitting
--   [6] number of the announcement: the call is 1, its first repeat 2
-- RETURNS
--   OK + sitting, also when that announcement was made before; UNKNOWN_SITTING,
--   WRONG_STATE + state, RECALL_LIMIT
local id, announcement = ARGV[5], tonumber(ARGV[6])

local function operation()
  local s = load(sittings_key, id)
  if not s then return { outcome.UNKNOWN_SITTING } end
  if s.state ~= 'called' then return { outcome.WRONG_STATE, s.state } end
  if announcement <= s.recalls + 1 then return sitting_answer(s) end
  if s.recalls >= rules.recallLimit then return { outcome.RECALL_LIMIT, s.state } end
  if announcement > s.recalls + 2 then return { outcome.WRONG_STATE, s.state } end
  local c, m = parties(s)
  recall(s, c, m)
  return sitting_answer(s)
end
