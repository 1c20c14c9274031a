-- What an undo needs to know later: see ../undo.lua. Both streams have the ids
-- of the events that they are about, and only the last of them.
local COMMANDS_KEPT, CALLED_KEPT = 100, 500

-- Keeps the records as this command found them.
local function keep_command()
  redis.call('XADD', commands_key, 'MAXLEN', COMMANDS_KEPT, first_event, 'found', cjson.encode(found))
end

-- Keeps a candidate as it was before a call that nobody gave a command for, and
-- since when the machine was idle, "" if it was not.
local function keep_called(id, record, idle_since)
  redis.call('XADD', called_key, 'MAXLEN', CALLED_KEPT, id, 'waiting', record, 'idleSince', idle_since)
end
