-- Checks a candidate in: gives the ticket and a place, or calls at once.
--
-- ARGV
--   [5] candidate
--   [6] time of the place in milliseconds, 0 for now; not in the future, at most 24 hours back
--   [7] class, "" for the candidate's own
--   [8] secret of the phone page, for the one call that checks in
-- RETURNS
--   FIRST + entry for the one call that checked in, OK + entry when it was done before;
--   UNKNOWN_CANDIDATE, NEEDS_RESTORE, ALREADY_DONE, DAY_NOT_OPEN, CHECK_IN_CLOSED,
--   BAD_TIME, TOO_EARLY, TOO_LATE
local id, at, class, secret = ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8]
local DAY = 24 * 60 * 60 * 1000
local letters = { management = 'M', vip = 'V', priority = 'P', normal = 'N' }

-- Why somebody of a session is not taken in at a time, nil if they are. A place
-- that the staff set counts as the time: who was there is not late.
local function refused_by_session(c, when)
  local windows = c.session and c.session ~= '' and redis.call('HGET', hall_key, 'windows')
  local window = windows and cjson.decode(windows)[c.session]
  if not window then return nil end
  if window.from and when < window.from then return { outcome.TOO_EARLY } end
  if window['until'] and when > window['until'] then return { outcome.TOO_LATE } end
  return nil
end

local function operation()
  -- Before anything is said about the number: the roster may not be there yet.
  if settings[2] ~= 'open' then return { outcome.DAY_NOT_OPEN, settings[2] } end
  local c = load(candidates_key, id)
  if not c then return { outcome.UNKNOWN_CANDIDATE } end
  if c.state == 'absent' or c.state == 'withdrawn' then return { outcome.NEEDS_RESTORE, c.state } end
  if c.state == 'done' then return { outcome.ALREADY_DONE, c.state } end
  if c.state ~= 'registered' then return entry_answer(outcome.OK, c) end
  if settings[3] ~= 'open' then return { outcome.CHECK_IN_CLOSED } end
  if at > now or (at > 0 and at < now - DAY) then return { outcome.BAD_TIME } end
  local refused = refused_by_session(c, at > 0 and at or now)
  if refused then return refused end

  if class ~= '' then c.class = class end
  local letter = letters[c.class]
  c.ticket = letter .. string.format('%03d', redis.call('HINCRBY', hall_key, 'lastTicket ' .. letter, 1))
  c.checkedInAt = at > 0 and at or now
  begin_wait(c, at > 0 and (at - base) * 1000 or tail_place(), c.checkedInAt)
  c.firstPlace = c.place
  c.phone = secret
  redis.call('HSET', phones_key, secret, c.id)
  save(candidates_key, c)
  event('candidate_checked_in', about(c))
  seek(c)
  return entry_answer(outcome.FIRST, load(candidates_key, id))
end
