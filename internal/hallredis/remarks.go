package hallredis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// The records of what the staff write down, as the scripts keep them.
type (
	noteRecord struct {
		ID   string `json:"id"`
		At   int64  `json:"at"`
		By   string `json:"by"`
		Text string `json:"text"`
	}
	incidentRecord struct {
		ID        string `json:"id"`
		At        int64  `json:"at"`
		By        string `json:"by"`
		Category  string `json:"category"`
		Machine   string `json:"machine"`
		Room      string `json:"room"`
		Candidate string `json:"candidate"`
		Ticket    string `json:"ticket"`
		Text      string `json:"text"`
		Done      string `json:"done"`
		Command   string `json:"command"`
		Sitting   string `json:"sitting"`
		To        string `json:"to"`
	}
)

// AddNote implements hall.Remarks.
func (s *Store) AddNote(ctx context.Context, id, candidate, text string, by hall.Caller) (hall.Note, error) {
	text, err := hall.CleanNote(text)
	if err != nil {
		return hall.Note{}, err
	}
	_, r, err := s.run(ctx, candidateNote, id, by, candidate, text, hall.MaxNotes)
	if err != nil {
		return hall.Note{}, err
	}
	return hall.Note{ID: r.text(0), At: atMillis(r.number(1)), By: by.By, Text: text}, nil
}

// notesOf reads the notes about one candidate; an empty record is none.
func notesOf(record string) ([]hall.Note, error) {
	notes := []hall.Note{}
	if record == "" {
		return notes, nil
	}
	records, err := decode[[]noteRecord]("notes", record)
	for _, r := range records {
		notes = append(notes, hall.Note{ID: r.ID, At: atMillis(r.At), By: r.By, Text: r.Text})
	}
	return notes, err
}

// OpenIncident implements hall.Remarks.
func (s *Store) OpenIncident(ctx context.Context, id string, report hall.IncidentReport, by hall.Caller) (hall.Incident, error) {
	report, err := report.Clean()
	if err != nil {
		return hall.Incident{}, err
	}
	usual, err := json.Marshal(hall.DefaultCategories)
	if err != nil {
		return hall.Incident{}, fmt.Errorf("encode categories: %w", err)
	}
	_, r, err := s.run(ctx, incidentOpen, id, by,
		report.Category, report.Machine, report.Candidate, report.Text, report.Done, string(usual))
	if err != nil {
		return hall.Incident{}, nameField(err, &report)
	}
	return hall.Incident{
		IncidentReport: report, ID: r.text(0), At: atMillis(r.number(1)), By: by.By, Room: r.text(2), Ticket: r.text(3),
	}, nil
}

// nameField says which field of a report is refused.
func nameField(err error, report *hall.IncidentReport) error {
	var refused *hall.Error
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Code {
	case hall.CodeUnknownMachine:
		refused.Faults = []hall.Fault{{Location: "body.machine", Message: "is not a machine of this hall", Value: report.Machine}}
	case hall.CodeUnknownCandidate:
		refused.Faults = []hall.Fault{{Location: "body.candidate", Message: "is not on the roster", Value: report.Candidate}}
	case hall.CodeInvalid:
		refused.Faults = []hall.Fault{{Location: "body.category", Message: "is not a category of this hall", Value: report.Category}}
	default:
	}
	return err
}

// Incidents implements hall.Remarks.
func (s *Store) Incidents(ctx context.Context, id string, page hall.Page) (hall.List[hall.Incident], error) {
	k := keysOf(s.prefix, id)
	if err := s.exists(ctx, k); err != nil {
		return hall.List[hall.Incident]{}, err
	}
	return s.incidentsOf(ctx, k, page)
}

// incidentsOf reads the incidents of a day by its keys.
func (s *Store) incidentsOf(ctx context.Context, k keys, page hall.Page) (hall.List[hall.Incident], error) {
	found := map[string]hall.Incident{} // a scan may come upon one twice
	for cursor := uint64(0); ; {
		fields, next, err := s.client.HScan(ctx, k.incidents(), cursor, "", chunk).Result()
		if err != nil {
			return hall.List[hall.Incident]{}, s.failed("incidents", err)
		}
		for i := 0; i+1 < len(fields); i += 2 {
			if found[fields[i]], err = incidentOf(fields[i+1]); err != nil {
				return hall.List[hall.Incident]{}, err
			}
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	p := newPager[hall.Incident](page)
	for _, incident := range inOrder(found) {
		p.add(incident)
	}
	return p.list, nil
}

func incidentOf(record string) (hall.Incident, error) {
	r, err := decode[incidentRecord]("incident", record)
	return hall.Incident{
		IncidentReport: hall.IncidentReport{
			Category: r.Category, Machine: r.Machine, Candidate: r.Candidate, Text: r.Text, Done: r.Done,
		},
		ID: r.ID, At: atMillis(r.At), By: r.By, Room: r.Room, Ticket: r.Ticket,
		Command: hall.EventName(r.Command), Sitting: r.Sitting, To: r.To,
	}, err
}

// inOrder lists incidents as their events follow each other.
func inOrder(found map[string]hall.Incident) []hall.Incident {
	list := make([]hall.Incident, 0, len(found))
	for _, incident := range found {
		list = append(list, incident)
	}
	slices.SortFunc(list, func(a, b hall.Incident) int { return compareEventIDs(a.ID, b.ID) })
	return list
}
