-- Incidents: what happened stands apart from the event that says so, since it is free text.

-- They stand in one table, since Lua allows 200 local names.
local incidents = {}
do
  local FALLBACK = 'other'
  local hall_categories -- read once a step, and only where it is needed

  -- The category of an incident that a command opens: the usual one if the hall
  -- has it, else its "other", else its last. A hall that lists none has the usual ones.
  local function category_of(usual)
    hall_categories = hall_categories or cjson.decode(redis.call('HGET', hall_key, 'layout')).incidentCategories or {}
    local found = #hall_categories == 0 and usual or hall_categories[#hall_categories]
    for _, known in ipairs(hall_categories) do
      if known == usual then return usual end
      if known == FALLBACK then found = FALLBACK end
    end
    return found
  end

  -- Keeps an incident of the hall, of a machine or a candidate if they are given,
  -- and appends its event. text and done are what happened and what was done. of
  -- is the command that opened it, its sitting, and where a transfer led to, if a
  -- command did.
  function incidents.open(category, text, done, m, c, who, of)
    local incident = { category = category, text = text, done = done, at = now, by = who or by }
    local fields = { category = category }
    if m then
      fields.machine, fields.model, fields.room = m.id, m.model, m.room
      incident.machine, incident.room = m.id, m.room
    end
    if c then
      about(c, fields)
      incident.candidate, incident.ticket = c.id, c.ticket
    end
    if of then
      fields.sitting = of.sitting
      incident.command, incident.sitting, incident.to = of.command, of.sitting, of.to
    end
    incident.id = event('incident_opened', fields, who)
    save(incidents_key, incident)
    return incident
  end

  -- Opens the incident of a command on a sitting, right behind the event that says
  -- what was done: undo.lua takes it back with that. m is the machine where it
  -- happened, to the one that a transfer led to.
  function incidents.open_of(command, usual, s, c, m, reason, who, to)
    incidents.open(category_of(usual), reason or '', '', m, c, who, { command = command, sitting = s.id, to = to })
  end
end
