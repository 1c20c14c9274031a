-- Reads the entries behind the secrets of phone pages. A secret of another day leads nowhere: its
-- candidate's record does not have it.
--
-- ARGV
--   [5] secrets, a JSON list
-- RETURNS
--   OK, for each secret its entry, or an empty list where it is not one of this day
local secrets = cjson.decode(ARGV[5])

must_exist = false -- an unknown hall is answered like an unknown secret

-- The groups of the line are looked up once for all.
local function counter()
  local groups = {}
  each_group(function(class, due) groups[#groups + 1] = { class = class, due = due } end)
  return function(c)
    local n = 0
    for _, g in ipairs(groups) do
      if shares(g.due, c.due) then n = n + count_below(g.class, g.due, bound_before(g.class, c.class, c.place)) end
    end
    return n
  end
end

local function operation()
  local list, open = {}, rules and settings[2] == 'open'
  local count = open and counter()
  for i, secret in ipairs(secrets) do
    local id = open and redis.call('HGET', phones_key, secret)
    local c = id and load(candidates_key, id)
    local given = c and c.phone == secret
    list[i] = given and entry(outcome.OK, c, c.state == 'waiting' and count(c) or 0) or {}
  end
  return { outcome.OK, list }
end
