-- Adds a note of the staff about a candidate. It changes no state.
--
-- ARGV
--   [5] candidate
--   [6] text
--   [7] how many notes a candidate may have
-- RETURNS
--   OK + id of the note + time; UNKNOWN_CANDIDATE, TOO_MANY_NOTES
local id, text, most = ARGV[5], ARGV[6], tonumber(ARGV[7])

-- The answer has no text: whoever repeats the command knows it.
local function operation()
  local c = load(candidates_key, id)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  local kept = redis.call('HGET', notes_key, id)
  local notes = kept and cjson.decode(kept) or {}
  if #notes >= most then return { outcome.TOO_MANY_NOTES } end
  local note = event('candidate_noted', about(c))
  notes[#notes + 1] = { id = note, at = now, by = by, text = text }
  redis.call('HSET', notes_key, id, cjson.encode(notes))
  return { outcome.OK, note, now }
end
