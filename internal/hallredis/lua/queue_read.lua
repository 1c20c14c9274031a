-- Reads a stretch of the line in the hall's order. Under ageing the order
-- depends on the time: who reads on passes the time of the first reading.
--
-- ARGV
--   [5] subject that has to be due, "" for any
--   [6] class, "" for any
--   [7] class of the one behind whom to begin, "" to begin at the end of the line
--   [8] place of that one
--   [9] how many to leave out there
--   [10] how many at most
--   [11] "desc" for the last first
-- RETURNS
--   OK, how many there are in all, list of entries, class and place of the last one seen, now, outlook
local subject, only_class, after_class, after_place = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])
local skip, limit, descending = tonumber(ARGV[9]), tonumber(ARGV[10]), ARGV[11] == 'desc'

local function wanted(class, due)
  return (only_class == '' or class == only_class) and (subject == '' or has(due, subject))
end

local function count_all()
  local n = 0
  each_group(function(class, due)
    if wanted(class, due) then n = n + count_below(class, due, math.huge) end
  end)
  return n
end

local function reverse(list)
  for i = 1, math.floor(#list / 2) do
    list[i], list[#list - i + 1] = list[#list - i + 1], list[i]
  end
end

local function entries(records)
  if subject ~= '' or only_class ~= '' then
    local list = {}
    for i, c in ipairs(records) do list[i] = entry_in_line(outcome.OK, c) end
    return list
  end
  if descending then reverse(records) end
  local list = entries_in_line(records)
  if descending then reverse(list) end
  return list
end

local function operation()
  local following = walk(wanted, after_class ~= '' and after_class or nil, after_place, descending)
  local last_class, last_place, records = after_class, after_place or 0, {}
  for n = 1, skip + limit do
    local class, place, id = following()
    if not class then break end
    last_class, last_place = class, place
    if n > skip then records[#records + 1] = load(candidates_key, id) end
  end
  return { outcome.OK, count_all(), entries(records), last_class, last_place, now, outlook() }
end
