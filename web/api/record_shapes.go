package api

import (
	"reflect"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/records"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// correctionShape says what is right instead of what stands in the records.
type correctionShape struct {
	ID     string              `json:"id" example:"c1"`
	At     moment              `json:"at"`
	By     string              `json:"by" doc:"account or device"`
	Table  hall.RecordTable    `json:"table" enum:"attendance,sittings,incidents"`
	Row    string              `json:"row" doc:"id of the candidate, the sitting or the incident"`
	State  hall.CandidateState `json:"state,omitempty" doc:"where the candidate stood"`
	Text   string              `json:"text,omitempty" doc:"what is right"`
	Reason string              `json:"reason" doc:"how that is known"`
}

func correctionShapeOf(c *hall.Correction) correctionShape {
	return correctionShape{
		ID: c.ID, At: moment(c.At), By: c.By, Table: c.Table, Row: c.Row, State: c.State, Text: c.Text, Reason: c.Reason,
	}
}

func correctionShapesOf(list []hall.Correction) []correctionShape {
	shapes := make([]correctionShape, len(list))
	for i := range list {
		shapes[i] = correctionShapeOf(&list[i])
	}
	return shapes
}

// attendanceShape is somebody of the roster as the records have them.
type attendanceShape struct {
	Candidate   string              `json:"candidate"`
	Name        string              `json:"name"`
	IDNumber    string              `json:"idNumber"`
	Class       hall.Class          `json:"class" enum:"management,vip,priority,normal"`
	Session     string              `json:"session,omitempty"`
	Subjects    []string            `json:"subjects" nullable:"false"`
	Remaining   []string            `json:"remaining" nullable:"false" doc:"subjects that were not sat"`
	State       hall.CandidateState `json:"state" enum:"registered,waiting,called,seated,resting,held,done,absent,withdrawn" doc:"where they stand, or stood when the day was closed"`
	Stood       string              `json:"stood" doc:"the same in words" example:"Finished"`
	Corrected   hall.CandidateState `json:"correctedState,omitempty" doc:"state by the last correction that says one"`
	Ticket      string              `json:"ticket,omitempty" example:"N001"`
	CheckedInAt moment              `json:"checkedInAt,omitzero"`
	LateSeconds float64             `json:"lateSeconds" doc:"check-in after the start of the session; 0 if in time"`
	FirstCalled moment              `json:"firstCalledAt,omitzero"`
	LastEnded   moment              `json:"lastFinishedAt,omitzero" doc:"end of the last subject that was finished"`
	NoShows     int                 `json:"noShows"`
	HoldSeconds float64             `json:"holdSeconds" doc:"time stepped away, all day"`
	Note        string              `json:"note,omitempty" doc:"of the roster"`
	Notes       []noteShape         `json:"notes" nullable:"false" doc:"of the staff, newest last"`
	Corrections []correctionShape   `json:"corrections" nullable:"false"`
}

func attendanceShapeOf(d *records.Day, p *records.Person) attendanceShape {
	shape := attendanceShape{
		Candidate: p.ID, Name: p.Person.Name, IDNumber: p.Person.IDNumber, Class: p.Class, Session: p.Session,
		Subjects: orEmpty(p.Subjects), Remaining: p.Remaining(), State: p.State,
		Stood:  records.StateWords(p.State, d.Hall.Day.State == hall.DayClosed),
		Ticket: p.Ticket, CheckedInAt: moment(p.CheckedInAt), LateSeconds: seconds(d.Late(&p.Candidate)),
		FirstCalled: moment(p.FirstCalled), LastEnded: moment(p.LastEnded), NoShows: p.NoShows, HoldSeconds: seconds(p.HoldBy(d.End())),
		Note: p.Person.Note, Notes: noteShapesOf(p.Notes), Corrections: correctionShapesOf(p.Corrections),
	}
	if stood := p.Stood(); stood != p.State {
		shape.Corrected = stood
	}
	return shape
}

// sittingRecordShape is a sitting as the records have it.
type sittingRecordShape struct {
	ID             string            `json:"id" example:"s1"`
	Candidate      string            `json:"candidate"`
	Name           string            `json:"name"`
	Ticket         string            `json:"ticket"`
	Class          hall.Class        `json:"class"`
	Subject        string            `json:"subject"`
	Machine        string            `json:"machine"`
	Room           string            `json:"room"`
	State          hall.SittingState `json:"state" enum:"called,seated,ended"`
	Outcome        hall.Outcome      `json:"outcome,omitempty" doc:"once ended"`
	CalledAt       moment            `json:"calledAt"`
	SeatedAt       moment            `json:"seatedAt,omitzero"`
	EndedAt        moment            `json:"endedAt,omitzero"`
	SittingSeconds *float64          `json:"sittingSeconds,omitempty" doc:"from seated to ended"`
	WaitSeconds    float64           `json:"waitSeconds"`
	Recalls        int               `json:"recalls"`
	Reason         string            `json:"reason,omitempty" doc:"why it was aborted"`
	Corrections    []correctionShape `json:"corrections" nullable:"false"`
}

func sittingRecordShapeOf(s *records.Sitting) any {
	shape := sittingRecordShape{
		ID: s.ID, Candidate: s.Candidate, Name: s.Name, Ticket: s.Ticket, Class: s.Class, Subject: s.Subject, Machine: s.Machine, Room: s.Room,
		State: s.State, Outcome: s.Outcome, CalledAt: moment(s.CalledAt), SeatedAt: moment(s.SeatedAt), EndedAt: moment(s.EndedAt),
		WaitSeconds: seconds(s.Wait), Recalls: s.Recalls, Reason: s.Reason, Corrections: correctionShapesOf(s.Corrections),
	}
	if length, ended := records.Length(&s.Sitting); ended {
		shape.SittingSeconds = secondsIfAny(&length)
	}
	return shape
}

// incidentRecordShape is an incident as the records have it.
type incidentRecordShape struct {
	ID          string            `json:"id" doc:"that of its event" example:"1796025600000-0"`
	At          moment            `json:"at"`
	By          string            `json:"by" doc:"account or device"`
	Category    string            `json:"category" example:"machine"`
	Machine     string            `json:"machine,omitempty"`
	Room        string            `json:"room,omitempty"`
	Candidate   string            `json:"candidate,omitempty"`
	Ticket      string            `json:"ticket,omitempty"`
	Name        string            `json:"name,omitempty" doc:"of the candidate"`
	Command     string            `json:"command,omitempty" doc:"event of the command that opened it in the same step"`
	Sitting     string            `json:"sitting,omitempty" doc:"that the command was about"`
	To          string            `json:"to,omitempty" doc:"id of the machine that a transfer led to"`
	Text        string            `json:"text" doc:"what happened; with a command its reason, which may be empty"`
	Done        string            `json:"done,omitempty" doc:"what was done about it"`
	Corrections []correctionShape `json:"corrections" nullable:"false"`
}

func incidentRecordShapeOf(i *records.Incident) any {
	return incidentRecordShape{
		ID: i.ID, At: moment(i.At), By: i.By, Category: i.Category, Machine: i.Machine, Room: i.Room, Candidate: i.Candidate,
		Ticket: i.Ticket, Name: i.Name, Command: string(i.Command), Sitting: i.Sitting, To: i.To,
		Text: i.Text, Done: i.Done, Corrections: correctionShapesOf(i.Corrections),
	}
}

// logShape is one entry of the log: an event, or a correction of the records.
type logShape struct {
	ID         string           `json:"id" doc:"of the event or the correction"`
	At         moment           `json:"at"`
	By         string           `json:"by" doc:"account, device or system"`
	What       string           `json:"what" doc:"in words" example:"Finished the subject"`
	Command    bool             `json:"command" doc:"somebody gave it, or the time; false for what came of it in the same step"`
	Event      *eventShape      `json:"event,omitempty"`
	Reason     string           `json:"reason,omitempty"`
	UndoneAt   moment           `json:"undoneAt,omitzero" doc:"when it was taken back"`
	UndoneBy   string           `json:"undoneBy,omitempty"`
	Correction *correctionShape `json:"correction,omitempty"`
}

func logShapeOf(e *records.Entry) any {
	shape := logShape{
		ID: e.ID, At: moment(e.At), By: e.By, What: e.Words(), Command: e.IsCommand(), Reason: e.Reason,
		UndoneAt: moment(e.UndoneAt), UndoneBy: e.UndoneBy,
	}
	if e.Correction != nil {
		c := correctionShapeOf(e.Correction)
		shape.Correction = &c
		return shape
	}
	event := eventShapeOf(&e.Event)
	shape.Event = &event
	return shape
}
