-- What ends a sitting, and where its candidate goes then.

-- Ends a sitting: its candidate and machine have none any more. The caller
-- says where both go.
local function close_sitting(s, c, m, outcome)
  s.state, s.endedAt, s.outcome = 'ended', now, outcome
  stop_clock(s)
  save(sittings_key, s)
  vacate(m)
  c.sitting, c.subject = nil, nil
end

local function parties(s) return load(candidates_key, s.candidate), load(machines_key, s.machine) end

local function sitting_event(name, s, c, m, fields, who, reason)
  fields = fields or {}
  fields.sitting, fields.subject, fields.machine, fields.model, fields.room = s.id, s.subject, m.id, m.model, m.room
  return event(name, about(c, fields), who, reason)
end

local function requeue(c, place)
  begin_wait(c, place)
  save(candidates_key, c)
  event('candidate_requeued', about(c), 'system')
end

-- Back in line after a sitting or a rest, where the hall's rule says.
local function come_back(c)
  requeue(c, rules.requeue == 'keep' and c.firstPlace or tail_place())
end

local function withdraw(c)
  local was = c.state
  count_to_come(c, -1)
  set_aside(c, 'withdrawn')
  save(candidates_key, c)
  event('candidate_withdrawn', about(c, { state = was }))
end

local function rest(c)
  set_aside(c, 'resting')
  save(candidates_key, c)
  redis.call('ZADD', due_key, now + rules.restSeconds * 1000, 'rest ' .. c.id)
  event('candidate_resting', about(c), 'system')
end

local function limit_hold(c)
  if rules.maxHoldSeconds > 0 then
    redis.call('ZADD', due_key, c.heldSince + rules.maxHoldSeconds * 1000, 'hold ' .. c.id)
  else
    redis.call('ZREM', due_key, 'hold ' .. c.id)
  end
end

-- A hold keeps the place and stops the clock of the wait.
local function begin_hold(c)
  c.heldSince = now
  set_aside(c, 'held')
  save(candidates_key, c)
  limit_hold(c)
end

local function end_hold(c)
  local held = math.max(0, now - c.heldSince)
  c.hold, c.holdInWait = (c.hold or 0) + held, (c.holdInWait or 0) + held
  c.heldSince = nil
  redis.call('ZREM', due_key, 'hold ' .. c.id)
  take_from_aside(c)
end

local function return_from_hold(c, who)
  end_hold(c)
  enqueue(c, c.place)
  save(candidates_key, c)
  event('candidate_returned', about(c), who)
  seek(c)
end

local function recall(s, c, m, who)
  s.recalls = s.recalls + 1
  announce(s)
  save(sittings_key, s)
  sitting_event('candidate_recalled', s, c, m, { recalls = s.recalls }, who)
end

-- A called candidate did not come.
local function no_show(s, c, m, who)
  close_sitting(s, c, m, 'no_show')
  redis.call('HINCRBY', subjects_key, s.subject .. ':toCome', 1)
  c.noShows = (c.noShows or 0) + 1
  sitting_event('candidate_no_show', s, c, m, nil, who)
  incidents.open_of('candidate_no_show', 'person', s, c, m, nil, who)
  local after = string.match(rules.noShow, '^after:(%d+)$')
  if rules.noShow == 'absent' or c.noShows >= rules.maxNoShows then
    count_to_come(c, -1)
    set_aside(c, 'absent')
    save(candidates_key, c)
    event('candidate_absent', about(c), who)
  else
    requeue(c, after and place_behind(tonumber(after), c) or tail_place())
  end
  release_and_seek(m, c)
end
