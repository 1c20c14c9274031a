-- Reads a stretch of the line in order.
--
-- ARGV
--   [5] begin behind this place, "" for the head (or, descending, the end) of the line
--   [6] how many to leave out there
--   [7] how many at most
--   [8] "desc" for the last first
-- RETURNS
--   OK, how many wait, then an entry each
local place, offset, limit, descending = ARGV[5], ARGV[6], ARGV[7], ARGV[8] == 'desc'

local function operation()
  local ids
  if descending then
    ids = redis.call('ZREVRANGEBYSCORE', wait_key, place == '' and '+inf' or '(' .. place, '-inf', 'LIMIT', offset, limit)
  else
    ids = redis.call('ZRANGEBYSCORE', wait_key, place == '' and '-inf' or '(' .. place, '+inf', 'LIMIT', offset, limit)
  end
  local answer = { OK, redis.call('ZCARD', wait_key) }
  for _, id in ipairs(ids) do answer[#answer + 1] = entry(OK, load(candidates_key, id)) end
  return answer
end
