-- Adds and changes candidates of the roster.
--
-- ARGV
--   [5] rows: JSON list of {id, subjects "|3|1|", due (the same in byte order), class, session, name, idNumber, note};
--       a field left out stays as it is, class "" too
--   [6] "dry" changes nothing, "staff" sets the class also where the roster said so before
--   [7] number of the day that the roster is for, '' for the present one
-- RETURNS
--   OK, then for each row 0 created, 1 updated, 2 unchanged, or the code of a subject that is being
--   sat and cannot vanish; a dry run without a key ends with a JSON list of what the first updates would
--   change: {row (its place in the list, from 0), columns [[name of the column, before, after], …]}
--   UNKNOWN_DAY if another day is present
local rows, dry, staff = cjson.decode(ARGV[5]), ARGV[6] == 'dry', ARGV[6] == 'staff'
local wanted_day = ARGV[7]
local CREATED, UPDATED, UNCHANGED = 0, 1, 2

local function count_people(subjects, by_n)
  for code in codes(subjects) do redis.call('HINCRBY', subjects_key, code .. ':people', by_n) end
end

local function given(class) return class ~= '' and class or nil end

-- The person of a row, with what is known where the row says nothing.
local function merged_person(row, known)
  return {
    name = row.name or known.name or '', idNumber = row.idNumber or known.idNumber or '',
    note = row.note or known.note or '',
  }
end

-- What new candidates add to the counts: summed up, since a roster may have
-- very many of them.
local new_people, new_by_subject = 0, {}
local last_row

local function add_new_people()
  if new_people == 0 then return end
  redis.call('HINCRBY', hall_key, 'lastRow', new_people)
  redis.call('HINCRBY', counts_key, 'registered', new_people)
  for code, people in pairs(new_by_subject) do
    redis.call('HINCRBY', subjects_key, code .. ':people', people)
    redis.call('HINCRBY', subjects_key, code .. ':toCome', people)
  end
  new_people, new_by_subject = 0, {}
end

local function create(row)
  local class = given(row.class) or 'normal'
  local c = {
    id = row.id, subjects = row.subjects, due = row.due, class = class, rosterClass = class, session = row.session or '',
    state = 'registered',
  }
  save(candidates_key, c)
  redis.call('HSET', people_key, c.id, cjson.encode(merged_person(row, {})))
  last_row = (last_row or tonumber(redis.call('HGET', hall_key, 'lastRow') or 0)) + 1
  redis.call('ZADD', roster_key, last_row, c.id)
  new_people = new_people + 1
  for code in codes(c.due) do new_by_subject[code] = (new_by_subject[code] or 0) + 1 end
  event('candidate_registered', about(c, { subjects = c.subjects }))
end

-- What the new list of subjects means for somebody who has begun: nothing left
-- is done, something left again is back in line.
local function settle(c, was_waiting)
  local begun = c.ticket and not c.sitting and counted(c)
  if c.due == '|' and begun and c.state ~= 'done' then
    if c.state == 'held' then end_hold(c) end
    if c.state == 'resting' then
      redis.call('ZREM', due_key, 'rest ' .. c.id)
      take_from_aside(c)
    end
    local was = c.state
    move(c, 'done')
    save(candidates_key, c)
    event('candidate_done', about(c, { state = was }), 'system')
  elseif c.due ~= '|' and c.state == 'done' then
    requeue(c, tail_place())
    seek(c)
  elseif was_waiting then
    enqueue(c, c.place)
    save(candidates_key, c)
    seek(c)
  else
    save(candidates_key, c)
  end
end

local function update(c, row, class, person_now)
  local was_waiting = c.state == 'waiting'
  local before = { state = c.state, classWas = c.class, remainingWas = remaining(c) }
  if was_waiting then dequeue(c) end
  if counted(c) then count_to_come(c, -1) end
  count_people(c.subjects, -1)
  c.subjects, c.due, c.class = row.subjects, without(row.due, c.sat or '|'), class
  c.session = row.session or c.session
  count_people(c.subjects, 1)
  if counted(c) then count_to_come(c, 1) end
  redis.call('HSET', people_key, c.id, cjson.encode(person_now))
  before.subjects = c.subjects
  event('candidate_changed', about(c, before))
  settle(c, was_waiting)
end

-- The class that a row asks for. The same file again does not take back what
-- the staff changed since: only a class that the roster itself changed counts.
local function class_after(c, row)
  local class = given(row.class)
  if not class or (class == c.rosterClass and not staff) then return c.class end
  return class
end

-- What a dry run says of the first candidates that it would change. They have
-- names in them, which are not kept with the answer to a key.
local CHANGES_SHOWN = 50
local changes = {}

local function note_change(at, c, row, class, known, person_now)
  if fingerprint ~= '' or #changes >= CHANGES_SHOWN then return end
  local columns = {}
  local function compare(column, before, after)
    if before ~= after then columns[#columns + 1] = { column, before, after } end
  end
  compare('name', known.name or '', person_now.name)
  compare('id_number', known.idNumber or '', person_now.idNumber)
  compare('subjects', c.subjects, row.subjects)
  compare('class', c.class, class)
  compare('session', c.session, row.session or c.session)
  compare('note', known.note or '', person_now.note)
  changes[#changes + 1] = { row = at, columns = columns }
end

local function put(at, row)
  local c = load(candidates_key, row.id)
  if not c then
    if not dry then create(row) end
    return CREATED
  end
  if c.subject and not has(row.subjects, c.subject) then return c.subject end
  local known = cjson.decode(person(c.id) ~= '' and person(c.id) or '{}')
  local wanted, class = merged_person(row, known), class_after(c, row)
  local same_person = wanted.name == known.name and wanted.idNumber == known.idNumber and wanted.note == known.note
  if c.subjects == row.subjects and c.class == class and (row.session or c.session) == c.session and same_person then
    return UNCHANGED
  end
  if dry then
    note_change(at - 1, c, row, class, known, wanted)
    return UPDATED
  end
  c.rosterClass = given(row.class) or c.rosterClass
  add_new_people() -- whom a subject is chosen for depends on all
  update(c, row, class, wanted)
  return UPDATED
end

local function operation()
  if wanted_day ~= '' and tonumber(wanted_day) ~= day_number then return { outcome.UNKNOWN_DAY } end
  local answer = { outcome.OK }
  for at, row in ipairs(rows) do answer[#answer + 1] = put(at, row) end
  add_new_people()
  if #changes > 0 then answer[#answer + 1] = cjson.encode(changes) end
  return answer
end
