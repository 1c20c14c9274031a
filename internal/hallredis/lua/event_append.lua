-- Appends an event of another system. It changes nothing else.
--
-- ARGV
--   [5] name of the event
--   [6] JSON list of names and values of its fields, one after the other
-- RETURNS
--   OK + id of the event + time
local name, flat = ARGV[5], cjson.decode(ARGV[6])

-- The fields stand apart from those of the hall's own events: whoever reads
-- those, above all an undo, does not take one for the other.
local function operation()
  local fields = {}
  for i = 1, #flat, 2 do fields['x:' .. flat[i]] = flat[i + 1] end
  return { outcome.OK, event(name, fields), now }
end
