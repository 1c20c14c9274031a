-- Erases what says who the people of a closed day were, and all free text: in the
-- first step names, ID numbers, notes and reasons, then the texts of incidents
-- and corrections, some in each step. It may be done again.
--
-- ARGV
--   [5] id of the day
--   [6] how far it is: "" for the first step, else as the last one answered
-- RETURNS
--   OK + how far it is, "" for done; UNKNOWN_DAY, WRONG_STATE + state of a day that is not closed
local closed, step = ARGV[5], ARGV[6]
local CHUNK = 500

local function of_day(key) return key_of_day(closed, key) end

-- Rewrites the records of a hash, some of them: those behind a cursor.
local function rewrite(key, cursor, change)
  local found = redis.call('HSCAN', key, cursor, 'COUNT', CHUNK)
  for i = 1, #found[2], 2 do
    local record = cjson.decode(found[2][i + 1])
    change(record)
    redis.call('HSET', key, found[2][i], cjson.encode(record))
  end
  return found[1]
end

local function first_step()
  for _, key in ipairs({ people_key, notes_key, reasons_key, commands_key, called_key }) do redis.call('UNLINK', of_day(key)) end
  for _, field in ipairs(redis.call('HKEYS', of_day(pauses_key))) do redis.call('HSET', of_day(pauses_key), field, '') end
  redis.call('HSETNX', of_day(hall_key), 'erasing', now) -- nothing is written down any more
end

local function last_step()
  redis.call('HSETNX', of_day(hall_key), 'erasedAt', now)
  redis.call('HSETNX', of_day(hall_key), 'erasedBy', by)
end

local texts = {
  { 'machines', machines_key, function(m) if m.reason then m.reason = '' end end },
  { 'incidents', incidents_key, function(i) i.text, i.done = '', '' end },
  { 'corrections', corrections_key, function(c) c.text, c.reason = '', '' end },
}

local function operation()
  if closed == day then return { outcome.WRONG_STATE, settings[2] } end
  if not redis.call('ZSCORE', days_key, closed) then return { outcome.UNKNOWN_DAY } end
  if step == '' then
    first_step()
    return { outcome.OK, 'machines 0' }
  end
  local name, cursor = string.match(step, '^(%a+) (%d+)$')
  for i, list in ipairs(texts) do
    if list[1] == name then
      local on = rewrite(of_day(list[2]), cursor, list[3])
      if on ~= '0' then return { outcome.OK, name .. ' ' .. on } end
      if texts[i + 1] then return { outcome.OK, texts[i + 1][1] .. ' 0' } end
      last_step()
    end
  end
  return { outcome.OK, '' }
end
