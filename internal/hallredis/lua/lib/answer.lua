-- Runs the operation and answers. A command with an idempotency key is answered
-- from memory the second time; a change grows the hall's version and is hinted.
local ONCE_SECONDS = 86400

if must_exist and not rules then return { outcome.UNKNOWN_HALL } end
if fingerprint ~= '' then
  local first = redis.call('GET', once_key)
  if first then
    first = cjson.decode(first)
    if first.fingerprint ~= fingerprint then return { outcome.KEY_REUSED } end
    if first.person then first.answer[PERSON] = person_of_day(first.person, first.day) end
    if first.outlook then first.answer[#first.answer + 1] = outlook() end
    return first.answer
  end
end

local answer = operation()
if answer[1] == outcome.READ_AGAIN then return answer end -- the caller built on what was another one by now
alerts.settle()
if changed then
  if undoable then keep_command() end
  local version = redis.call('HINCRBY', hall_key, 'version', 1)
  redis.call(hint_command, hints_channel, version .. ' ' .. string.format('%.0f', next_due() or 0))
end
if fingerprint ~= '' then
  -- Names stand in one place only, and what estimates go by is long: the answer
  -- is kept without them, and gets them anew.
  local name, view = answer[PERSON]
  if person_of then answer[PERSON] = '' end
  if ends_with_outlook then view = table.remove(answer) end
  local kept = cjson.encode({
    fingerprint = fingerprint, answer = answer, person = person_of, outlook = ends_with_outlook, day = day_number,
  })
  redis.call('SET', once_key, kept, 'EX', ONCE_SECONDS)
  -- A backup finds by this what is remembered.
  redis.call('ZREMRANGEBYSCORE', answers_key, '-inf', now)
  redis.call('ZADD', answers_key, now + ONCE_SECONDS * 1000, string.sub(once_key, #prefix + #'once:' + 1))
  answer[PERSON] = name
  answer[#answer + 1] = view
end
return answer
