-- Does what is due by now: unanswered calls are announced again or count as
-- no-shows, rests and holds end, who waits longer than the target is marked, and
-- what has been wrong for too long is an alert.
--
-- ARGV
--   [5] how many at most in one step
--   [6] definitions of alerts: JSON object of name to {threshold or factor, hold}, in milliseconds
-- RETURNS
--   OK + the time of what is due next, in milliseconds, 0 for nothing
local limit, defined = tonumber(ARGV[5]), cjson.decode(ARGV[6])

local function unanswered(id)
  local s = load(sittings_key, id)
  local c, m = parties(s)
  if s.recalls < rules.recallLimit then
    recall(s, c, m)
  else
    no_show(s, c, m)
  end
end

local function rested(id)
  local c = load(candidates_key, id)
  redis.call('ZREM', due_key, 'rest ' .. id)
  take_from_aside(c)
  come_back(c)
  seek(c)
end

local function held_too_long(id) return_from_hold(load(candidates_key, id)) end

local function over_target(id)
  local c = load(candidates_key, id)
  c.overTarget = true
  save(candidates_key, c)
  redis.call('ZREM', target_key, id)
  alerts.touch('people', id, c) -- who came back in this very step is this record by now
  alerts.raise_wait(c)
end

local over = { call = unanswered, rest = rested, hold = held_too_long }

local function operation()
  for _, item in ipairs(redis.call('ZRANGEBYSCORE', due_key, '-inf', now, 'LIMIT', 0, limit)) do
    local kind, id = string.match(item, '^(%S+) (.*)$')
    -- An item before this one in the same step may have ended it.
    if over[kind] and redis.call('ZSCORE', due_key, item) then over[kind](id) end
  end
  local target = now - rules.waitTargetSeconds * 1000
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', target_key, '-inf', target, 'LIMIT', 0, limit)) do over_target(id) end
  watch(defined)
  return { outcome.OK, next_due() or 0 }
end
