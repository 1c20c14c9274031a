-- The line: the wait ZSET has everybody who waits by place; the index has them
-- once each, by class and exact set of due subjects, so that the first for a
-- machine and a place in line are found without reading the others.

-- Index members sort by bytes: class, set, place in 13 digits, candidate.
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
    from = '(' .. index_group(class, due) .. ':' -- ':' comes after every digit
  end
end

-- The candidate who is first in order among those who wait for one of subjects, or nil.
local function first_for(subjects)
  local best, best_place
  each_group(function(_, due, place, id)
    if (not best or place < best_place) and shares(due, subjects) then
      best, best_place = id, place
    end
  end)
  return best and load(candidates_key, best)
end

-- How many stand before c and share a due subject.
local function ahead(c)
  local n = 0
  each_group(function(class, due)
    if shares(due, c.due) then
      n = n + redis.call('ZLEXCOUNT', index_key, '[' .. index_group(class, due), '(' .. index_bound(class, due, c.place))
    end
  end)
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

-- The free place nearest behind the n-th in line; the tail if fewer wait.
local function place_behind(n)
  local nth = redis.call('ZRANGE', wait_key, n - 1, n - 1, 'WITHSCORES')
  if not nth[1] then return tail_place() end
  local place = tonumber(nth[2]) + 1
  while taken(place) do place = place + 1 end
  return place
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

local function enqueue(c, place)
  c.place = place
  redis.call('ZADD', wait_key, place, c.id)
  redis.call('ZADD', index_key, 0, index_member(c))
  move(c, 'waiting')
end

local function dequeue(c)
  redis.call('ZREM', wait_key, c.id)
  redis.call('ZREM', index_key, index_member(c))
end

-- A new wait begins.
local function begin_wait(c, place)
  c.waitingSince, c.holdInWait = now, nil
  enqueue(c, place)
end

local function set_aside(c, state)
  redis.call('ZADD', aside_key, now, c.id)
  move(c, state)
end

local function take_from_aside(c) redis.call('ZREM', aside_key, c.id) end

-- Counts c's due subjects, but for the one being sat, in or out of the work still to come.
local function count_to_come(c, by_n)
  for code in codes(c.due) do
    if code ~= c.subject then redis.call('HINCRBY', subjects_key, code .. ':toCome', by_n) end
  end
end
