package metrics

import (
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// change is one prepared command.
type change struct {
	metric, event string
	command       string
	of            space
	key           string // within the space
	args          []string
}

// fault is what could not be prepared, and why.
type fault struct{ metric, event, reason string }

// preparation is what a batch of events means.
type preparation struct {
	changes []change
	faults  []fault
}

// add prepares what an event does by all definitions, in the order of their names.
func (p *preparation) add(definitions []*definition, e *hall.Event, zone *time.Location, first bool) {
	var f *fields
	for _, d := range definitions {
		for _, a := range d.actionsOn(e.Event) {
			if f == nil {
				f = fieldsOf(e, zone, first)
			}
			p.act(d, &a, e, f)
		}
	}
}

// act goes through the action's list, if it has one.
func (p *preparation) act(d *definition, a *action, e *hall.Event, f *fields) {
	f.of, f.current = a.list, nil
	if a.list == "" {
		p.once(d, a, e, f)
		return
	}
	for _, f.current = range f.lists[a.list] {
		p.once(d, a, e, f)
	}
}

func (p *preparation) once(d *definition, a *action, e *hall.Event, f *fields) {
	for name, want := range a.only {
		if got, there := f.get(name); got != want && (want != anyValue || !there) {
			return
		}
	}
	value := func(name string) (string, bool) {
		if other, ok := a.as[name]; ok {
			text, missing := other.fill(f.get)
			return text, missing == ""
		}
		return f.get(name)
	}
	o, key, missing := d.operand(a, f, value, e.Event.IsOutside())
	if missing != "" {
		// Of the hall's own events this one just is not about it, such as the end of a
		// sitting that was never confirmed, which has no length.
		if e.Event.IsOutside() {
			p.faults = append(p.faults, fault{d.MetricsName, e.ID, "has no field " + missing})
		}
		return
	}
	if err := a.does.value.check(o.value); err != nil {
		p.faults = append(p.faults, fault{d.MetricsName, e.ID, "value " + err.Error()})
		return
	}
	args, _ := a.does.args(o) // only queries have parameters that can be wrong
	p.changes = append(p.changes, change{d.MetricsName, e.ID, a.name, d.saveSpace, key, args})
}

// operand fills the templates of an action.
func (d *definition) operand(a *action, f *fields, value func(string) (string, bool), outside bool) (o operand, key, missing string) {
	if key, missing = d.saveKey.fill(value); missing != "" {
		return o, "", missing
	}
	if a.json {
		o.value = f.json(outside)
	} else if o.value, missing = a.value.fill(value); missing != "" {
		return o, "", missing
	}
	switch {
	case a.does.field && d.hasSaveField:
		o.field, missing = d.saveField.fill(value)
	case a.does.field:
		o.field = o.value
	}
	return o, key, missing
}
