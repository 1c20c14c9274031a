-- Shared by every script: the keys of a hall, the common arguments, records,
-- events. The Go side puts these files before an operation and answer.lua
-- after it; see scripts.go.
--
-- KEYS (the order of keys.go)
--   [1] hall hash        [2] people hash      [3] candidates hash  [4] roster zset
--   [5] machines hash    [6] sittings hash    [7] wait zset        [8] index zset
--   [9] aside zset       [10] subjects hash   [11] pauses hash     [12] calls list
--   [13] due zset        [14] events stream   [15] counts hash     [16] reasons hash
--   [17] target zset     [18] commands stream [19] called stream
--   [20] to [23] since zsets of management, vip, priority, normal
--   [24] notes hash      [25] incidents hash  [26] phones hash     [27] service hash
--   [28] alerts hash     [29] screens zset    [30] days zset       [31] corrections hash
--   [32] answers zset    [33] once string
-- ARGV
--   [1] now: milliseconds, 0 to ask Redis
--   [2] by: account, device or "system"
--   [3] hint command: PUBLISH or SPUBLISH
--   [4] fingerprint of the command if it has an idempotency key, else ""
-- An operation's own arguments begin at ARGV[5].
local hall_key, people_key, candidates_key, roster_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local machines_key, sittings_key, wait_key, index_key = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local aside_key, subjects_key, pauses_key, calls_key = KEYS[9], KEYS[10], KEYS[11], KEYS[12]
local due_key, events_key, counts_key, reasons_key = KEYS[13], KEYS[14], KEYS[15], KEYS[16]
local target_key, commands_key, called_key = KEYS[17], KEYS[18], KEYS[19]
local since_keys = { management = KEYS[20], vip = KEYS[21], priority = KEYS[22], normal = KEYS[23] }
local notes_key, incidents_key, phones_key, service_key = KEYS[24], KEYS[25], KEYS[26], KEYS[27]
local alerts_key, screens_key, days_key, corrections_key = KEYS[28], KEYS[29], KEYS[30], KEYS[31]
local answers_key, once_key = KEYS[32], KEYS[33]
local given_now, by, hint_command, fingerprint = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]

-- Everything of a hall begins with this; keys that depend on what a script
-- finds (a subject's machines) are built from it, here only.
local prefix = string.sub(hall_key, 1, -(#'hall' + 1))
local function idle_key(subject) return prefix .. 'idle:' .. subject end
local function used_key(subject) return prefix .. 'used:' .. subject end
local hints_channel = prefix .. 'hints'

-- Where a key of the hall stands for a closed day.
local function key_of_day(day, key)
  return prefix .. 'day:' .. day .. ':' .. string.sub(key, #prefix + 1)
end

-- Outcomes, the same numbers as in outcome.go.
local outcome = {
  OK = 0, FIRST = 1, NOBODY = 2, READ_AGAIN = 3,
  UNKNOWN_HALL = -1, UNKNOWN_CANDIDATE = -2, UNKNOWN_MACHINE = -3, UNKNOWN_SITTING = -4, UNKNOWN_ROOM = -5,
  NOT_IN_QUEUE = -6, WRONG_STATE = -7, NEEDS_RESTORE = -8, ALREADY_DONE = -9,
  DAY_NOT_OPEN = -10, CHECK_IN_CLOSED = -11, PAUSED = -12, MACHINE_NOT_IDLE = -13,
  NO_MACHINE = -14, RECALL_LIMIT = -15, IN_USE = -16, KEY_REUSED = -17, BAD_TIME = -18, CHANGED = -19,
  UNKNOWN_EVENT = -20, NOT_UNDOABLE = -21, UNDO_BLOCKED = -22,
  TOO_MANY_NOTES = -23, UNKNOWN_CATEGORY = -24, UNKNOWN_DAY = -25,
  UNKNOWN_INCIDENT = -26, TOO_MANY_CORRECTIONS = -27, TOO_EARLY = -28, TOO_LATE = -29,
}

local now = given_now
if now == 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local settings = redis.call('HMGET', hall_key, 'base', 'state', 'checkIn', 'rules', 'subjects', 'day', 'dayNumber')
local base = tonumber(settings[1] or 0)
local rules = settings[4] and cjson.decode(settings[4]) or nil
-- The codes of the hall's subjects, as every set of subjects: '|1|2|'.
local all_subjects = settings[5] or '|'
-- The present day: its id, "" before it is open, and the how-manieth of the hall it is.
local day, day_number = settings[6] or '', tonumber(settings[7] or 0)

-- An operation that the staff may take back sets this to true. The records are
-- kept then as the step found them: see lib/undo.lua.
local undoable = false
local found = { candidates = {}, machines = {}, sittings = {}, aside = {}, due = {} }
local kinds = { [candidates_key] = 'candidates', [machines_key] = 'machines', [sittings_key] = 'sittings' }
local written = { candidates = {}, machines = {}, sittings = {} }
local timed = { resting = 'rest ', held = 'hold ' }

local function keep_as_found(kind, id, record, state)
  if found[kind][id] or written[kind][id] then return end
  found[kind][id] = record
  if kind == 'candidates' then
    found.aside[id] = redis.call('ZSCORE', aside_key, id) or nil
    if timed[state] then found.due[id] = redis.call('ZSCORE', due_key, timed[state] .. id) or nil end
  end
end

local function load(key, id)
  local record = redis.call('HGET', key, id)
  if not record then return nil end
  local decoded = cjson.decode(record)
  if undoable and kinds[key] then keep_as_found(kinds[key], id, record, decoded.state) end
  return decoded
end

local function save(key, record)
  if kinds[key] then written[kinds[key]][record.id] = true end
  redis.call('HSET', key, record.id, cjson.encode(record))
end

-- Iterates over the codes of a set or list of subjects.
local function codes(subjects) return string.gmatch(subjects, '[^|]+') end

local function has(subjects, code)
  return string.find(subjects, '|' .. code .. '|', 1, true) ~= nil
end

local function without(subjects, others)
  local left = '|'
  for code in codes(subjects) do
    if not has(others, code) then left = left .. code .. '|' end
  end
  return left
end

-- The subjects still due, in the candidate's own order, as '3|1'.
local function remaining(c)
  local left = {}
  for code in codes(c.subjects) do
    if has(c.due, code) then left[#left + 1] = code end
  end
  return table.concat(left, '|')
end

-- An operation that may begin without a hall sets this to false.
local must_exist = true

local changed = false
local first_event -- of this step: what came of it names it as its cause
local next_event = '*' -- id of the next event

-- Appends an event and returns its id. Every change appends one, so this also
-- marks the step as a change. A reason is free text: it stands apart by the
-- event's id, to be erased.
local function event(name, fields, who, reason)
  local flat = { 'event', name, 'at', now, 'by', who or by }
  fields.cause = first_event
  for field, value in pairs(fields) do
    flat[#flat + 1] = field
    flat[#flat + 1] = value
  end
  local id = redis.call('XADD', events_key, next_event, unpack(flat))
  next_event = '*'
  if reason and reason ~= '' then redis.call('HSET', reasons_key, id, reason) end
  first_event = first_event or id
  changed = true
  return id
end

local function about(c, fields)
  fields = fields or {}
  fields.candidate, fields.ticket, fields.class, fields.remaining = c.id, c.ticket, c.class, remaining(c)
  return fields
end
