-- Reads the entries of some candidates; who does not wait any more is left out.
--
-- ARGV
--   [5] candidates, a JSON list
-- RETURNS
--   OK, list of entries, outlook
local ids = cjson.decode(ARGV[5])

local function operation()
  local list = {}
  for _, id in ipairs(ids) do
    local c = load(candidates_key, id)
    if c and c.state == 'waiting' then list[#list + 1] = entry_in_line(outcome.OK, c) end
  end
  return { outcome.OK, list, outlook() }
end
