-- Reads what a backup needs and no plain command tells: the answers that are
-- remembered, and what streams know beside their entries. Changes nothing.
--
-- RETURNS
--   OK + answers, each name, answer and milliseconds that it lasts still + streams, each key and what Redis says about it
local function remembered()
  local list = {}
  for _, name in ipairs(redis.call('ZRANGE', answers_key, 0, -1)) do
    local key = prefix .. 'once:' .. name
    local text, left = redis.call('GET', key), redis.call('PTTL', key)
    if text and left > 0 then list[#list + 1] = { name, text, left } end
  end
  return list
end

local function operation()
  local streams = {}
  for _, key in ipairs({ events_key, commands_key, called_key }) do
    -- A Redis that does not know this is one within the process.
    if redis.call('EXISTS', key) == 1 then streams[#streams + 1] = { key, redis.pcall('XINFO', 'STREAM', key) } end
  end
  return { outcome.OK, remembered(), streams }
end
