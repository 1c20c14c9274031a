-- Incidents: what happened stands apart from the event that says so, since it is free text.

-- Keeps an incident of the hall, of a machine or a candidate if they are given,
-- and appends its event. text and done are what happened and what was done.
local function open_incident(category, text, done, m, c, who)
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
  incident.id = event('incident_opened', fields, who)
  save(incidents_key, incident)
  return incident
end
