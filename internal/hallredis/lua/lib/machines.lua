-- Machines: an idle and a used ZSET for each subject. An idle machine stands in
-- the idle ZSET of every subject it serves, first the one that serves the
-- fewest, then the one idle longest; one in a paused room behind all others.
local PARKED, PER_SUBJECT = 1e12, 1e10
local CAPACITY_UNIT = 27720 -- least common multiple of 1 to 12: a machine counts 1/k for each of its k subjects

local function room_paused(room) return redis.call('HEXISTS', pauses_key, 'room ' .. room) == 1 end

local function idle_score(m)
  local score = m.count * PER_SUBJECT + math.min(math.max(m.since - base, 0), PER_SUBJECT - 1)
  if room_paused(m.room) then score = score + PARKED end
  return score
end

local function in_service(state) return state == 'idle' or state == 'called' or state == 'in_use' end

local function add_capacity(m, sign)
  for code in codes(m.subjects) do
    redis.call('HINCRBY', subjects_key, code .. ':capacity', sign * CAPACITY_UNIT / m.count)
  end
end

-- Puts an idle machine where idle machines stand, or anew when its score has changed.
local function list_idle(m)
  local score = idle_score(m)
  for code in codes(m.subjects) do redis.call('ZADD', idle_key(code), score, m.id) end
end

local function unlist_idle(m)
  for code in codes(m.subjects) do redis.call('ZREM', idle_key(code), m.id) end
end

-- After a room was paused or resumed its idle machines stand elsewhere in line.
local function list_idle_of_room(room)
  for _, record in ipairs(redis.call('HVALS', machines_key)) do
    local m = cjson.decode(record)
    if m.room == room and m.state == 'idle' then list_idle(m) end
  end
end

-- Saves a machine, and of one in service what estimates go by: short, since
-- every entry of somebody who waits carries it for all machines.
local function save_machine(m)
  save(machines_key, m)
  alerts.touch('machines', m.id, m)
  if not in_service(m.state) then redis.call('HDEL', service_key, m.id) return end
  redis.call('HSET', service_key, m.id, table.concat({
    m.state, string.format('%.0f', m.began or 0), m.subject or '', m.candidate or '', m.room, m.subjects,
  }, '\t'))
end

local function forget_machine(id)
  redis.call('HDEL', machines_key, id)
  redis.call('HDEL', service_key, id)
  alerts.touch('machines', id, false)
end

local function set_machine(m, state, reason, code)
  m.state, m.since, m.reason, m.code = state, now, reason, code
  save_machine(m)
end

-- The machine loses its sitting: it is in no ZSET then, until its caller says what it does next.
local function vacate(m)
  redis.call('ZREM', used_key(m.subject), m.id)
  m.sitting, m.subject, m.candidate, m.began = nil, nil, nil, nil
end

local function occupy(m, sitting, state)
  redis.call('ZADD', used_key(sitting.subject), now, m.id)
  m.sitting, m.subject, m.candidate = sitting.id, sitting.subject, sitting.candidate
  m.began = sitting.seatedAt or sitting.calledAt -- also of a sitting that began elsewhere
  set_machine(m, state)
end

-- The reason is free text and stands with the machine only, the code in the event too.
local function take_out_of_service(m, reason, code)
  if in_service(m.state) then add_capacity(m, -1) end
  set_machine(m, 'out_of_service', reason, code)
  event('machine_out_of_service', { machine = m.id, model = m.model, room = m.room, reasonCode = code }, nil, reason)
end
