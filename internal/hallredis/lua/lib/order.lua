-- Order among those waiting: see hall.Rank and hall.Before. A candidate's place
-- is a time, so whoever waits longer in a class is never behind; the order of
-- two classes depends on the hall's rule and, under ageing, on now.
local LEVELS = { management = 1, vip = 2, priority = 3, normal = 4 }
local VIP_FLOOR, PRIORITY_FLOOR = 4, 3

local function n_log_n(n) return n > 1 and n * math.log(n) or 0 end

-- The rank of a class after so many milliseconds.
local function rank_after(class, ms)
  local n = math.max(0, ms) / 1000
  if class == 'management' then return math.huge end
  if class == 'vip' then return math.max(VIP_FLOOR, 2 * n_log_n(n)) end
  if class == 'priority' then return math.max(PRIORITY_FLOOR, n_log_n(n)) end
  return n
end

local function waited(place) return now - base - math.floor(place / 1000) end

local function comes_before(class, place, other_class, other_place)
  if class ~= other_class then
    if rules.order == 'strict' then return LEVELS[class] < LEVELS[other_class] end
    if rules.order == 'ageing' then
      local rank, other = rank_after(class, waited(place)), rank_after(other_class, waited(other_place))
      if rank ~= other then return rank > other end
    end
  end
  return place < other_place
end

-- Lambert's W for x of 0 or more, principal branch: the w with w·e^w = x, by
-- Halley's steps from an estimate that is close for small and large x (Corless
-- et al., On the Lambert W Function, 1996).
local function lambert_w(x)
  if x == 0 or x == math.huge then return x end
  local w = math.log(1 + x)
  if x > math.exp(1) then
    local log = math.log(x)
    w = log - math.log(log)
  elseif x < 1e-8 then
    w = x -- 1 + x loses the small ones
  end
  for _ = 1, 20 do
    local f = w - x * math.exp(-w) -- has the same root, and does not overflow
    if f == 0 then return w end
    local step = f / (w + 1 - (w + 2) * f / (2 * w + 2))
    local better = w - step
    if better == w or math.abs(step) <= math.abs(w) * 1e-16 then return better end
    w = better
  end
  return w
end

-- About how many milliseconds a class waits until its rank is r, floors left out.
local function ms_until(class, r)
  if class == 'normal' then return r * 1000 end
  local y = class == 'vip' and r / 2 or r
  return y / lambert_w(y) * 1000 -- n·ln n = y has the solution n = y / W(y)
end

-- The least number of milliseconds, 0 or more, after which the rank of a class
-- is r or more (beyond: more than r). The inverse function tells where to look,
-- the ranks themselves decide.
local function least_ms(class, r, beyond)
  local function reached(ms)
    local rank = rank_after(class, ms)
    return rank > r or (rank == r and not beyond)
  end
  if class == 'management' or reached(0) then return 0 end
  if r == math.huge then return math.huge end
  local ms = math.max(0, math.floor(ms_until(class, math.max(r, 1e-9))))
  while not reached(ms) do ms = ms + 1 end
  while ms > 0 and reached(ms - 1) do ms = ms - 1 end
  return ms
end

-- The places of a class from which on it has waited less than ms.
local function place_after(ms)
  if ms == 0 then return math.huge end
  if ms == math.huge then return 0 end
  return (now - base - ms + 1) * 1000
end

-- Of a class, those with a place below this stand before somebody of other_class at other_place.
local function bound_before(class, other_class, other_place)
  if class == other_class or rules.order == 'fifo' then return other_place end
  if rules.order == 'strict' then return LEVELS[class] < LEVELS[other_class] and math.huge or 0 end
  local r = rank_after(other_class, waited(other_place))
  -- Higher ranks are before, of equal ones the earlier places.
  local higher, equal = place_after(least_ms(class, r, true)), place_after(least_ms(class, r, false))
  return math.min(math.max(other_place, higher), equal)
end
