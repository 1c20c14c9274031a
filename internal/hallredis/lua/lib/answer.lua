-- Runs the operation and answers. A command with an idempotency key is answered
-- from memory the second time; a change grows the hall's version and is hinted.
local ONCE_SECONDS = 86400

if must_exist and not rules then return { UNKNOWN_HALL } end
if fingerprint ~= '' then
  local first = redis.call('GET', once_key)
  if first then
    first = cjson.decode(first)
    if first.fingerprint ~= fingerprint then return { KEY_REUSED } end
    return first.answer
  end
end

local answer = operation()
if changed then
  local version = redis.call('HINCRBY', hall_key, 'version', 1)
  local due = redis.call('ZRANGE', due_key, 0, 0, 'WITHSCORES')
  redis.call(hint_command, hints_channel, version .. ' ' .. (due[2] or 0))
end
if fingerprint ~= '' then
  redis.call('SET', once_key, cjson.encode({ fingerprint = fingerprint, answer = answer }), 'EX', ONCE_SECONDS)
end
return answer
