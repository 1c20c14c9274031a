-- Reads one entry of the queue.
--
-- ARGV
--   [5] candidate
-- RETURNS
--   OK + entry; UNKNOWN_CANDIDATE, NOT_IN_QUEUE for who has not checked in
local id = ARGV[5]

local function operation()
  local c = load(candidates_key, id)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  if not c.ticket then return { outcome.NOT_IN_QUEUE, c.state } end
  return entry_answer(outcome.OK, c)
end
