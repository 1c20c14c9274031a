-- Takes back a command of the staff, and with it what followed by itself: calls
-- above all, that nobody has answered. The people and machines that the command
-- touched are as before, and so is everybody whom an automatic call brought
-- there since. A later command of the staff about any of them blocks it.
--
-- ARGV
--   [5] id of the command's event, its first
--   [6] "dry" changes nothing
-- RETURNS
--   OK + id of the event that takes it back, "" if dry + sittings whose calls are withdrawn; the same when
--   it was taken back before; UNKNOWN_EVENT, NOT_UNDOABLE, UNDO_BLOCKED + id, name and by of the later event
local command, dry = ARGV[5], ARGV[6] == 'dry'
-- Whoever wants to go further back than so many events does not correct a slip;
-- of other systems' events, which change nothing here, there may be more.
local FAR, FAR_OF_ALL = 5000, 20000

local events, by_id = {}, {} -- since the command
local undone = {}            -- ids of what was taken back before
-- These change no state of people and machines.
local remarks = { candidate_noted = true, incident_opened = true, alert_raised = true, alert_cleared = true }

local function read_event(entry)
  local e = { id = entry[1] }
  for f = 1, #entry[2], 2 do e[entry[2][f]] = entry[2][f + 1] end
  by_id[e.id] = e
  if string.sub(e.event, 1, 2) == 'x_' then return end
  events[#events + 1] = e
  if e.event == 'undone' then undone[e.undoes] = e end
end

-- Reads what happened since the command; false if that is too much.
local function read_events()
  local from, read = command, 0
  repeat
    local some = redis.call('XRANGE', events_key, from, '+', 'COUNT', 1000)
    for _, entry in ipairs(some) do read_event(entry) end
    read = read + #some
    if #some < 1000 then return true end
    from = '(' .. some[#some][1]
  until #events >= FAR or read >= FAR_OF_ALL
  return false
end

local taken = {} -- events to take back, in order
local their_sittings = {}
local people, machines = { order = {}, joined = {} }, { order = {}, joined = {} }

local function join(group, id, e)
  if not id or group.joined[id] then return end
  group.joined[id] = e
  group.order[#group.order + 1] = id
end

local function take(e)
  taken[#taken + 1] = e
  if e.sitting then their_sittings[e.sitting] = true end
  join(people, e.candidate, e)
  join(machines, e.machine, e)
  join(machines, e.from, e)
end

local function concerned(e)
  return people.joined[e.candidate] or machines.joined[e.machine] or machines.joined[e.from]
end

-- The incident that a command on a sitting opened stands right behind its event.
local function opened_by(e, before)
  return e.event == 'incident_opened' and e.sitting and before and before == taken[#taken] and before.sitting == e.sitting
end

-- Collects what to take back; returns the event that blocks it, if one does.
local function follow()
  for i, e in ipairs(events) do
    if undone[e.id] then -- as if it had never been
    elseif opened_by(e, events[i - 1]) then
      take(e)
    elseif e.event == 'undone' or remarks[e.event] then -- changes nothing here
    elseif e.id == command or e.cause == command then
      take(e)
    elseif e.event == 'layout_changed' or e.event == 'day_opened' then
      return e
    elseif concerned(e) then
      -- What became of a sitting that the command had no part in did not follow from it.
      local apart = e.sitting and e.event ~= 'candidate_called' and not their_sittings[e.sitting]
      if e.by ~= 'system' or apart then return e end
      take(e)
    end
  end
end

-- What a command or an automatic call found is kept under its event's id.
local function kept(key, id)
  local entry = redis.call('XRANGE', key, id, id)[1]
  if entry then return cjson.decode(entry[2][2]), entry[2][4] end
end

-- The records to go back to, by id; nil when one of them is not kept any more.
local function earlier_people(before)
  local records = {}
  for _, id in ipairs(people.order) do
    local e = people.joined[id]
    local record = before.candidates[id]
    if e.id ~= command and e.cause ~= command then
      records[id] = kept(called_key, e.id)
    else
      records[id] = record and cjson.decode(record)
    end
    if not records[id] then return nil end
  end
  return records
end

local function end_withdrawn_calls()
  for _, e in ipairs(taken) do
    if e.event == 'candidate_called' then
      local s = load(sittings_key, e.sitting)
      s.state, s.endedAt, s.outcome = 'ended', now, 'withdrawn'
      stop_clock(s)
      save(sittings_key, s)
    elseif e.event == 'sitting_ended' and e.length then
      redis.call('HINCRBY', subjects_key, e.subject .. ':ended', -1)
      redis.call('HINCRBY', subjects_key, e.subject .. ':time', 0 - e.length) -- Redis does not read -0
    elseif e.event == 'candidate_seated' then
      redis.call('HINCRBY', subjects_key, e.subject .. ':walked', -1)
      redis.call('HINCRBY', subjects_key, e.subject .. ':walk', 0 - e.walk)
    end
  end
end

local function drop_incidents()
  for _, e in ipairs(taken) do
    if e.event == 'incident_opened' then redis.call('HDEL', incidents_key, e.id) end
  end
end

local function put_back_sittings(records)
  for id, record in pairs(records) do
    local s = cjson.decode(record)
    stop_clock(s)
    if s.state == 'called' and rules.confirmSeat then start_clock(s, rules.callTimeoutSeconds * 1000) end
    save(sittings_key, s)
  end
end

local function take_out_person(c)
  if counted(c) then count_to_come(c, -1) end
  if c.state == 'waiting' then dequeue(c) end
  if timed[c.state] then redis.call('ZREM', due_key, timed[c.state] .. c.id) end
  take_from_aside(c)
end

local function put_back_person(c, was, before)
  local state = c.state
  c.state = was.state
  if state == 'waiting' then
    enqueue(c, c.place)
  else
    move(c, state)
    if before.aside[c.id] then redis.call('ZADD', aside_key, before.aside[c.id], c.id) end
    if before.due[c.id] then redis.call('ZADD', due_key, before.due[c.id], timed[state] .. c.id) end
  end
  if counted(c) then count_to_come(c, 1) end
  save(candidates_key, c)
end

-- Since when a machine was idle that only an automatic call took.
local function idle_since(id)
  local _, since = kept(called_key, machines.joined[id].id)
  return tonumber(since) or now
end

-- A machine is as the command found it; one that only an automatic call took is
-- idle, as long as it was.
local function put_back_machine(id, record)
  local m = load(machines_key, id)
  if not record and m.state == 'idle' then return end
  if m.state == 'idle' then unlist_idle(m) end
  if m.sitting then vacate(m) end
  if in_service(m.state) then add_capacity(m, -1) end
  if record then
    m = cjson.decode(record)
    save_machine(m)
  else
    set_machine(m, 'idle')
    m.since = idle_since(id)
    save_machine(m)
  end
  if in_service(m.state) then add_capacity(m, 1) end
  if m.state == 'idle' then list_idle(m) end
  if m.sitting then redis.call('ZADD', used_key(m.subject), m.since, m.id) end
end

-- One event for each that is taken back, the command's first.
local function say_undone()
  for _, e in ipairs(taken) do
    local fields = { undoes = e.id }
    for field, value in pairs(e) do
      if field ~= 'id' and field ~= 'event' and field ~= 'at' and field ~= 'by' then fields[field] = value end
    end
    event('undone', fields)
  end
end

local function withdrawn_calls(list)
  local answer = {}
  for _, e in ipairs(list) do
    if e.event == 'candidate_called' then answer[#answer + 1] = redis.call('HGET', sittings_key, e.sitting) end
  end
  return answer
end

-- What was answered the first time.
local function answer_again()
  local by_then = undone[command]
  local list = {}
  for _, e in ipairs(events) do
    if e.event == 'undone' and (e.id == by_then.id or e.cause == by_then.id) then list[#list + 1] = by_id[e.undoes] end
  end
  return { outcome.OK, by_then.id, withdrawn_calls(list) }
end

local function operation()
  local all_read = read_events()
  if not by_id[command] then return { outcome.UNKNOWN_EVENT } end
  if undone[command] then
    if undone[command].cause then return { outcome.NOT_UNDOABLE } end -- went with another command
    return answer_again()
  end
  local before = kept(commands_key, command)
  if not before or not all_read then return { outcome.NOT_UNDOABLE } end
  local later = follow()
  if later then return { outcome.UNDO_BLOCKED, later.id, later.event, later.by } end
  local back = earlier_people(before)
  if not back then return { outcome.NOT_UNDOABLE } end
  if dry then return { outcome.OK, '', withdrawn_calls(taken) } end

  end_withdrawn_calls()
  drop_incidents()
  local were = {}
  for _, id in ipairs(people.order) do
    were[id] = load(candidates_key, id)
    take_out_person(were[id])
  end
  put_back_sittings(before.sittings)
  for _, id in ipairs(people.order) do put_back_person(back[id], were[id], before) end
  for _, id in ipairs(machines.order) do put_back_machine(id, before.machines[id]) end
  redis.call('XDEL', commands_key, command)
  alerts.look()
  say_undone()
  drain()
  return { outcome.OK, first_event, withdrawn_calls(taken) }
end
