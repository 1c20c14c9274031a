-- The line: the wait ZSET has everybody who waits by place; the index has them
-- once each, by class and exact set of due subjects, so that the first for a
-- machine and a place in line are found without reading the others.

-- Index members sort by bytes: class, set, place in 13 digits, candidate.
local AFTER_PLACES = ':' -- comes after every digit

local function index_group(class, due) return class .. ' ' .. due .. ' ' end

local function index_bound(class, due, place)
  return index_group(class, due) .. string.format('%013d', place)
end

local function index_member(c)
  return index_bound(c.class, c.due, c.place) .. ' ' .. c.id
end

local function shares(a, b)
  for code in codes(a) do
    if has(b, code) then return true end
  end
  return false
end

-- Calls visit(class, due, place, id) with the head of each class and set of due
-- subjects that occurs, by jumping from one to the next.
local function each_group(visit)
  local from = '-'
  while true do
    local head = redis.call('ZRANGEBYLEX', index_key, from, '+', 'LIMIT', 0, 1)[1]
    if not head then return end
    local class, due, place, id = string.match(head, '^(%S+) (%S+) (%d+) (.*)$')
    visit(class, due, tonumber(place), id)
    from = '(' .. index_group(class, due) .. AFTER_PLACES
  end
end

-- The candidate who is first in order among those who wait for one of subjects, or nil.
local function first_for(subjects)
  local best, best_class, best_place
  each_group(function(class, due, place, id)
    if (not best or comes_before(class, place, best_class, best_place)) and shares(due, subjects) then
      best, best_class, best_place = id, class, place
    end
  end)
  return best and load(candidates_key, best)
end

-- How many of a class and set of due subjects have a place below this.
local function count_below(class, due, place)
  if place <= 0 then return 0 end
  local group = index_group(class, due)
  local to = place == math.huge and group .. AFTER_PLACES or index_bound(class, due, place)
  return redis.call('ZLEXCOUNT', index_key, '[' .. group, '(' .. to)
end

