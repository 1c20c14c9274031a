-- A node says whether boards of the hall are connected to it.
--
-- ARGV
--   [5] node
--   [6] 1 if any are, else 0
--   [7] milliseconds for which that counts
-- RETURNS
--   OK
local node, any, counts = ARGV[5], ARGV[6] == '1', tonumber(ARGV[7])
local NODES_KEPT = 100

-- A node without boards stays known: from when on there was none is known by it.
local function operation()
  if any then
    redis.call('ZADD', screens_key, now + counts, node)
    redis.call('ZREMRANGEBYRANK', screens_key, 0, -NODES_KEPT - 1)
    alerts.clear('no_screen')
  else
    redis.call('ZADD', screens_key, 'XX', 'LT', now, node)
  end
  return { outcome.OK }
end
