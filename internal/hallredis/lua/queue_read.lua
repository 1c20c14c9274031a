-- Reads a stretch of the line in order.
--
-- ARGV
--   [5] begin behind this place, "" for the head (or, descending, the end) of the line
--   [6] how many to leave out there
--   [7] how many at most
--   [8] "desc" for the last first
-- RETURNS
--   OK, how many wait, list of entries
local place, offset, limit, descending = ARGV[5], ARGV[6], ARGV[7], ARGV[8] == 'desc'

local function reverse(list)
  for i = 1, math.floor(#list / 2) do
    list[i], list[#list - i + 1] = list[#list - i + 1], list[i]
  end
end

local function operation()
  local ids
  if descending then
    ids = redis.call('ZREVRANGEBYSCORE', wait_key, place == '' and '+inf' or '(' .. place, '-inf', 'LIMIT', offset, limit)
  else
    ids = redis.call('ZRANGEBYSCORE', wait_key, place == '' and '-inf' or '(' .. place, '+inf', 'LIMIT', offset, limit)
  end
  if descending then reverse(ids) end
  local entries = entries_in_line(ids)
  if descending then reverse(entries) end
  return { OK, redis.call('ZCARD', wait_key), entries }
end
