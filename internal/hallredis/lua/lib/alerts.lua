-- Alerts: what is wrong now stands in the alerts hash, once for each name and
-- id of the machine or candidate ('' for the hall itself). elapse.lua raises them.
-- Alerts that a step ends are cleared when all of it is done, so that its own
-- events come first.
local alerts = {}
do
  alerts.WATCH = 'alert ' -- the due item of the next look for alerts

  function alerts.field(name, id) return name .. ' ' .. (id or '') end

  -- Raises an alert unless it is active: since is when what lasts too long began,
  -- fields what is said of it, besides that only in the event.
  function alerts.raise(name, id, since, fields, besides)
    local field = alerts.field(name, id)
    if redis.call('HEXISTS', alerts_key, field) == 1 then return end
    local said = { alert = name, since = since }
    for key, value in pairs(fields) do said[key] = value end
    said.raised = now
    redis.call('HSET', alerts_key, field, cjson.encode(said))
    said.raised = nil
    for key, value in pairs(besides or {}) do said[key] = value end
    event('alert_raised', said, 'system')
  end

  -- Clears an alert if it is active; besides is only in the event.
  function alerts.clear(name, id, besides)
    local field = alerts.field(name, id)
    local record = redis.call('HGET', alerts_key, field)
    if not record then return end
    redis.call('HDEL', alerts_key, field)
    local said = cjson.decode(record)
    said.raised = nil
    for key, value in pairs(besides or {}) do said[key] = value end
    event('alert_cleared', said, 'system')
  end

  -- Calls visit(record) for every active alert, the first raised in front.
  local function each(visit)
    local list = {}
    for i, record in ipairs(redis.call('HVALS', alerts_key)) do list[i] = cjson.decode(record) end
    table.sort(list, function(a, b)
      if a.raised ~= b.raised then return a.raised < b.raised end
      return alerts.field(a.alert, a.machine or a.candidate) < alerts.field(b.alert, b.machine or b.candidate)
    end)
    for _, alert in ipairs(list) do visit(alert) end
  end

  -- Elapse looks for alerts at once, or at a time if it would not do so at all.
  function alerts.look() redis.call('ZADD', due_key, now, alerts.WATCH) end
  function alerts.begin() redis.call('ZADD', due_key, 'NX', now, alerts.WATCH) end

  -- What this step leaves of machines and people that alerts may be about.
  local left = { machines = {}, people = {} }
  local touched = {}

  function alerts.touch(kind, id, record)
    if left[kind][id] == nil then touched[#touched + 1] = { kind, id } end
    left[kind][id] = record
  end

  -- Whether an alert about a machine may go on, by the name of the alert.
  alerts.goes_on = {
    call_unanswered = function(m, alert) return m.state == 'called' and m.sitting == alert.sitting end,
    sitting_long = function(m, alert) return m.sitting == alert.sitting and m.began == alert.since end,
    machine_idle = function(m) return m.state == 'idle' end,
  }

  local function settle_machine(id, m)
    for name, goes_on in pairs(alerts.goes_on) do
      local record = redis.call('HGET', alerts_key, alerts.field(name, id))
      if record and not (m and goes_on(m, cjson.decode(record))) then alerts.clear(name, id) end
    end
  end

  function alerts.raise_wait(c)
    local since = c.waitingSince + (c.holdInWait or 0)
    alerts.raise('wait_over_target', c.id, since, { candidate = c.id, ticket = c.ticket }, about(c, { wait = now - since }))
  end

  -- A wait that was marked is an alert for as long as it goes on, holds left out.
  local function settle_person(id, c)
    if c.state == 'waiting' and c.overTarget then
      alerts.raise_wait(c)
    else
      alerts.clear('wait_over_target', id)
    end
  end

  function alerts.settle()
    if #touched == 0 then return end
    local none = redis.call('EXISTS', alerts_key) == 0
    for _, one in ipairs(touched) do
      local kind, id = one[1], one[2]
      local record = left[kind][id]
      if kind == 'people' and not (none and not record.overTarget) then
        settle_person(id, record)
      elseif kind == 'machines' and not none then
        settle_machine(id, record)
      end
    end
  end

  function alerts.clear_all()
    each(function(alert) alerts.clear(alert.alert, alert.machine or alert.candidate) end)
  end
end
