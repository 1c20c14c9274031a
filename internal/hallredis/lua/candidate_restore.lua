-- Brings an absent or withdrawn candidate back, at the tail or at the last place. One who never
-- checked in cannot be absent or withdrawn, so there is a ticket.
--
-- ARGV
--   [5] candidate
--   [6] "kept" for the last place, "" for the tail
-- RETURNS
--   OK + entry; UNKNOWN_CANDIDATE, WRONG_STATE + state
local id, kept = ARGV[5], ARGV[6] == 'kept'
undoable = true

local function operation()
  local c = load(candidates_key, id)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  if c.state ~= 'absent' and c.state ~= 'withdrawn' then return { outcome.WRONG_STATE, c.state } end
  take_from_aside(c)
  count_to_come(c, 1)
  c.noShows = 0
  if c.due == '|' then -- the roster took away what was left
    move(c, 'done')
    save(candidates_key, c)
    event('candidate_done', about(c))
    return entry_answer(outcome.OK, c)
  end
  begin_wait(c, kept and c.place or tail_place())
  save(candidates_key, c)
  event('candidate_restored', about(c))
  seek(c)
  return entry_answer(outcome.OK, load(candidates_key, id))
end
