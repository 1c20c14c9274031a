-- Answers queries from one generation, all of one moment.
--
-- KEYS
--   [1] followed hash   [2] and up: keys of figures, one for each query
-- ARGV
--   [1] field of the day
--   [2] generation that the keys are of
--   then for each query its command, number of arguments, arguments
-- RETURNS
--   {0} when another generation is in use; else {1}, then for each query {1, answer} or {0, error}
local followed_key = KEYS[1]
local field, generation = ARGV[1], ARGV[2]

if redis.call('HGET', followed_key, field) ~= generation then return { 0 } end

local answers, at = { 1 }, 3
for i = 2, #KEYS do
  local count = tonumber(ARGV[at + 1])
  local reply = redis.pcall(ARGV[at], KEYS[i], unpack(ARGV, at + 2, at + 1 + count))
  if type(reply) == 'table' and reply.err then
    answers[i] = { 0, reply.err }
  else
    answers[i] = { 1, reply }
  end
  at = at + 2 + count
end
return answers
