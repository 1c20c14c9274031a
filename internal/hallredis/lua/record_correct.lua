-- Adds a correction to the records of the present day or a closed one. What it
-- corrects stays as it is; it is no event, since a closed day has no more.
--
-- ARGV
--   [5] id of the day, "" for the present one
--   [6] table: attendance, sittings or incidents
--   [7] id of the candidate, sitting or incident
--   [8] state of the candidate, "" for none
--   [9] what is right
--   [10] reason
--   [11] how many corrections a day may have
-- RETURNS
--   OK + id of the correction + time; UNKNOWN_DAY, DAY_NOT_OPEN + state, WRONG_STATE for one whose
--   texts are erased, UNKNOWN_CANDIDATE, UNKNOWN_SITTING, UNKNOWN_INCIDENT, TOO_MANY_CORRECTIONS
local named, list, row = ARGV[5], ARGV[6], ARGV[7]
local state, text, reason, most = ARGV[8], ARGV[9], ARGV[10], tonumber(ARGV[11])

local rows = {
  attendance = { candidates_key, outcome.UNKNOWN_CANDIDATE },
  sittings = { sittings_key, outcome.UNKNOWN_SITTING },
  incidents = { incidents_key, outcome.UNKNOWN_INCIDENT },
}

-- The key of the day that is meant.
local function of_day(key)
  if named == '' or named == day then return key end
  return key_of_day(named, key)
end

-- The answer has no text: whoever repeats the command knows it.
local function operation()
  if named ~= '' and named ~= day then
    if not redis.call('ZSCORE', days_key, named) then return { outcome.UNKNOWN_DAY } end
    if redis.call('HEXISTS', of_day(hall_key), 'erasing') == 1 then return { outcome.WRONG_STATE, 'erased' } end
  elseif settings[2] ~= 'open' then
    return { outcome.DAY_NOT_OPEN, settings[2] }
  end
  local rows_key, unknown = rows[list][1], rows[list][2]
  if redis.call('HEXISTS', of_day(rows_key), row) == 0 then return { unknown } end
  local kept = of_day(corrections_key)
  local number = redis.call('HLEN', kept) + 1
  if number > most then return { outcome.TOO_MANY_CORRECTIONS } end
  local id = 'c' .. number
  redis.call('HSET', kept, id, cjson.encode({
    id = id, at = now, by = by, table = list, row = row, state = state, text = text, reason = reason,
  }))
  return { outcome.OK, id, now }
end
