package metrics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// Limits of a definition.
const (
	maxOn          = 64
	maxDescription = 500 // bytes
	anyEvent       = hall.EventName("*")
	wholeEvent     = "json"
	anyValue       = "*" // of a field in "if": it must be there
)

// definition is a metric that was checked and can be worked with.
type definition struct {
	hall.Metric

	queryKey, queryField template
	query                command
	saveKey, saveField   template
	hasSaveField         bool
	querySpace           space
	saveSpace            space
	actions              map[hall.EventName][]action
	counter              bool // what nothing was added to is 0
	objects              bool // values are whole events
}

// action is what one kind of event does.
type action struct {
	name  string // of the command
	does  command
	value template
	json  bool
	as    map[string]template
	only  map[string]string
	list  string // that it goes through
}

// checker collects what is wrong with a definition, with the place of each.
type checker struct{ faults []hall.Fault }

func (c *checker) add(location string, value any, format string, args ...any) {
	c.faults = append(c.faults, hall.Fault{Location: location, Message: fmt.Sprintf(format, args...), Value: value})
}

func (c *checker) template(location, name, source string) template {
	t, err := parse(strings.ReplaceAll(source, "#metricsName#", name))
	if err != nil {
		c.add(location, source, "%v", err)
	}
	return t
}

// command finds a command for its role.
func (c *checker) command(location, name string, as role) command {
	known, ok := table[name]
	switch {
	case !ok:
		c.add(location, name, "is not a command that a definition may have")
	case known.role != as:
		c.add(location, name, "is a command to %s", [...]string{"save", "delete", "query"}[known.role])
	}
	return known
}

// compile checks a metric; the faults list everything that is wrong with it.
func compile(m hall.Metric) (*definition, []hall.Fault) {
	c := &checker{}
	d := &definition{Metric: m, actions: map[hall.EventName][]action{}, querySpace: builtInSpace, saveSpace: builtInSpace}
	if !namePattern.MatchString(m.MetricsName) {
		c.add("body.metricsName", m.MetricsName, "must be 1 to 64 letters, digits or _")
		return nil, c.faults
	}
	if len(m.Description) > maxDescription || strings.ContainsFunc(m.Description, isControl) {
		c.add("body.description", m.Description, "must have at most %d bytes and no control characters", maxDescription)
	}
	d.compileQuery(c)
	d.compileSave(c)
	if len(m.On) > maxOn {
		c.add("body.on", len(m.On), "must be at most %d", maxOn)
	}
	for i := range m.On {
		if len(c.faults) < maxOn {
			d.compileOn(c, fmt.Sprintf("body.on[%d]", i), &m.On[i])
		}
	}
	return d, c.faults
}

func (d *definition) compileQuery(c *checker) {
	at, q := "body.metricsQueryMeta.", d.MetricsQueryMeta
	d.queryKey = c.template(at+"keyTemplate", d.MetricsName, q.KeyTemplate)
	d.queryField = c.template(at+"fieldTemplate", d.MetricsName, q.FieldTemplate)
	d.query = c.command(at+"queryCommand", q.QueryCommand, queries)
	if q.KeyTemplate == "" {
		c.add(at+"keyTemplate", q.KeyTemplate, "is missing")
	}
	if d.query.field && q.FieldTemplate == "" {
		c.add(at+"fieldTemplate", q.FieldTemplate, "is missing: %s needs one", q.QueryCommand)
	}
	for _, p := range append(slices.Clone(d.queryKey.placeholders), d.queryField.placeholders...) {
		if list(p) != "" {
			c.add("body.metricsQueryMeta", p, "has an element of a list, which no parameter is")
		}
	}
}

// compileSave checks that the commands fit one Redis type.
func (d *definition) compileSave(c *checker) {
	at, s := "body.metricsSaveAndDelMeta.", d.MetricsSaveAndDelMeta
	if s == (hall.MetricSave{}) {
		if len(d.On) > 0 {
			c.add("body.metricsSaveAndDelMeta", nil, "is missing: there are events that save or delete")
		}
		return
	}
	d.saveKey = c.template(at+"keyTemplate", d.MetricsName, s.KeyTemplate)
	d.saveField = c.template(at+"fieldTemplate", d.MetricsName, s.FieldTemplate)
	d.hasSaveField = s.FieldTemplate != ""
	if s.KeyTemplate == "" {
		c.add(at+"keyTemplate", s.KeyTemplate, "is missing")
	}
	for _, part := range []struct {
		place, name string
		as          role
	}{{"saveCommand", s.SaveCommand, saves}, {"delCommand", s.DelCommand, deletes}} {
		if part.name == "" {
			continue
		}
		known := c.command(at+part.place, part.name, part.as)
		if known.kind != anyKind && d.query.kind != anyKind && known.kind != d.query.kind {
			c.add(at+part.place, part.name, "works on a %s, but %s on a %s", known.kind, d.MetricsQueryMeta.QueryCommand, d.query.kind)
		}
		if known.field && known.kind == hashKind && !d.hasSaveField {
			c.add(at+"fieldTemplate", "", "is missing: %s needs one", part.name)
		}
	}
	save := table[s.SaveCommand]
	d.counter = s.SaveCommand != "" && save.value != text && save.kind != setKind && save.kind != zsetKind
}

