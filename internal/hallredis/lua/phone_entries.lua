-- Reads the entries behind the secrets of phone pages. A secret of another day leads nowhere: its
-- candidate's record does not have it.
--
-- ARGV
--   [5] secrets, a JSON list
-- RETURNS
--   OK, for each secret its entry, or an empty list where it is not one of this day, and what
--   estimates go by
local secrets = cjson.decode(ARGV[5])

must_exist = false -- an unknown hall is answered like an unknown secret

-- How many stand before somebody, by due subjects. The groups of the line are
-- looked up once for all.
local function counter()
  local groups = {}
  each_group(function(class, due) groups[#groups + 1] = { class = class, due = due } end)
  return function(c)
    local before = {}
    for _, g in ipairs(groups) do
      local n = count_below(g.class, g.due, bound_before(g.class, c.class, c.place))
      if n > 0 then before[g.due] = (before[g.due] or 0) + n end
    end
    return before
  end
end

local function operation()
  local list, open = {}, rules and settings[2] == 'open'
  local count = open and counter()
  for i, secret in ipairs(secrets) do
    local id = open and redis.call('HGET', phones_key, secret)
    local c = id and load(candidates_key, id)
    local given = c and c.phone == secret
    local before = given and c.state == 'waiting' and count(c) or nil
    list[i] = given and entry(outcome.OK, c, before and sharing(before, c), before) or {}
  end
  return { outcome.OK, list, open and outlook() or {} }
end