local function groups_in_line()
  local list = {}
  each_group(function(class, due) list[#list + 1] = { class = class, due = due } end)
  return list
end

-- How many stand before c, by their set of due subjects. Who asks for several
-- people gives the groups in line, which are looked up else.
local function all_before(c, groups)
  local before = {}
  for _, g in ipairs(groups or groups_in_line()) do
    local n = count_below(g.class, g.due, bound_before(g.class, c.class, c.place))
    if n > 0 then before[g.due] = (before[g.due] or 0) + n end
  end
  return before
end

-- How many of those share a due subject with c.
local function sharing(before, c)
  local n = 0
  for due, count in pairs(before) do
    if shares(due, c.due) then n = n + count end
  end
  return n
end

-- The place of an ordinary join: now, but later than every join before.
local function tail_place()
  local last = tonumber(redis.call('HGET', hall_key, 'lastPlace') or 0)
  local place = math.max((now - base) * 1000, last + 1000)
  redis.call('HSET', hall_key, 'lastPlace', place)
  return place
end

local function taken(place) return redis.call('ZCOUNT', wait_key, place, place) > 0 end

-- Moves a candidate to a state and keeps the numbers of people by state. With
-- the first one in line there may be alerts from now on.
local function move(c, state)
  if c.state then redis.call('HINCRBY', counts_key, c.state, -1) end
  local people = redis.call('HINCRBY', counts_key, state, 1)
  c.state = state
  alerts.touch('people', c.id, c)
  if state == 'waiting' and people == 1 then alerts.begin() end
end

-- The free place nearest behind this one, or itself.
local function free_place(place)
  while taken(place) do place = place + 1 end
  return place
end

-- Walks along the line in the hall's order, or against it, over the groups for
-- which wanted(class, due) holds: each call of what it returns gives the next
-- candidate's class, place and id. It begins behind somebody of after_class at
-- after_place, or at the end of the line if after_class is nil.
local WALK_CHUNK = 50
local function walk(wanted, after_class, after_place, backwards)
  local groups = {}
  local function fill(g)
    local members
    if backwards then
      members = redis.call('ZREVRANGEBYLEX', index_key, '(' .. g.bound, '[' .. g.name, 'LIMIT', 0, WALK_CHUNK)
    else
      members = redis.call('ZRANGEBYLEX', index_key, '[' .. g.bound, '(' .. g.name .. AFTER_PLACES, 'LIMIT', 0, WALK_CHUNK)
    end
    g.members, g.at = members, 0
  end
  local function step(g)
    g.at = g.at + 1
    if g.at > #g.members then
      if #g.members < WALK_CHUNK then g.id = nil return end
      local last = g.members[#g.members]
      g.bound = backwards and last or last .. '\0'
      fill(g)
      return step(g)
    end
    local place, id = string.match(string.sub(g.members[g.at], #g.name + 1), '^(%d+) (.*)$')
    g.place, g.id = tonumber(place), id
  end
  each_group(function(class, due)
    if not wanted(class, due) then return end
    local g = { class = class, name = index_group(class, due) }
    local place = backwards and math.huge or 0
    if after_class then
      place = bound_before(class, after_class, after_place)
      if class == after_class and not backwards then place = place + 1 end
    end
    g.bound = place == math.huge and g.name .. AFTER_PLACES or index_bound(class, due, place)
    fill(g)
    step(g)
    groups[#groups + 1] = g
  end)
  return function()
    local best
    for _, g in ipairs(groups) do
      if g.id and (not best or comes_before(g.class, g.place, best.class, best.place) ~= backwards) then best = g end
    end
    if not best then return nil end
    local class, place, id = best.class, best.place, best.id
    step(best)
    return class, place, id
  end
end

-- The place behind the n-th in line; the tail if fewer wait. Where
-- classes matter, that is the line of c's own class.
local function place_behind(n, c)
  local nth
  local following = walk(function(class) return rules.order == 'fifo' or class == c.class end, nil, nil, false)
  for _ = 1, n do
    local _, place = following()
    if not place then return tail_place() end
    nth = place
  end
  return nth + 1
end

-- The free place nearest before c's own last place and before all of the class.
local function place_before_class(c)
  local place = c.place
  each_group(function(class, _, head)
    if class == c.class and head <= place then place = head - 1 end
  end)
  while taken(place) do place = place - 1 end
  return place
end

-- When the wait began, holds left out: waits, targets and statistics go by it.
local function since(c) return c.waitingSince + (c.holdInWait or 0) end

-- The begins of all waits of a class are summed up from the day's base on, for their mean.
local function sum_waits(c, sign)
  redis.call('HINCRBY', hall_key, 'sinceSum ' .. c.class, sign * (since(c) - base))
end

-- Whoever comes back to an old place may find it taken: no two have the same,
-- which would have no order.
local function enqueue(c, place)
  c.place = free_place(place)
  redis.call('ZADD', wait_key, c.place, c.id)
  redis.call('ZADD', index_key, 0, index_member(c))
  redis.call('ZADD', since_keys[c.class], since(c), c.id)
  sum_waits(c, 1)
  if not c.overTarget then redis.call('ZADD', target_key, since(c), c.id) end
  move(c, 'waiting')
end

local function dequeue(c)
  redis.call('ZREM', wait_key, c.id)
  redis.call('ZREM', index_key, index_member(c))
  redis.call('ZREM', since_keys[c.class], c.id)
  sum_waits(c, -1)
  redis.call('ZREM', target_key, c.id)
end

-- A new wait begins, now or at an earlier time.
local function begin_wait(c, place, at)
  c.waitingSince, c.holdInWait, c.overTarget = at or now, nil, nil
  enqueue(c, place)
end

local function set_aside(c, state)
  redis.call('ZADD', aside_key, now, c.id)
  move(c, state)
end

local function take_from_aside(c) redis.call('ZREM', aside_key, c.id) end

-- Whether c's due subjects are work still to come.
local function counted(c) return c.state ~= 'absent' and c.state ~= 'withdrawn' end

-- Counts c's due subjects, but for the one being sat, in or out of the work still to come.
local function count_to_come(c, by_n)
  for code in codes(c.due) do
    if code ~= c.subject then redis.call('HINCRBY', subjects_key, code .. ':toCome', by_n) end
  end
end

-- When time brings something next, in milliseconds, or nil.
local function next_due()
  local item = redis.call('ZRANGE', due_key, 0, 0, 'WITHSCORES')
  local wait = redis.call('ZRANGE', target_key, 0, 0, 'WITHSCORES')
  local at, over = tonumber(item[2]), tonumber(wait[2])
  if over then over = over + rules.waitTargetSeconds * 1000 end
  if not at or (over and over < at) then return over end
  return at
end
