-- Keeps a token. The same form sent again replaces the secret of a token that
-- nobody has used yet: only the last answer was seen.
--
-- KEYS
--   [1] all tokens, a hash: id → record as JSON, "used " and the id → when it was used last
-- ARGV
--   [1] id
--   [2] record, with its name, its grant and the hash of its secret; the time is added here
--   [3] for how many milliseconds it can be replaced
--   [4] how many there may be
-- RETURNS
--   1 if it is kept, 0 if another token has this name, -1 if this form was sent
--   before with something else in it or too long ago, -2 if there are too many
local tokens = KEYS[1]
local id, record, again, most = ARGV[1], cjson.decode(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local all, count = redis.call('HGETALL', tokens), 0
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 5) ~= 'used ' then
    count = count + 1
    local other = cjson.decode(all[i + 1])
    if all[i] == id then
      local used = redis.call('HEXISTS', tokens, 'used ' .. id) == 1
      if used or other.name ~= record.name or other.grant ~= record.grant or other.by ~= record.by or now - tonumber(other.made) > again then
        return -1
      end
      count = count - 1
    elseif other.name == record.name then
      return 0
    end
  end
end
if count >= most then return -2 end
record.made = string.format('%.0f', now)
redis.call('HSET', tokens, id, cjson.encode(record))
return 1
