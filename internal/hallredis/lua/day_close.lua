-- Closes the day: all that it has goes to the archive as it stands, under the
-- day's id, and the next day begins to be prepared with the same layout.
--
-- ARGV
--   [5] id of the day, "" for the present one
--   [6] milliseconds that a day's base lies before its opening
-- RETURNS
--   OK + id of the closed day, also for a named one that was closed before;
--   DAY_NOT_OPEN + state, UNKNOWN_DAY
local named, base_before = ARGV[5], tonumber(ARGV[6])

-- To rename a key that is not there is an error, and half a day would be left
-- behind: which ones there are is known before the first change.
local function present_keys()
  local moves = {}
  each_key_of_day(function(from, to)
    if redis.call('EXISTS', from) == 1 then moves[#moves + 1] = { from, to } end
  end)
  return moves
end

local function expected_minutes()
  local minutes = {}
  for code in codes(all_subjects) do minutes[code] = redis.call('HGET', subjects_key, code .. ':minutes') end
  return minutes
end

-- The id that comes next to one of the same millisecond: events of the new day
-- are behind those of the old one for whoever reads on.
local function id_after(id)
  local ms, sequence = string.match(id, '^(%d+)-(%d+)$')
  return ms .. '-' .. string.format('%.0f', tonumber(sequence) + 1)
end

local function archive(moves)
  redis.call('COPY', hall_key, key_of_day(day, hall_key))
  redis.call('HSET', key_of_day(day, hall_key), 'state', 'closed', 'closedAt', now)
  redis.call('COPY', machines_key, key_of_day(day, machines_key))
  for _, move in ipairs(moves) do redis.call('RENAME', move[1], move[2]) end
  redis.call('ZADD', days_key, day_number, day)
end

-- Nobody sits at a machine of the new day; one that was called to or in use is idle.
local function place_machines(records)
  local states, codes_out = {}, {}
  for _, record in ipairs(records) do
    local m = cjson.decode(record)
    if in_service(m.state) then
      m.state, m.since = 'idle', now
      m.sitting, m.subject, m.candidate, m.began = nil, nil, nil, nil
    end
    place_machine(m, states, codes_out)
  end
  layout_event(states, codes_out)
end

local function operation()
  if named ~= '' and named ~= day then
    return redis.call('ZSCORE', days_key, named) and { outcome.OK, named } or { outcome.UNKNOWN_DAY }
  end
  if settings[2] ~= 'open' then return { outcome.DAY_NOT_OPEN, settings[2] } end
  alerts.clear_all() -- nothing is wrong any more, and a closed day never says so
  first_event = nil -- the command is to close the day
  local moves, minutes, closed = present_keys(), expected_minutes(), day
  local machines = redis.call('HVALS', machines_key)

  local last = event('day_closed', { day = day })
  archive(moves)
  begin_day(base_before)
  for code, length in pairs(minutes) do redis.call('HSET', subjects_key, code .. ':minutes', length) end
  next_event, first_event = id_after(last), nil
  place_machines(machines)
  return { outcome.OK, closed }
end
