-- Reads the entries behind the secrets of phone pages. A secret of another day
-- leads nowhere: the phones of a closed day are in its archive.
--
-- ARGV
--   [5] secrets, a JSON list
-- RETURNS
--   OK, for each secret its entry, or an empty list where it is not one of this day, and what
--   estimates go by
local secrets = cjson.decode(ARGV[5])

must_exist = false -- an unknown hall is answered like an unknown secret

local function entry_behind(secret, groups)
  local id = redis.call('HGET', phones_key, secret)
  if not id then return {} end
  local c = load(candidates_key, id)
  if c.state ~= 'waiting' then return entry(outcome.OK, c) end
  local before = all_before(c, groups)
  return entry(outcome.OK, c, sharing(before, c), before)
end

local function operation()
  local list, groups = {}, rules and groups_in_line()
  for i, secret in ipairs(secrets) do list[i] = entry_behind(secret, groups) end
  return { outcome.OK, list, rules and outlook() or {} }
end
