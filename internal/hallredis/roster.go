package hallredis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// rosterRow is a row as roster_put.lua takes it.
type rosterRow struct {
	ID       string     `json:"id"`
	Subjects string     `json:"subjects"`
	Due      string     `json:"due"`
	Class    hall.Class `json:"class"`
	Session  *string    `json:"session,omitempty"`
	Name     *string    `json:"name,omitempty"`
	IDNumber *string    `json:"idNumber,omitempty"`
	Note     *string    `json:"note,omitempty"`
}

// rosterChunk is how many rows are one atomic step: every roster of a hall of
// usual size is.
const rosterChunk = 5000

func rosterRowOf(r *hall.RosterRow) rosterRow {
	known := func(column, value string) *string {
		if contains(r.Without, column) {
			return nil
		}
		return &value
	}
	return rosterRow{
		ID: r.Candidate, Subjects: subjectSet(r.Subjects), Due: sortedSubjectSet(r.Subjects), Class: r.Class,
		Session: known("session", r.Session), Name: known("name", r.Person.Name),
		IDNumber: known("id_number", r.Person.IDNumber), Note: known("note", r.Person.Note),
	}
}

// What roster_put.lua says of a row.
const (
	rowCreated = iota
	rowUpdated
	rowUnchanged
)

// PutRoster implements hall.Rosters. Up to rosterChunk rows are one atomic
// step; a longer roster is taken in several, and can be sent again if it breaks off.
func (s *Store) PutRoster(ctx context.Context, id string, rows []hall.RosterRow, dryRun bool, by hall.Caller) (hall.RosterResult, error) {
	return s.putRoster(ctx, id, &rosterStep{dryRun: dryRun}, rows, by)
}

// PutRosterOf implements hall.Rosters.
func (s *Store) PutRosterOf(ctx context.Context, id string, day int, rows []hall.RosterRow, by hall.Caller) (hall.RosterResult, error) {
	return s.putRoster(ctx, id, &rosterStep{day: strconv.Itoa(day)}, rows, by)
}

// rosterStep is what the steps of one roster have in common, and what became of it so far.
type rosterStep struct {
	dryRun bool
	day    string // number of the day, "" for the present one
	result hall.RosterResult
}

func (s *Store) putRoster(ctx context.Context, id string, step *rosterStep, rows []hall.RosterRow, by hall.Caller) (hall.RosterResult, error) {
	step.result.Rows = len(rows)
	if err := s.exists(ctx, keysOf(s.prefix, id)); err != nil {
		return step.result, err
	}
	for part := range slices.Chunk(rows, rosterChunk) {
		if err := s.putRows(ctx, id, step, part, by); err != nil {
			return step.result, err
		}
	}
	return step.result, nil
}

func (s *Store) putRows(ctx context.Context, id string, step *rosterStep, rows []hall.RosterRow, by hall.Caller) error {
	args := make([]rosterRow, 0, len(rows))
	for i := range rows {
		args = append(args, rosterRowOf(&rows[i]))
	}
	text, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("encode roster: %w", err)
	}
	dry, result := "", &step.result
	if step.dryRun {
		dry = "dry"
	}
	if by.Key != "" && result.Created+result.Updated+result.Unchanged+len(result.Rejected) > 0 {
		by.Key = fmt.Sprintf("%s row %d", by.Key, rows[0].Row) // the first chunk has the key itself
	}
	_, answer, err := s.run(ctx, rosterPut, id, by, string(text), dry, step.day)
	if err != nil {
		return err
	}
	for i, r := range rows {
		count, known := map[any]*int{
			int64(rowCreated): &result.Created, int64(rowUpdated): &result.Updated, int64(rowUnchanged): &result.Unchanged,
		}[answer[i]]
		if known {
			*count++
			continue
		}
		result.Rejected = append(result.Rejected, hall.RejectedRow{
			Row: r.Row, Column: "subjects", Value: strings.Join(r.Subjects, "|"), Code: string(hall.CodeInUse),
			Message: fmt.Sprintf("Subject %s is being sat now and cannot be taken away.", answer.text(i)),
		})
	}
	return addChanges(result, rows, answer.text(len(rows)))
}

// addChanges adds what a dry run says of the candidates that it would change.
func addChanges(result *hall.RosterResult, rows []hall.RosterRow, text string) error {
	if text == "" {
		return nil
	}
	var changes []struct {
		Row     int
		Columns [][3]string
	}
	if err := json.Unmarshal([]byte(text), &changes); err != nil {
		return fmt.Errorf("decode changes: %w", err)
	}
	for _, c := range changes {
		if len(result.Changes) == hall.ChangesShown || c.Row < 0 || c.Row >= len(rows) {
			return nil
		}
		change := hall.RosterChange{Row: rows[c.Row].Row, Candidate: rows[c.Row].Candidate}
		for _, column := range c.Columns {
			before, after := column[1], column[2]
			if column[0] == "subjects" {
				before, after = strings.Trim(before, "|"), strings.Trim(after, "|")
			}
			change.Columns = append(change.Columns, hall.ColumnChange{Column: column[0], Before: before, After: after})
		}
		result.Changes = append(result.Changes, change)
	}
	return nil
}

