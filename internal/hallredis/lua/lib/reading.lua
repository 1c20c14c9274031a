-- What readers get of a candidate in the queue, of a sitting, and of a hall.

-- An answer about one person has name, ID number and note at this index, and
-- says here whose they are.
local PERSON = 3
local person_of

local function person(id) return redis.call('HGET', people_key, id) or '' end

-- Somebody of the how-manieth day of the hall, which may be closed by now.
local function person_of_day(id, number)
  if number == day_number then return person(id) end
  local closed = redis.call('ZRANGEBYSCORE', days_key, number, number)[1]
  return closed and redis.call('HGET', key_of_day(closed, people_key), id) or ''
end

-- n is how many are ahead, where the caller knows it already.
local function entry(code, c, n)
  local sitting = c.sitting and redis.call('HGET', sittings_key, c.sitting) or ''
  if not n then n = c.state == 'waiting' and ahead(c) or 0 end
  return { code, cjson.encode(c), person(c.id), sitting, n, now, base }
end

local function entry_answer(code, c)
  person_of = c.id
  return entry(code, c)
end

-- The entries of a stretch of the whole line, records in order. Those ahead of
-- the first are counted once for each class and set of subjects; from there on
-- the stretch is walked, so a long one costs little more than a short one.
local function entries_in_line(records)
  local list, before = {}, {}
  local first = records[1]
  if not first then return list end
  each_group(function(class, due)
    before[due] = (before[due] or 0) + count_below(class, due, bound_before(class, first.class, first.place))
  end)
  for i, c in ipairs(records) do
    local n = 0
    for due, count in pairs(before) do
      if count > 0 and shares(due, c.due) then n = n + count end
    end
    list[i] = entry(outcome.OK, c, n)
    before[c.due] = (before[c.due] or 0) + 1
  end
  return list
end

local function sitting_answer(s)
  person_of = s.candidate
  return { outcome.OK, cjson.encode(s), person(s.candidate) }
end

local function hall_answer(code)
  return { code, redis.call('HGETALL', hall_key), redis.call('HGETALL', pauses_key) }
end
