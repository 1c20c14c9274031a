-- How a day ends and the next one begins: see hall.Halls.OpenDay and CloseDay.

-- Calls visit(from, to) for every key that belongs to the day and its name in
-- the archive. All that a script gets is the day's own but for these.
local of_hall = { [hall_key] = true, [machines_key] = true, [screens_key] = true, [days_key] = true, [answers_key] = true }
local function each_key_of_day(visit)
  for _, key in ipairs(KEYS) do
    if key == once_key then break end
    if not of_hall[key] then visit(key, key_of_day(day, key)) end
  end
  for code in codes(all_subjects) do
    visit(idle_key(code), key_of_day(day, idle_key(code)))
    visit(used_key(code), key_of_day(day, used_key(code)))
  end
end

-- What the hall takes over into its next day. Sitting ids go on, so that a page
-- of yesterday names no sitting of today; all other counters begin anew.
local KEPT = { layout = true, rules = true, subjects = true, version = true, lastSitting = true }

-- Nothing of a day has happened yet: nobody is on the roster, the kiosk's door is open.
local function begin_day(base_before)
  for _, field in ipairs(redis.call('HKEYS', hall_key)) do
    if not KEPT[field] then redis.call('HDEL', hall_key, field) end
  end
  base, day, day_number = now - base_before, '', day_number + 1
  redis.call('HSET', hall_key, 'base', base, 'dayNumber', day_number, 'state', 'preparing', 'checkIn', 'open',
    'firstSitting', tonumber(redis.call('HGET', hall_key, 'lastSitting') or 0) + 1)
end

-- Opens the day. Its id is the date and which one of that date it is.
local function open_day(date, base_before)
  local n = 1
  while redis.call('ZSCORE', days_key, date .. '-' .. n) do n = n + 1 end
  base, day = now - base_before, date .. '-' .. n
  redis.call('HSET', hall_key, 'base', base, 'day', day, 'state', 'open', 'openedAt', now)
  event('day_opened', { day = day })
end

-- Keeps when sessions take people in on the present day.
local function keep_windows(windows)
  if windows == '' then
    redis.call('HDEL', hall_key, 'windows')
  else
    redis.call('HSET', hall_key, 'windows', windows)
  end
end

-- Puts a machine, new or of the day before, where it stands on this day.
local function place_machine(m, states, codes_out)
  save_machine(m)
  if in_service(m.state) then add_capacity(m, 1) end
  if m.state == 'idle' then list_idle(m) end
  states[m.id], codes_out[m.id] = m.state, m.code
end

-- Says what state every machine is in, why some are out of service, and which
-- ones there are no more.
local function layout_event(states, codes_out, gone)
  gone = gone and #gone > 0 and cjson.encode(gone) or nil
  local why = next(codes_out) and cjson.encode(codes_out) or nil
  event('layout_changed', { machines = cjson.encode(states), codes = why, gone = gone })
end