// PutCandidate implements hall.Rosters.
func (s *Store) PutCandidate(ctx context.Context, id string, row hall.RosterRow, by hall.Caller) (hall.Candidate, bool, error) {
	text, err := json.Marshal([]rosterRow{rosterRowOf(&row)})
	if err != nil {
		return hall.Candidate{}, false, fmt.Errorf("encode candidate: %w", err)
	}
	_, answer, err := s.run(ctx, rosterPut, id, by, string(text), "staff", "")
	if err != nil {
		return hall.Candidate{}, false, err
	}
	if subject := answer.text(0); subject != "" {
		return hall.Candidate{}, false, outcomeInUse.refusal(rosterPut.name, reply{"subject", subject})
	}
	c, err := s.Candidate(ctx, id, row.Candidate)
	return c, answer.number(0) == rowCreated, err
}

// Candidate implements hall.Rosters.
func (s *Store) Candidate(ctx context.Context, id, candidate string) (hall.Candidate, error) {
	k := keysOf(s.prefix, id)
	var base, record, person, notes *redis.StringCmd
	_, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		base = p.HGet(ctx, k.hall(), "base")
		record, person = p.HGet(ctx, k.candidates(), candidate), p.HGet(ctx, k.people(), candidate)
		notes = p.HGet(ctx, k.notes(), candidate)
		return nil
	})
	if err != nil && !errors.Is(err, redis.Nil) {
		return hall.Candidate{}, s.failed("candidate", err)
	}
	ms, err := base.Int64()
	if err != nil {
		return hall.Candidate{}, outcomeUnknownHall.refusal("candidate", nil)
	}
	if record.Val() == "" {
		return hall.Candidate{}, outcomeUnknownCandidate.refusal("candidate", nil)
	}
	c, err := candidateOf(record.Val(), person.Val(), atMillis(ms))
	if err != nil {
		return hall.Candidate{}, err
	}
	c.Notes, err = notesOf(notes.Val())
	return c, err
}

// Candidates implements hall.Rosters.
func (s *Store) Candidates(ctx context.Context, id string, filter hall.CandidateFilter, page hall.Page) (hall.List[hall.Candidate], error) {
	h, err := s.Hall(ctx, id)
	if err != nil {
		return hall.List[hall.Candidate]{}, err
	}
	k := keysOf(s.prefix, id)
	total, err := s.client.ZCard(ctx, k.roster()).Result()
	if err != nil {
		return hall.List[hall.Candidate]{}, s.failed("roster", err)
	}
	p := newPager[hall.Candidate](page)
	open := filter == hall.CandidateFilter{}
	first := int64(0)
	if open {
		first = int64(p.skipAll())
	}
	for ; first < total && !(open && p.full()); first += chunk {
		some, err := s.readCandidates(ctx, k, &h, first)
		if err != nil {
			return hall.List[hall.Candidate]{}, err
		}
		for _, c := range some {
			if candidateAllowed(filter, &c) {
				p.add(c)
			}
		}
	}
	if open {
		p.list.Total = int(total)
	}
	return p.list, nil
}

func candidateAllowed(f hall.CandidateFilter, c *hall.Candidate) bool {
	if f.State != "" && c.State != f.State {
		return false
	}
	text := strings.ToLower(f.Text)
	return strings.Contains(strings.ToLower(c.ID), text) || strings.Contains(strings.ToLower(c.Person.Name), text) ||
		strings.Contains(strings.ToLower(c.Ticket), text)
}

// readCandidates reads a chunk of the roster.
func (s *Store) readCandidates(ctx context.Context, k keys, h *hall.Hall, first int64) ([]hall.Candidate, error) {
	ids, err := s.client.ZRange(ctx, k.roster(), first, first+chunk-1).Result()
	if err != nil || len(ids) == 0 {
		return nil, s.failedUnlessNil("roster", err)
	}
	return s.candidatesOf(ctx, k, h, ids)
}

// candidatesOf reads candidates by their ids; who is gone is left out.
func (s *Store) candidatesOf(ctx context.Context, k keys, h *hall.Hall, ids []string) ([]hall.Candidate, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var records, people *redis.SliceCmd
	if _, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		records, people = p.HMGet(ctx, k.candidates(), ids...), p.HMGet(ctx, k.people(), ids...)
		return nil
	}); err != nil {
		return nil, s.failed("roster", err)
	}
	candidates := make([]hall.Candidate, 0, len(ids))
	for i := range ids {
		record := reply(records.Val()).text(i)
		if record == "" {
			continue // gone since the ids were read
		}
		c, err := candidateOf(record, reply(people.Val()).text(i), h.Day.Base)
		if err != nil {
			return nil, err
		}
		candidates = append(candidates, c)
	}
	return candidates, nil
}

func (s *Store) failedUnlessNil(what string, err error) error {
	if err == nil {
		return nil
	}
	return s.failed(what, err)
}
