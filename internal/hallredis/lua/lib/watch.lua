-- The look for alerts that Elapse takes: at every machine when it is due, at
-- the screens each time. It is due when the first of what is not right yet can
-- be an alert; what begins later cannot be one before the shortest time that an
-- alert takes. Steps that bring back what began before say so: look_for_alerts.
local SOON = 5000 -- milliseconds until the next look while something is wrong that no step ends
local ended_by_looks = { machine_idle = true, no_screen = true }

local function watch(defined)
  local active, soon = {}, false
  for _, field in ipairs(redis.call('HKEYS', alerts_key)) do
    active[field] = true
    soon = soon or ended_by_looks[string.match(field, '^%S+')] or false
  end
  local wrong, next_look = {}, nil -- fields of the alerts whose condition holds

  local function sooner(at) next_look = math.min(next_look or at, at) end

  -- Something has been so since a time: it is wrong after the threshold, and an alert once it was that for the
  -- hold. Returns when it will be one.
  local function check(name, id, began, threshold, fields)
    local field, at = alerts.field(name, id), began + threshold + defined[name].hold
    if now >= began + threshold then wrong[field] = true end
    if now < at then return at end
    if not active[field] then
      alerts.raise(name, id, began, fields())
      soon = soon or ended_by_looks[name]
    end
  end

  local function about_machine(m)
    return function() return { machine = m.id, room = m.room } end
  end
  local function about_sitting(m)
    return function()
      local s = load(sittings_key, m.sitting)
      return { machine = m.id, room = m.room, sitting = s.id, subject = s.subject, candidate = s.candidate, ticket = s.ticket }
    end
  end
  local function about_hall() return {} end

  local lengths = {}
  local function long(subject) -- milliseconds after which a sitting is a long one
    if not lengths[subject] then
      local minutes = tonumber(redis.call('HGET', subjects_key, subject .. ':minutes'))
      lengths[subject] = math.floor(defined.sitting_long.factor * minutes * 60000 + 0.5)
    end
    return lengths[subject]
  end

  local shortest_long = math.huge
  for code in codes(all_subjects) do shortest_long = math.min(shortest_long, long(code)) end

  local watched = {}

  -- While the clock of a call stands, nothing comes nearer.
  local function call(m)
    local s = load(sittings_key, m.sitting)
    local stood = (s.stood or 0) + (s.standsSince and now - s.standsSince or 0)
    local at = check('call_unanswered', m.id, s.calledAt, defined.call_unanswered.threshold + stood, about_sitting(m))
    if at and not s.standsSince then sooner(at) end
  end

  local function sitting(m)
    local at = check('sitting_long', m.id, m.began, long(m.subject), about_sitting(m))
    if at then sooner(at) end
  end

  -- Most sittings are far from too long: their records are not read whole.
  local function unless_early(name, threshold, look)
    return function(record)
      local began = tonumber(string.match(record, '"began":(%d+)'))
      if now >= began + threshold then return look(cjson.decode(record)) end
      sooner(began + threshold + defined[name].hold)
    end
  end

  watched.in_use = unless_early('sitting_long', shortest_long, sitting)
  local called = unless_early('call_unanswered', defined.call_unanswered.threshold, call)
  function watched.called(record, id)
    local field = alerts.field('call_unanswered', id)
    if active[field] then wrong[field] = true return end -- until a step ends it
    called(record)
  end
  if not rules.confirmSeat then watched.called = watched.in_use end -- people sit from the call on

  -- The dispatcher is watched by what machines and people do, not by the lists that it goes by.
  local first_waits = {}
  function watched.idle(record)
    local m = cjson.decode(record)
    if room_paused(m.room) then return end
    if first_waits[m.subjects] == nil then
      local c = first_for(m.subjects)
      first_waits[m.subjects] = c and since(c) or false
    end
    local waits = first_waits[m.subjects]
    if not waits then return end
    local at = check('machine_idle', m.id, math.max(m.since, waits), defined.machine_idle.threshold, about_machine(m))
    if at then sooner(at) end
  end

  local function shortest()
    return math.min(defined.call_unanswered.threshold + defined.call_unanswered.hold,
      defined.machine_idle.threshold + defined.machine_idle.hold, shortest_long + defined.sitting_long.hold)
  end

  local function look_at_machines(anybody_waits)
    if not (anybody_waits and calling()) then watched.idle = nil end
    local machines = redis.call('HGETALL', machines_key)
    for i = 1, #machines, 2 do
      local visit = watched[string.match(machines[i + 1], '"state":"([%l_]+)"')]
      if visit then visit(machines[i + 1], machines[i]) end
    end
    local over = {}
    for field in pairs(active) do
      local name, id = string.match(field, '^(%S+) (.*)$')
      if alerts.goes_on[name] and not wrong[field] then over[#over + 1] = { name = name, id = id } end
    end
    table.sort(over, function(a, b) return alerts.field(a.name, a.id) < alerts.field(b.name, b.id) end)
    for _, alert in ipairs(over) do alerts.clear(alert.name, alert.id) end
    sooner(now + shortest())
    redis.call('ZADD', due_key, next_look, alerts.WATCH)
  end

  -- Nobody needs a board while nobody waits or is called.
  local function look_at_screens(anybody_needs)
    local last = redis.call('ZREVRANGE', screens_key, 0, 0, 'WITHSCORES')
    local gone = math.max(tonumber(last[2] or 0), tonumber(redis.call('HGET', hall_key, 'openedAt')))
    local at = anybody_needs and check('no_screen', nil, gone, defined.no_screen.threshold, about_hall)
    if at then sooner(at) end
    if active['no_screen '] and not wrong['no_screen '] then alerts.clear('no_screen') end
  end

  local people = redis.call('HMGET', counts_key, 'waiting', 'called', 'seated')
  local waiting, called, seated = tonumber(people[1] or 0), tonumber(people[2] or 0), tonumber(people[3] or 0)
  if settings[2] ~= 'open' then return end
  look_at_screens(waiting + called > 0)
  if waiting + called + seated == 0 then
    redis.call('ZREM', due_key, alerts.WATCH)
    return
  end
  local due = redis.call('ZSCORE', due_key, alerts.WATCH)
  if not due or tonumber(due) <= now then
    look_at_machines(waiting > 0)
  elseif next_look then
    redis.call('ZADD', due_key, 'LT', next_look, alerts.WATCH)
  end
  if soon then redis.call('ZADD', due_key, 'LT', now + SOON, alerts.WATCH) end
end
