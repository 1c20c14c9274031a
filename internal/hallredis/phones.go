package hallredis

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// phoneChunk is how many phone pages one script reads, so that none holds Redis up.
const phoneChunk = 100

// Phone implements hall.Phones.
func (s *Store) Phone(ctx context.Context, id, secret string) (hall.Entry, error) {
	entries, err := s.PhoneEntries(ctx, id, []string{secret})
	if err != nil {
		return hall.Entry{}, err
	}
	e, known := entries[secret]
	if !known {
		return hall.Entry{}, &hall.Error{Code: hall.CodeUnknownPhone, Message: "There is no such page today."}
	}
	return e, nil
}

// PhoneEntries implements hall.Phones.
func (s *Store) PhoneEntries(ctx context.Context, id string, secrets []string) (map[string]hall.Entry, error) {
	entries := make(map[string]hall.Entry, len(secrets))
	for some := range slices.Chunk(secrets, phoneChunk) {
		text, err := json.Marshal(some)
		if err != nil {
			return nil, fmt.Errorf("encode secrets: %w", err)
		}
		_, r, err := s.run(ctx, phoneEntries, id, hall.Caller{}, string(text))
		if err != nil {
			return nil, err
		}
		if err := phoneEntriesOf(some, r, entries); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// phoneEntriesOf reads the reply about some secrets into entries.
func phoneEntriesOf(secrets []string, r reply, entries map[string]hall.Entry) error {
	var line []phoneEntry
	for i, secret := range secrets {
		one := r.list(0).list(i)
		if len(one) == 0 {
			continue
		}
		e, err := entryOf(one[1:])
		if err != nil {
			return err
		}
		entries[secret] = e
		if e.State == hall.Waiting {
			line = append(line, phoneEntry{secret, e, one[1:]})
		}
	}
	order := r.list(1).text(0)
	slices.SortFunc(line, func(a, b phoneEntry) int {
		if hall.Before(order, &a.entry.Candidate, &b.entry.Candidate, a.entry.Now) {
			return -1
		}
		return 1
	})
	estimated, replies := make([]hall.Entry, len(line)), make([]reply, len(line))
	for i := range line {
		estimated[i], replies[i] = line[i].entry, line[i].reply
	}
	estimate(estimated, replies, r.list(1), false)
	for i := range line {
		entries[line[i].secret] = estimated[i]
	}
	return nil
}

// phoneEntry is somebody in line behind a phone page.
type phoneEntry struct {
	secret string
	entry  hall.Entry
	reply  reply
}

// secretOf reads the secret of the phone page out of a candidate's record. No
// other reader of records takes it.
func secretOf(record string) (string, error) {
	r, err := decode[struct {
		Phone string `json:"phone"`
	}]("candidate", record)
	return r.Phone, err
}
