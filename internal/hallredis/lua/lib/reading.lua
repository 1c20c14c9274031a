-- What readers get of a candidate in the queue, and of a sitting.

-- n is how many are ahead, where the caller knows it already.
local function entry(code, c, n)
  local sitting = c.sitting and redis.call('HGET', sittings_key, c.sitting) or ''
  if not n then n = c.state == 'waiting' and ahead(c) or 0 end
  return { code, cjson.encode(c), redis.call('HGET', people_key, c.id) or '', sitting, n, now, base }
end

-- The entries of a stretch of the line, ids in order. Those ahead of the first
-- are counted once for each class and set of subjects; from there on it is
-- walked, so a long stretch costs little more than a short one.
local function entries_in_line(ids)
  local list, before = {}, {}
  if not ids[1] then return list end
  local first = load(candidates_key, ids[1])
  each_group(function(class, due)
    local n = redis.call('ZLEXCOUNT', index_key, '[' .. index_group(class, due), '(' .. index_bound(class, due, first.place))
    before[due] = (before[due] or 0) + n
  end)
  for i, id in ipairs(ids) do
    local c, n = load(candidates_key, id), 0
    for due, count in pairs(before) do
      if count > 0 and shares(due, c.due) then n = n + count end
    end
    list[i] = entry(OK, c, n)
    before[c.due] = (before[c.due] or 0) + 1
  end
  return list
end

local function sitting_answer(s)
  return { OK, cjson.encode(s), redis.call('HGET', people_key, s.candidate) or '' }
end
