-- Does what is due by now: unanswered calls are announced again or count as
-- no-shows, rests and holds end.
--
-- ARGV
--   [5] how many at most in one step
-- RETURNS
--   OK + the time of what is due next, in milliseconds, 0 for nothing
local limit = tonumber(ARGV[5])

local function unanswered(id)
  local s = load(sittings_key, id)
  local c, m = parties(s)
  if not rules.confirmSeat then -- the rule changed since the call
    redis.call('ZREM', due_key, 'call ' .. id)
  elseif s.recalls < rules.recallLimit then
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

local over = { call = unanswered, rest = rested, hold = held_too_long }

local function operation()
  for _, item in ipairs(redis.call('ZRANGEBYSCORE', due_key, '-inf', now, 'LIMIT', 0, limit)) do
    local kind, id = string.match(item, '^(%S+) (.*)$')
    -- An item before this one in the same step may have ended it.
    if redis.call('ZSCORE', due_key, item) then over[kind](id) end
  end
  local first = redis.call('ZRANGE', due_key, 0, 0, 'WITHSCORES')
  return { OK, first[2] and tonumber(first[2]) or 0 }
end
