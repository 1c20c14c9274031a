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

local function pairs_of(map)
  local list = {}
  for key, value in pairs(map) do
    list[#list + 1] = key
    list[#list + 1] = value
  end
  return list
end

-- Who sits at the machines, as they will stand in line again, in the order of
-- the machines: class, place of the first check-in and due subjects, or "".
local function returning(service)
  local list = {}
  for i, machine in ipairs(service) do
    local id = string.match(machine, '^[^\t]*\t[^\t]*\t[^\t]*\t([^\t]+)\t')
    list[i] = ''
    if id then
      local c = cjson.decode(redis.call('HGET', candidates_key, id)) -- not load: the step is not about them
      list[i] = table.concat({ c.class, string.format('%.0f', c.firstPlace), c.due }, '\t')
    end
  end
  return list
end

-- What estimates go by, besides the line: see hall.Outlook. Who comes back
-- matters only where it is to an old place.
local function outlook()
  local service, keep = redis.call('HVALS', service_key), rules.requeue == 'keep'
  return {
    rules.order, rules.requeue, rules.subjectChoice, rules.confirmSeat and 1 or 0, rules.restSeconds,
    redis.call('HKEYS', pauses_key), redis.call('HGETALL', subjects_key), service, keep and returning(service) or {},
  }
end

-- before is who stands before c, where they have to be counted, and n how many
-- of them share a due subject with c; both are left out for who is not in line.
local function entry(code, c, n, before)
  local sitting = c.sitting and redis.call('HGET', sittings_key, c.sitting) or ''
  return { code, cjson.encode(c), person(c.id), sitting, n or 0, now, base, pairs_of(before or {}) }
end

local function entry_in_line(code, c)
  local before = all_before(c)
  return entry(code, c, sharing(before, c), before)
end

-- The answer about one person: with what estimates go by, at the end.
local ends_with_outlook = false
local function entry_answer(code, c)
  person_of = c.id
  if c.state ~= 'waiting' then return entry(code, c) end
  local answer = entry_in_line(code, c)
  answer[#answer + 1] = outlook()
  ends_with_outlook = true
  return answer
end

-- The entries of a stretch of the whole line, records in order. Those ahead of
-- the first are counted once for each class and set of subjects; from there on
-- the stretch is walked, so a long one costs little more than a short one.
local function entries_in_line(records)
  local list = {}
  if not records[1] then return list end
  local before = all_before(records[1])
  for i, c in ipairs(records) do
    list[i] = entry(outcome.OK, c, sharing(before, c), i == 1 and before or nil)
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
