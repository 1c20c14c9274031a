package api

import (
	"github.com/hallcall/hallcall/internal/hall"
)

// entryShape is a candidate who checked in today, as the queue sees it.
type entryShape struct {
	Candidate    string              `json:"candidate" doc:"id of the candidate"`
	Name         string              `json:"name"`
	Ticket       string              `json:"ticket" example:"N001"`
	Class        hall.Class          `json:"class" enum:"management,vip,priority,normal"`
	State        hall.CandidateState `json:"state" enum:"registered,waiting,called,seated,resting,held,done,absent,withdrawn"`
	Remaining    []string            `json:"remaining" nullable:"false" doc:"subjects still to sit"`
	CheckedInAt  moment              `json:"checkedInAt,omitzero"`
	QueuedAt     moment              `json:"queuedAt,omitzero" doc:"time of the place: orders use it"`
	WaitingSince moment              `json:"waitingSince,omitzero" doc:"begin of this wait: waits and targets use it"`
	WaitSeconds  float64             `json:"waitSeconds" doc:"how long this wait takes, or took until the call; time on hold is left out"`
	Position     int                 `json:"position,omitempty" doc:"place in line from 1, while waiting"`
	Ahead        *int                `json:"ahead,omitempty" doc:"people ahead who share a due subject, while waiting"`
	Estimate     *float64            `json:"estimateSeconds,omitempty" doc:"about how long until the call, while waiting; left out where nothing can be said: while the hall is paused, or no machine in service serves a due subject"`
	Sitting      *sittingShape       `json:"sitting,omitempty" doc:"while called or seated"`
	Phone        string              `json:"phone,omitempty" doc:"path of the candidate's phone page; only in answers to check-in" example:"/t/pV0vcJ2bT1m9qkz0Xn4aWgZGVtbw"`
}

func entryShapeOf(e *hall.Entry) entryShape {
	shape := entryShape{
		Candidate: e.ID, Name: e.Person.Name, Ticket: e.Ticket, Class: e.Class, State: e.State, Remaining: e.Remaining(),
		CheckedInAt: moment(e.CheckedInAt), QueuedAt: moment(e.QueuedAt), WaitingSince: moment(e.WaitingSince),
		WaitSeconds: seconds(e.Wait(e.Now)), Position: e.Position(), Estimate: secondsIfAny(e.Estimate),
	}
	if e.State == hall.Waiting {
		shape.Ahead = &e.Ahead
	}
	if e.Current != nil {
		sitting := sittingShapeOf(e.Current)
		shape.Sitting, shape.WaitSeconds = &sitting, sitting.WaitSeconds
	}
	return shape
}

// orEmpty is the list, empty instead of none.
func orEmpty(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

// PhonePath is the address of a candidate's phone page on this server.
func PhonePath(hallID, secret string) string { return "/t/" + hall.PhoneToken(hallID, secret) }
