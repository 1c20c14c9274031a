package hallredis

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

var streamID = regexp.MustCompile(`^[0-9]{1,19}(-[0-9]{1,19})?$`)

// compareEventIDs orders ids of events, "milliseconds-sequence", as the stream does.
func compareEventIDs(a, b string) int {
	aTime, aNumber, _ := strings.Cut(a, "-")
	bTime, bNumber, _ := strings.Cut(b, "-")
	// Of two whole numbers without zeros in front the longer one is the greater.
	return cmp.Or(cmp.Compare(len(aTime), len(bTime)), cmp.Compare(aTime, bTime),
		cmp.Compare(len(aNumber), len(bNumber)), cmp.Compare(aNumber, bNumber))
}

// Events implements hall.EventSource.
func (s *Store) Events(ctx context.Context, id, after string, page hall.Page) (hall.List[hall.Event], error) {
	k := keysOf(s.prefix, id)
	if err := s.exists(ctx, k); err != nil {
		return hall.List[hall.Event]{}, err
	}
	from := "-"
	if after != "" {
		if !streamID.MatchString(after) {
			return hall.List[hall.Event]{}, &hall.Error{
				Code: hall.CodeInvalid, Message: "That is not the id of an event.",
				Faults: []hall.Fault{{Location: "query.after", Message: "is not the id of an event", Value: after}},
			}
		}
		from = "(" + after
	}
	p := newPager[hall.Event](page)
	for {
		messages, err := s.client.XRangeN(ctx, k.events(), from, "+", chunk).Result()
		if err != nil {
			return hall.List[hall.Event]{}, s.failed("events", err)
		}
		for _, m := range messages {
			e, err := eventOf(m.ID, texts(m.Values))
			if err != nil {
				return hall.List[hall.Event]{}, err
			}
			p.add(e)
		}
		if len(messages) < chunk {
			return p.list, nil
		}
		from = "(" + messages[len(messages)-1].ID
	}
}

func texts(values map[string]any) map[string]string {
	fields := make(map[string]string, len(values))
	for field, value := range values {
		fields[field], _ = value.(string)
	}
	return fields
}

// eventOf reads an entry of the stream: see event in lua/lib/day.lua.
func eventOf(id string, fields map[string]string) (hall.Event, error) {
	text := func(field string) string { return fields[field] }
	duration := func(field string) *time.Duration {
		ms, err := strconv.ParseInt(text(field), 10, 64)
		if err != nil {
			return nil
		}
		d := millis(ms)
		return &d
	}
	instant := func(field string) time.Time {
		ms, _ := strconv.ParseInt(text(field), 10, 64)
		return atMillis(ms)
	}
	at, err := strconv.ParseInt(text("at"), 10, 64)
	if err != nil {
		return hall.Event{}, fmt.Errorf("event %s: %w", id, err)
	}
	e := hall.Event{
		ID: id, Event: hall.EventName(text("event")), At: atMillis(at), By: text("by"), Day: text("day"), Candidate: text("candidate"),
		Ticket: text("ticket"), Class: hall.Class(text("class")), Subject: text("subject"),
		Subjects: subjectsIn(text("subjects")), Remaining: subjectsIn(text("remaining")), Machine: text("machine"),
		From: text("from"), Model: text("model"), Room: text("room"), Sitting: text("sitting"), Wait: duration("wait"),
		Walk: duration("walk"), Length: duration("length"), Outage: duration("outage"),
		Cause: text("cause"), Undoes: text("undoes"), State: text("state"), ClassWas: hall.Class(text("classWas")),
		RemainingWas: subjectsIn(text("remainingWas")), Fields: fieldsIn(fields),
		Fault: hall.AbortFault(text("fault")), Alert: hall.AlertName(text("alert")), Since: instant("since"), Until: instant("until"),
		Category: text("category"), ReasonCode: hall.OutageCode(text("reasonCode")),
	}
	e.Recalls, _ = strconv.Atoi(text("recalls"))
	if machines := text("machines"); machines != "" {
		if e.Machines, err = decode[map[string]hall.MachineState]("machines of event", machines); err != nil {
			return hall.Event{}, err
		}
	}
	if codes := text("codes"); codes != "" {
		if e.Codes, err = decode[map[string]hall.OutageCode]("codes of event", codes); err != nil {
			return hall.Event{}, err
		}
	}
	if gone := text("gone"); gone != "" {
		if e.Gone, err = decode[[]string]("gone of event", gone); err != nil {
			return hall.Event{}, err
		}
	}
	return e, nil
}
