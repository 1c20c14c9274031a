-- Creates a hall and opens its day, or replaces its layout and rules.
--
-- ARGV
--   [5] layout, a JSON document kept as it is
--   [6] rules, JSON
--   [7] subjects: JSON list of {code, minutes}
--   [8] machines: JSON list of {id, room, model, subjects "|1|2|", count, spare}
--   [9] rooms: JSON object of id to true
--   [10] SHA-1 of the layout that is expected to be replaced, "*" for any, "none" for no hall, "" for all the same
--   [11] date of the day if one is opened
--   [12] milliseconds that the day's base lies before its opening
--   [13] when sessions take people in on the day: JSON object of session to {from, until} in milliseconds, "" for no limits
--   [14] when the day was opened that these are of, 0 for none that is open
-- RETURNS
--   READ_AGAIN; CHANGED; FIRST + hall when created, OK + hall when replaced; IN_USE + kind + id of what cannot disappear,
--   or of a machine that would not serve the subject being sat on it
local layout, rules_document = ARGV[5], ARGV[6]
local subjects, specs, rooms = cjson.decode(ARGV[7]), cjson.decode(ARGV[8]), cjson.decode(ARGV[9])
local expected, date, base_before = ARGV[10], ARGV[11], tonumber(ARGV[12])
local windows, windows_opened = ARGV[13], tonumber(ARGV[14])
must_exist = false

local existing, wanted, wanted_subjects = {}, {}, '|'
for _, spec in ipairs(specs) do wanted[spec.id] = spec end
for _, subject in ipairs(subjects) do wanted_subjects = wanted_subjects .. subject.code .. '|' end

local function read_machines()
  local flat = redis.call('HGETALL', machines_key)
  for i = 1, #flat, 2 do existing[flat[i]] = cjson.decode(flat[i + 1]) end
end

local function what_is_in_use()
  for id, m in pairs(existing) do
    local spec = wanted[id]
    if m.sitting and not (spec and has(spec.subjects, m.subject)) then return { outcome.IN_USE, 'machine', id } end
  end
  for code in codes(without(all_subjects, wanted_subjects)) do
    if tonumber(redis.call('HGET', subjects_key, code .. ':people') or 0) > 0 then
      return { outcome.IN_USE, 'subject', code }
    end
  end
  return nil
end

local function is_expected(present)
  if expected == '' then return true end
  if expected == 'none' then return not present end
  return present and (expected == '*' or expected == redis.sha1hex(present))
end

local function put_subjects()
  for code in codes(all_subjects) do
    redis.call('HDEL', subjects_key, code .. ':capacity')
    if not has(wanted_subjects, code) then
      for _, field in ipairs({ 'minutes', 'toCome', 'people', 'ended', 'time', 'walked', 'walk' }) do
        redis.call('HDEL', subjects_key, code .. ':' .. field)
      end
    end
  end
  for _, subject in ipairs(subjects) do
    redis.call('HSET', subjects_key, subject.code .. ':minutes', subject.minutes)
  end
  all_subjects = wanted_subjects
end

local function put_machines()
  local states, codes_out, gone = {}, {}, {}
  for _, m in pairs(existing) do
    if m.state == 'idle' then unlist_idle(m) end
  end
  for id in pairs(existing) do
    if not wanted[id] then
      forget_machine(id)
      gone[#gone + 1] = id
    end
  end
  for _, spec in ipairs(specs) do
    local m = existing[spec.id] or { id = spec.id, state = spec.spare and 'spare' or 'idle', since = now }
    m.room, m.model, m.subjects, m.count = spec.room, spec.model, spec.subjects, spec.count
    place_machine(m, states, codes_out)
  end
  table.sort(gone)
  return states, codes_out, gone
end

-- Holds that go on end when the rules from now on say so.
local function limit_holds()
  for _, id in ipairs(redis.call('ZRANGE', aside_key, 0, -1)) do
    local c = load(candidates_key, id)
    if c.state == 'held' then limit_hold(c) end
  end
end

-- Open sittings go with their machines, calls are announced anew where they
-- lead now. Whether calls run out is what the rules say from now on.
local function follow_machines()
  each_called(function(s, m)
    local timed = s.left or redis.call('ZSCORE', due_key, 'call ' .. s.id)
    if s.room ~= m.room then
      s.room = m.room
      announce(s)
    elseif rules.confirmSeat and not timed then
      start_clock(s, rules.callTimeoutSeconds * 1000)
    end
    if not rules.confirmSeat then stop_clock(s) end
    save(sittings_key, s)
  end)
  for _, spec in ipairs(specs) do
    local m = existing[spec.id]
    if m and m.state == 'in_use' then
      local s = load(sittings_key, m.sitting)
      s.room = m.room
      save(sittings_key, s)
    end
  end
end

local function forget_pauses_of_lost_rooms()
  for _, field in ipairs(redis.call('HKEYS', pauses_key)) do
    local room = string.match(field, '^room (.*)$')
    if room and not rooms[room] then redis.call('HDEL', pauses_key, field) end
  end
end

local function operation()
  local creating = not rules
  local present = redis.call('HGET', hall_key, 'layout')
  if not is_expected(present) then return { outcome.CHANGED } end
  if present == layout then return hall_answer(outcome.OK) end
  local opened = creating and now or settings[2] == 'open' and tonumber(redis.call('HGET', hall_key, 'openedAt')) or 0
  if opened ~= windows_opened then return { outcome.READ_AGAIN } end
  read_machines()
  local refused = what_is_in_use()
  if refused then return refused end

  if creating then
    begin_day(base_before)
    open_day(date, base_before)
  end
  local hold_limit = rules and rules.maxHoldSeconds
  rules = cjson.decode(rules_document)
  if hold_limit and hold_limit ~= rules.maxHoldSeconds then limit_holds() end
  redis.call('HSET', hall_key, 'layout', layout, 'rules', rules_document, 'subjects', wanted_subjects)
  keep_windows(windows)
  forget_pauses_of_lost_rooms()
  put_subjects()
  local states, codes_out, gone = put_machines()
  follow_machines()
  layout_event(states, codes_out, gone)
  alerts.look()
  drain()
  return hall_answer(creating and outcome.FIRST or outcome.OK)
end
