package hallredis

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// correctionRecord is a correction as the script keeps it.
type correctionRecord struct {
	ID     string              `json:"id"`
	At     int64               `json:"at"`
	By     string              `json:"by"`
	Table  hall.RecordTable    `json:"table"`
	Row    string              `json:"row"`
	State  hall.CandidateState `json:"state"`
	Text   string              `json:"text"`
	Reason string              `json:"reason"`
}

// Correct implements hall.Records.
func (s *Store) Correct(ctx context.Context, id, day string, c hall.CorrectionRequest, by hall.Caller) (hall.Correction, error) {
	c, err := c.Clean()
	if err != nil {
		return hall.Correction{}, err
	}
	if day == "" {
		return hall.Correction{}, outcomeUnknownDay.refusal("correction", nil)
	}
	run := command{now: s.nowMillis()}
	if day == hall.CurrentDay {
		day = ""
	} else {
		k := keysOf(s.prefix, id).ofDay(day)
		run.keys = []string{k.hall(), k.candidates(), k.sittings(), k.incidents(), k.corrections()}
	}
	run.args = []any{day, string(c.Table), c.Row, string(c.State), c.Text, c.Reason, hall.MaxCorrections}
	_, r, err := s.runCommand(ctx, recordCorrect, id, by, &run)
	if err != nil {
		return hall.Correction{}, nameRow(err, &c)
	}
	return hall.Correction{CorrectionRequest: c, ID: r.text(0), At: atMillis(r.number(1)), By: by.By}, nil
}

// nameRow says which field of a correction is refused.
func nameRow(err error, c *hall.CorrectionRequest) error {
	var refused *hall.Error
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Code {
	case hall.CodeUnknownCandidate, hall.CodeUnknownSitting, hall.CodeUnknownIncident:
		refused.Faults = []hall.Fault{{Location: "body.row", Message: "is not in the records of this day", Value: c.Row}}
	default:
	}
	return err
}

// Corrections implements hall.Records.
func (s *Store) Corrections(ctx context.Context, id string, number int) ([]hall.Correction, error) {
	var list []hall.Correction
	err := s.onDay(ctx, id, number, func(k keys) error {
		records, err := s.client.HGetAll(ctx, k.corrections()).Result() // at most MaxCorrections
		if err != nil {
			return s.failed("corrections", err)
		}
		list = make([]hall.Correction, 0, len(records))
		for _, record := range records {
			r, err := decode[correctionRecord]("correction", record)
			if err != nil {
				return err
			}
			list = append(list, hall.Correction{ID: r.ID, At: atMillis(r.At), By: r.By, CorrectionRequest: hall.CorrectionRequest{
				Table: r.Table, Row: r.Row, State: r.State, Text: r.Text, Reason: r.Reason,
			}})
		}
		return nil
	})
	// Ids are numbered, so of two the shorter one is the earlier.
	slices.SortFunc(list, func(a, b hall.Correction) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}