func (d *definition) compileOn(c *checker, at string, on *hall.MetricOn) {
	a := action{as: map[string]template{}, only: on.If}
	switch on.Do {
	case hall.MetricSaves:
		a.name = d.MetricsSaveAndDelMeta.SaveCommand
	case hall.MetricDeletes:
		a.name = d.MetricsSaveAndDelMeta.DelCommand
	default:
		c.add(at+".do", on.Do, "must be save or del")
		return
	}
	if a.name == "" {
		c.add(at+".do", on.Do, "has no command: metricsSaveAndDelMeta has none")
		return
	}
	known, ok := table[a.name]
	if !ok {
		return // said before
	}
	a.does = known
	d.compileValue(c, at, on, &a)
	for name, source := range on.As {
		if !placeholderPattern.MatchString(name) {
			c.add(at+".as", name, "is not a placeholder")
		}
		a.as[name] = c.template(at+".as."+name, d.MetricsName, source)
		if list(name) != "" && !(a.as[name].lone() && list(a.as[name].placeholders[0]) != "") {
			c.add(at+".as."+name, source, "must be an element of a list too, and nothing else")
		}
	}
	d.checkPlaceholders(c, at, on, &a)
	d.actions[on.Event] = append(d.actions[on.Event], a)
	d.objects = d.objects || a.json
}

func (d *definition) compileValue(c *checker, at string, on *hall.MetricOn, a *action) {
	a.json = on.Value == wholeEvent
	if !a.json {
		a.value = c.template(at+".value", d.MetricsName, on.Value)
	}
	member := (a.does.kind == setKind || a.does.kind == zsetKind) && a.does.field && !d.hasSaveField
	switch {
	case a.does.kind == zsetKind && member:
		c.add("body.metricsSaveAndDelMeta.fieldTemplate", "", "is missing: %s needs one", a.name)
	case on.Value == "" && (a.does.value != noValue || member):
		c.add(at+".value", "", "is missing: %s needs one", a.name)
	case a.json && a.does.value != text && !member:
		c.add(at+".value", on.Value, "cannot be a whole event: %s needs a number", a.name)
	case !a.json && len(a.value.placeholders) == 0 && on.Value != "":
		if err := a.does.value.check(on.Value); err != nil {
			c.add(at+".value", on.Value, "%v, which %s needs", err, a.name)
		}
	}
}

// wanted are the placeholders that an action needs, in the event's own names.
func (d *definition) wanted(a *action) []string {
	parts := slices.Concat(d.saveKey.placeholders, a.value.placeholders)
	if a.does.field {
		parts = append(parts, d.saveField.placeholders...)
	}
	var names []string
	for _, p := range parts {
		if other, ok := a.as[p]; ok {
			names = append(names, other.placeholders...)
		} else {
			names = append(names, p)
		}
	}
	return append(names, slices.Sorted(maps.Keys(a.only))...)
}

// checkPlaceholders checks that the event can fill all that the action needs.
func (d *definition) checkPlaceholders(c *checker, at string, on *hall.MetricOn, a *action) {
	known, own := carried[on.Event]
	outside := on.Event.IsOutside()
	if !own && on.Event != anyEvent && (!outside || (hall.OutsideEvent{Event: on.Event}).Check() != nil) {
		c.add(at+".event", string(on.Event), "is not the name of an event")
		return
	}
	wanted := d.wanted(a)
	for _, p := range wanted {
		fits := slices.Contains(always, p) || slices.Contains(known, p) || (outside && list(p) == "")
		if !fits {
			c.add(at, p, "is no field of %s", on.Event)
		}
	}
	through := lists(wanted)
	if len(through) > 1 {
		c.add(at, through, "goes through several lists")
	}
	a.list = strings.Join(through, "")
}

// actionsOn are what an event does, in the order of the definition.
func (d *definition) actionsOn(event hall.EventName) []action {
	if event.IsOutside() {
		return d.actions[event]
	}
	if all := d.actions[anyEvent]; len(all) > 0 {
		return slices.Concat(d.actions[event], all)
	}
	return d.actions[event]
}

func byName(a, b *definition) int { return cmp.Compare(a.MetricsName, b.MetricsName) }
