-- The dispatcher. It runs inside the step that made somebody or something
-- free, so there is no moment in which a machine is idle and somebody waits for it.
local ENOUGH_SITTINGS = 5

local function paused() return redis.call('HEXISTS', pauses_key, 'hall') == 1 end

local function calling() return rules.mode == 'auto' and not paused() end

-- The id of the idle machine that a candidate for this subject takes, or nil.
local function idle_machine(subject)
  local first = redis.call('ZRANGE', idle_key(subject), 0, 0, 'WITHSCORES')
  if first[1] and tonumber(first[2]) < PARKED then return first[1] end
  return nil
end

-- Work still to come per machine: see hall.SubjectLoad.
local function work(code)
  local load = redis.call('HMGET', subjects_key, code .. ':toCome', code .. ':minutes', code .. ':ended',
    code .. ':time', code .. ':capacity')
  local ended = tonumber(load[3] or 0)
  local length = tonumber(load[2]) * 60000
  if ended >= ENOUGH_SITTINGS then length = tonumber(load[4]) / ended end
  return tonumber(load[1] or 0) * length / tonumber(load[5] or 0)
end

-- The due subject that c takes of those for which free(code) holds, or nil.
local function choose(c, free)
  local chosen, most
  for code in codes(c.subjects) do
    if has(c.due, code) and free(code) then
      if rules.subjectChoice == 'listed' then return code end
      local w = work(code)
      if not chosen or w > most then chosen, most = code, w end
    end
  end
  return chosen
end

-- Whether the clock of a call stands: nobody can come then.
local function standing(room) return paused() or room_paused(room) end

-- Counts how long the clock of a call stood, which is no time unanswered.
local function count_stood(s)
  if not s.standsSince then return end
  s.stood = (s.stood or 0) + now - s.standsSince
  s.standsSince = nil
end

-- A call does not run out any more; the caller saves the sitting.
local function stop_clock(s)
  s.left = nil
  count_stood(s)
  redis.call('ZREM', due_key, 'call ' .. s.id)
end

-- Gives an unanswered call so many milliseconds; the caller saves the sitting.
local function start_clock(s, ms)
  if standing(s.room) then
    s.left, s.standsSince = ms, s.standsSince or now
    redis.call('ZREM', due_key, 'call ' .. s.id)
  else
    if s.standsSince then alerts.look() end
    s.left = nil
    count_stood(s)
    redis.call('ZADD', due_key, now + ms, 'call ' .. s.id)
  end
end

-- Calls visit(sitting, machine) for every called sitting.
local function each_called(visit)
  for _, record in ipairs(redis.call('HVALS', machines_key)) do
    local m = cjson.decode(record)
    if m.state == 'called' then visit(load(sittings_key, m.sitting), m) end
  end
end

-- After a pause began or ended: clocks stop, or go on with what was left.
local function set_clocks()
  each_called(function(s)
    local at = redis.call('ZSCORE', due_key, 'call ' .. s.id)
    local left = s.left or at and math.max(1, tonumber(at) - now)
    if left and (s.left ~= nil) ~= standing(s.room) then
      start_clock(s, left)
      save(sittings_key, s)
    end
  end)
end

local function announce(s)
  s.announcedAt = now
  redis.call('LREM', calls_key, 0, s.id)
  redis.call('LPUSH', calls_key, s.id)
  redis.call('LTRIM', calls_key, 0, 49)
  if rules.confirmSeat then start_clock(s, rules.callTimeoutSeconds * 1000) end
end

-- Calls waiting candidate c to machine m, which is in no ZSET, for a subject.
local function call(c, m, subject, who, reason)
  local waiting, idle_since = cjson.encode(c), m.state == 'idle' and string.format('%.0f', m.since) or ''
  dequeue(c)
  local wait = math.max(0, now - c.waitingSince - (c.holdInWait or 0))
  local s = {
    id = 's' .. redis.call('HINCRBY', hall_key, 'lastSitting', 1),
    candidate = c.id, ticket = c.ticket, class = c.class, subject = subject, machine = m.id, room = m.room,
    state = 'called', calledAt = now, recalls = 0, wait = wait,
  }
  announce(s)
  save(sittings_key, s)
  redis.call('HINCRBY', subjects_key, subject .. ':toCome', -1)
  occupy(m, s, 'called')
  c.sitting, c.subject = s.id, subject
  c.firstCalled = c.firstCalled or now
  c.waits = c.waits or {}
  c.waits[subject] = wait
  move(c, 'called')
  save(candidates_key, c)
  local id = event('candidate_called', about(c, {
    sitting = s.id, subject = subject, machine = m.id, model = m.model, room = m.room, wait = wait,
  }), who or 'system', reason)
  if not who then keep_called(id, waiting, idle_since) end
  return s
end

-- Calls the first in order for machine m, which is in no ZSET; nil if nobody waits for it.
local function call_first(m, who)
  local c = first_for(m.subjects)
  if not c then return nil end
  return call(c, m, choose(c, function(code) return has(m.subjects, code) end), who)
end

-- A machine becomes free: it takes the first in order, else it is idle.
local function release(m)
  if calling() and not room_paused(m.room) and call_first(m) then return end
  set_machine(m, 'idle')
  list_idle(m)
end

-- Calls waiting candidate c to an idle machine; nil if none serves a due subject.
local function call_to_idle(c, who)
  local subject = choose(c, idle_machine)
  if not subject then return nil end
  local m = load(machines_key, idle_machine(subject))
  unlist_idle(m)
  return call(c, m, subject, who)
end

-- A candidate became free: called at once if a machine is idle.
local function seek(c)
  if calling() then call_to_idle(c) end
end

-- The order of a step that freed both: the candidate is back in line by now (or
-- gone), the machine takes the first in order, then the candidate looks around.
local function release_and_seek(m, c)
  release(m)
  if c.state ~= 'waiting' then return end
  c = load(candidates_key, c.id) -- the machine may have taken this very one
  if c.state == 'waiting' then seek(c) end
end

-- The first in order for whom any machine is idle, or nil.
local function first_servable()
  local free = '|'
  for code in codes(all_subjects) do
    if idle_machine(code) then free = free .. code .. '|' end
  end
  return free ~= '|' and first_for(free) or nil
end

-- Many machines became free at once: again and again the first in order.
local function drain()
  if not calling() then return end
  local c = first_servable()
  while c do
    call_to_idle(c)
    c = first_servable()
  end
end
