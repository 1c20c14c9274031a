-- Waits of those who wait now, exact, without reading them one by one.
--
-- ARGV
--   [5] classes, separated by blanks
-- RETURNS
--   OK, how many, and in milliseconds: the sum of the waits, the longest, the two in the middle (the same
--   twice for an odd number), and the one that 95 % do not exceed (nearest rank)
local classes = {}
for class in string.gmatch(ARGV[5], '%S+') do classes[#classes + 1] = class end

local function count_until(score)
  local n = 0
  for _, class in ipairs(classes) do n = n + redis.call('ZCOUNT', since_keys[class], '-inf', score) end
  return n
end

local function operation()
  local n, sum, first, last = 0, 0, math.huge, 0
  for _, class in ipairs(classes) do
    n = n + redis.call('ZCARD', since_keys[class])
    sum = sum + tonumber(redis.call('HGET', hall_key, 'sinceSum ' .. class) or 0)
    local head = redis.call('ZRANGE', since_keys[class], 0, 0, 'WITHSCORES')
    local tail = redis.call('ZRANGE', since_keys[class], -1, -1, 'WITHSCORES')
    if head[2] then first, last = math.min(first, tonumber(head[2])), math.max(last, tonumber(tail[2])) end
  end
  if n == 0 then return { outcome.OK, 0, '0', '0', '0', '0', '0' } end

  -- The k-th begin from the first: the least one up to which k of them lie.
  local function nth(k)
    local low, high = first, last
    while low < high do
      local middle = math.floor((low + high) / 2)
      if count_until(middle) >= k then high = middle else low = middle + 1 end
    end
    return low
  end
  -- Who began first waits longest: the k-th wait from the shortest is the begin n+1-k.
  local function wait(k) return string.format('%.0f', math.max(0, now - nth(n + 1 - k))) end
  local total = n * (now - base) - sum
  return {
    outcome.OK, n, string.format('%.0f', total), wait(n), wait(math.floor((n + 1) / 2)), wait(math.floor(n / 2) + 1),
    wait(math.ceil(n * 95 / 100)),
  }
end
