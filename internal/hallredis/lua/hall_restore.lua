-- Puts the copy of a hall, which was loaded key by key, in the place of a hall
-- that is not there.
--
-- ARGV
--   [5] what the names of the copy's keys begin with, behind what those of the hall begin with
--   [6] keys of the copy: JSON list of {name, when it ends in milliseconds as a text, "" for never}
-- RETURNS
--   OK; CHANGED when there is such a hall; NOBODY when a key of the copy is gone
local copy, names = prefix .. ARGV[5], cjson.decode(ARGV[6])
must_exist = false

local function operation()
  if redis.call('EXISTS', hall_key) == 1 then return { outcome.CHANGED } end
  for _, key in ipairs(names) do
    if redis.call('EXISTS', copy .. key[1]) == 0 then return { outcome.NOBODY } end
  end
  rules = cjson.decode(redis.call('HGET', copy .. 'hall', 'rules'))
  for _, key in ipairs(names) do
    local to = prefix .. key[1]
    redis.call('RENAME', copy .. key[1], to)
    -- A copy ends by itself where nobody finishes it.
    if key[2] == '' then redis.call('PERSIST', to) else redis.call('PEXPIREAT', to, key[2]) end
  end
  -- It is as it was, with the same version; who looks after halls is told that there is one.
  local version = redis.call('HGET', hall_key, 'version')
  redis.call(hint_command, hints_channel, version .. ' ' .. string.format('%.0f', next_due() or 0))
  return { outcome.OK }
end
