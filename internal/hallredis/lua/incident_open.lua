-- Keeps an incident that the staff report. It changes no state.
--
-- ARGV
--   [5] category
--   [6] machine, "" for none
--   [7] candidate, "" for none
--   [8] what happened
--   [9] what was done, "" for nothing
--   [10] JSON list of the categories of a hall that lists none
-- RETURNS
--   OK + id of the incident + time + room or "" + ticket or ""; UNKNOWN_CATEGORY, UNKNOWN_MACHINE,
--   UNKNOWN_CANDIDATE
local category, machine, candidate, text, done = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local usual_categories = ARGV[10]

local function is_known(code)
  local layout = cjson.decode(redis.call('HGET', hall_key, 'layout'))
  for _, known in ipairs(layout.incidentCategories or cjson.decode(usual_categories)) do
    if known == code then return true end
  end
  return false
end

-- The answer has no text: whoever repeats the command knows it.
local function operation()
  if not is_known(category) then return { outcome.UNKNOWN_CATEGORY } end
  local m = machine ~= '' and load(machines_key, machine) or nil
  if machine ~= '' and not m then return { outcome.UNKNOWN_MACHINE } end
  local c = candidate ~= '' and load(candidates_key, candidate) or nil
  if candidate ~= '' and not c then return { outcome.UNKNOWN_CANDIDATE } end
  local incident = incidents.open(category, text, done, m, c)
  return { outcome.OK, incident.id, now, incident.room or '', incident.ticket or '' }
end
