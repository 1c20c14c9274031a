package hallredis

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// The records as the scripts keep them: times and durations in milliseconds,
// sets of subjects as "|1|2|".
type (
	personRecord struct {
		Name     string `json:"name"`
		IDNumber string `json:"idNumber"`
		Note     string `json:"note"`
	}
	candidateRecord struct {
		ID           string           `json:"id"`
		Subjects     string           `json:"subjects"`
		Due          string           `json:"due"`
		Sat          string           `json:"sat"`
		Class        hall.Class       `json:"class"`
		Session      string           `json:"session"`
		State        string           `json:"state"`
		Ticket       string           `json:"ticket"`
		Sitting      string           `json:"sitting"`
		Place        int64            `json:"place"`
		FirstPlace   int64            `json:"firstPlace"`
		CheckedInAt  int64            `json:"checkedInAt"`
		FirstCalled  int64            `json:"firstCalled"`
		LastEnded    int64            `json:"lastEnded"`
		WaitingSince int64            `json:"waitingSince"`
		HeldSince    int64            `json:"heldSince"`
		Hold         int64            `json:"hold"`
		HoldInWait   int64            `json:"holdInWait"`
		NoShows      int              `json:"noShows"`
		OverTarget   bool             `json:"overTarget"`
		Waits        map[string]int64 `json:"waits"`
	}
	machineRecord struct {
		ID       string `json:"id"`
		Room     string `json:"room"`
		Model    string `json:"model"`
		Subjects string `json:"subjects"`
		State    string `json:"state"`
		Since    int64  `json:"since"`
		Reason   string `json:"reason"`
		Code     string `json:"code"`
		Sitting  string `json:"sitting"`
		Subject  string `json:"subject"`
	}
	sittingRecord struct {
		ID          string     `json:"id"`
		Candidate   string     `json:"candidate"`
		Ticket      string     `json:"ticket"`
		Class       hall.Class `json:"class"`
		Subject     string     `json:"subject"`
		Machine     string     `json:"machine"`
		Room        string     `json:"room"`
		State       string     `json:"state"`
		CalledAt    int64      `json:"calledAt"`
		AnnouncedAt int64      `json:"announcedAt"`
		SeatedAt    int64      `json:"seatedAt"`
		EndedAt     int64      `json:"endedAt"`
		Recalls     int        `json:"recalls"`
		Outcome     string     `json:"outcome"`
		Wait        int64      `json:"wait"`
		Left        int64      `json:"left"`
		Stood       int64      `json:"stood"`
		StandsSince int64      `json:"standsSince"`
		Aborted     string     `json:"aborted"` // event that says so
	}
)

// subjectSet writes subjects in the given order as "|3|1|".
func subjectSet(subjects []string) string { return "|" + strings.Join(subjects, "|") + "|" }

// sortedSubjectSet writes subjects in byte order, so that equal sets are equal strings.
func sortedSubjectSet(subjects []string) string {
	return subjectSet(slices.Sorted(slices.Values(subjects)))
}

func subjectsIn(set string) []string {
	set = strings.Trim(set, "|")
	if set == "" {
		return nil
	}
	return strings.Split(set, "|")
}

func decode[T any](what, record string) (T, error) {
	var v T
	if err := json.Unmarshal([]byte(record), &v); err != nil {
		return v, fmt.Errorf("%s record: %w", what, err)
	}
	return v, nil
}

func personOf(record string) (hall.Person, error) {
	if record == "" { // erased
		return hall.Person{}, nil
	}
	p, err := decode[personRecord]("person", record)
	return hall.Person{Name: p.Name, IDNumber: p.IDNumber, Note: p.Note}, err
}

func candidateOf(record, person string, base time.Time) (hall.Candidate, error) {
	r, err := decode[candidateRecord]("candidate", record)
	if err != nil {
		return hall.Candidate{}, err
	}
	p, err := personOf(person)
	if err != nil {
		return hall.Candidate{}, err
	}
	c := hall.Candidate{
		ID: r.ID, Person: p, Class: r.Class, Session: r.Session, Subjects: subjectsIn(r.Subjects), Sat: subjectsIn(r.Sat),
		State: hall.CandidateState(r.State), Ticket: r.Ticket, Sitting: r.Sitting,
		Place: hall.Place(r.Place), FirstPlace: hall.Place(r.FirstPlace), CheckedInAt: atMillis(r.CheckedInAt),
		FirstCalled: atMillis(r.FirstCalled), LastEnded: atMillis(r.LastEnded),
		WaitingSince: atMillis(r.WaitingSince), HeldSince: atMillis(r.HeldSince),
		Hold: millis(r.Hold), HoldInWait: millis(r.HoldInWait), NoShows: r.NoShows,
		OverTarget: r.OverTarget,
	}
	if r.Place != 0 {
		c.QueuedAt = c.Place.Time(base)
	}
	if len(r.Waits) > 0 {
		c.Waits = make(map[string]time.Duration, len(r.Waits))
		for subject, wait := range r.Waits {
			c.Waits[subject] = millis(wait)
		}
	}
	return c, nil
}

func sittingOf(record, person string) (hall.Sitting, error) {
	r, err := decode[sittingRecord]("sitting", record)
	if err != nil {
		return hall.Sitting{}, err
	}
	p, err := personOf(person)
	if err != nil {
		return hall.Sitting{}, err
	}
	return hall.Sitting{
		ID: r.ID, Candidate: r.Candidate, Name: p.Name, IDNumber: p.IDNumber, Ticket: r.Ticket, Class: r.Class,
		Subject: r.Subject, Machine: r.Machine, Room: r.Room, State: hall.SittingState(r.State),
		CalledAt: atMillis(r.CalledAt), AnnouncedAt: atMillis(r.AnnouncedAt), SeatedAt: atMillis(r.SeatedAt),
		EndedAt: atMillis(r.EndedAt), Recalls: r.Recalls, Outcome: hall.Outcome(r.Outcome), Wait: millis(r.Wait),
		Left: millis(r.Left), Stood: millis(r.Stood), StandsSince: atMillis(r.StandsSince), AbortedBy: r.Aborted,
	}, nil
}

func machineOf(record string) (hall.Machine, error) {
	r, err := decode[machineRecord]("machine", record)
	if err != nil {
		return hall.Machine{}, err
	}
	return hall.Machine{
		ID: r.ID, Label: r.ID, Room: r.Room, Model: r.Model, Subjects: subjectsIn(r.Subjects),
		State: hall.MachineState(r.State), Since: atMillis(r.Since), Reason: r.Reason, Code: hall.OutageCode(r.Code),
		Sitting: r.Sitting, Subject: r.Subject,
	}, nil
}

// entryOf reads an entry as the scripts answer it: candidate, person, open
// sitting, how many are ahead, now, base, and then what estimates go by.
func entryOf(r reply) (hall.Entry, error) {
	c, err := candidateOf(r.text(0), r.text(1), atMillis(r.number(5)))
	if err != nil {
		return hall.Entry{}, err
	}
	e := hall.Entry{Candidate: c, Ahead: int(r.number(3)), Now: atMillis(r.number(4))}
	if r.text(2) != "" {
		s, err := sittingOf(r.text(2), r.text(1))
		if err != nil {
			return hall.Entry{}, err
		}
		e.Current = &s
	}
	return e, nil
}
