-- Reads what screens show, all of one instant.
--
-- ARGV
--   [5] how many of the line, at least 1
--   [6] how many of those set aside, at least 1
--   [7] how many of the last commands that may be taken back
-- RETURNS
--   OK, now, hall hash, pauses hash, machine records, open sittings with persons, calls with
--   persons, entries of the line, entries set aside, counts hash, pairs of subject and number waiting, pairs of id and
--   fields of the commands' events, number of incidents, outlook, records of active alerts
local line_limit, aside_limit, commands_limit = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

local function with_person(list, s)
  list[#list + 1] = cjson.encode(s)
  list[#list + 1] = person(s.candidate)
end

-- Those set aside are not in line: nobody is ahead of them.
local function entries_aside()
  local list = {}
  for i, id in ipairs(redis.call('ZREVRANGE', aside_key, 0, aside_limit - 1)) do
    list[i] = entry(outcome.OK, load(candidates_key, id))
  end
  return list
end

local function first_in_line()
  local following, records = walk(function() return true end, nil, nil, false), {}
  while #records < line_limit do
    local _, _, id = following()
    if not id then break end
    records[#records + 1] = load(candidates_key, id)
  end
  return entries_in_line(records)
end

local function waiting_by_subject()
  local numbers, waiting = {}, {}
  each_group(function(class, due)
    local n = count_below(class, due, math.huge)
    for code in codes(due) do numbers[code] = (numbers[code] or 0) + n end
  end)
  for code, n in pairs(numbers) do
    waiting[#waiting + 1] = code
    waiting[#waiting + 1] = n
  end
  return waiting
end

local function last_commands()
  local list = {}
  for _, command in ipairs(redis.call('XREVRANGE', commands_key, '+', '-', 'COUNT', commands_limit)) do
    local e = redis.call('XRANGE', events_key, command[1], command[1])[1]
    list[#list + 1] = e[1]
    list[#list + 1] = e[2]
  end
  return list
end

local function operation()
  local machines = redis.call('HVALS', machines_key)
  local open, calls = {}, {}
  for _, record in ipairs(machines) do
    local m = cjson.decode(record)
    if m.sitting then with_person(open, load(sittings_key, m.sitting)) end
  end
  for _, id in ipairs(redis.call('LRANGE', calls_key, 0, -1)) do
    with_person(calls, load(sittings_key, id))
  end
  return {
    outcome.OK, now, redis.call('HGETALL', hall_key), redis.call('HGETALL', pauses_key), machines, open, calls,
    first_in_line(), entries_aside(), redis.call('HGETALL', counts_key), waiting_by_subject(),
    last_commands(),
    redis.call('HLEN', incidents_key), outlook(), redis.call('HVALS', alerts_key),
  }
end
