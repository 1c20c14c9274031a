package metrics

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hallcall/hallcall/internal/hall"
)

// Limits of a query.
const (
	maxParam   = 128 // characters
	maxQueries = 100
)

// moves is how often a query begins anew when figures are made anew meanwhile.
const moves = 10

// question is a request that was checked: where its answer stands.
type question struct {
	request    *hall.MetricRequest
	definition *definition
	derived    *derivation
	key, field string
	args       []string
}

// QueryMetrics implements hall.Metrics.
func (c *Centre) QueryMetrics(ctx context.Context, id string, requests []hall.MetricRequest) ([]hall.MetricAnswer, error) {
	h, err := c.source.Hall(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(requests) > maxQueries {
		return nil, invalid(hall.Fault{Location: "body.queries", Message: fmt.Sprintf("must be at most %d", maxQueries), Value: len(requests)})
	}
	d, err := c.definitions(ctx, true)
	if err != nil {
		return nil, err
	}
	answers := make([]hall.MetricAnswer, len(requests))
	byDay := map[string][]int{} // one reading a day
	asked := make([]question, len(requests))
	for i := range requests {
		if asked[i], err = c.ask(d, &h, &requests[i]); err != nil {
			return nil, placed(err, i, len(requests))
		}
		byDay[requests[i].Day] = append(byDay[requests[i].Day], i)
	}
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		values, err := c.read(ctx, id, day, asked, byDay[day])
		if err != nil {
			return nil, err
		}
		for n, i := range byDay[day] {
			q := &asked[i]
			answers[i] = hall.MetricAnswer{MetricsName: q.request.MetricsName, Key: q.key, Field: q.field, Command: q.command()}
			if answers[i].Value, err = q.value(values[n], &h); err != nil {
				c.log.Error("a figure cannot be read", "hall", id, "metric", q.request.MetricsName, "error", err)
				answers[i].Error = "What is kept cannot be read by " + q.command() + "."
			}
		}
	}
	return answers, nil
}

func (q *question) command() string {
	if q.derived != nil {
		return q.derived.command
	}
	return q.definition.MetricsQueryMeta.QueryCommand
}

func invalid(faults ...hall.Fault) error {
	return &hall.Error{Code: hall.CodeInvalid, Message: "This cannot be asked.", Faults: faults}
}

// placed says of which of several requests an error is.
func placed(err error, i, of int) error {
	known, ok := err.(*hall.Error) //nolint:errorlint // made just before
	if !ok || of == 1 {
		return err
	}
	other := *known
	other.Faults = nil
	for _, f := range known.Faults {
		f.Location = fmt.Sprintf("body.queries[%d]%s", i, strings.TrimPrefix(f.Location, "body"))
		other.Faults = append(other.Faults, f)
	}
	return &other
}

// ask checks a request and fills in its templates.
func (c *Centre) ask(d *definitions, h *hall.Hall, r *hall.MetricRequest) (question, error) {
	q := question{request: r, derived: derivedBy(r.MetricsName)}
	if q.derived != nil {
		q.definition = q.derived.reads
	} else if q.definition = d.byName[r.MetricsName]; q.definition == nil {
		return q, &hall.Error{Code: hall.CodeUnknownMetric, Message: "There is no metric of this name.", Faults: []hall.Fault{{
			Location: "body.metricsName", Message: "is not the name of a metric", Value: r.MetricsName,
		}}}
	}
	var faults []hall.Fault
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		if message := paramFault(r.Params[name]); message != "" {
			faults = append(faults, hall.Fault{Location: "body.params." + name, Message: message, Value: r.Params[name]})
		} else if !q.takes(name) {
			faults = append(faults, hall.Fault{Location: "body.params." + name, Message: "is not a parameter of this metric", Value: r.Params[name]})
		}
	}
	given := func(name string) (string, bool) {
		value, ok := r.Params[name]
		if ok {
			return value, true
		}
		switch name {
		case "hour":
			return c.now().In(h.Location()).Format("15"), true
		case "tenMinutes":
			return tenMinutes(c.now(), h.Location()), true
		}
		return "", false
	}
	var missing []string
	need := func(name string) (string, bool) {
		value, ok := given(name)
		if !ok && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		return value, true
	}
	def := q.definition
	q.key, _ = def.queryKey.fill(need)
	if def.query.field {
		q.field, _ = def.queryField.fill(need)
	}
	for _, name := range missing {
		faults = append(faults, hall.Fault{Location: "body.params." + name, Message: "is missing"})
	}
	args, err := def.query.args(operand{field: q.field, params: r.Params})
	if wrong, ok := err.(*paramError); ok { //nolint:errorlint // made just before
		faults = append(faults, hall.Fault{Location: "body.params." + wrong.name, Message: wrong.message, Value: wrong.value})
	}
	q.args = args
	if q.derived != nil && q.derived.args != nil {
		q.args = q.derived.args
	}
	if len(faults) > 0 {
		return q, invalid(faults...)
	}
	return q, nil
}

// takes reports whether a parameter means something.
func (q *question) takes(name string) bool {
	d := q.definition
	return slices.Contains(d.queryKey.placeholders, name) || slices.Contains(d.queryField.placeholders, name) ||
		slices.Contains(d.query.options, name) || (q.derived != nil && slices.Contains(q.derived.options, name))
}

// paramFault says what is wrong with the text of a parameter, "" if nothing is.
func paramFault(value string) string {
	switch {
	case !utf8.ValidString(value) || strings.ContainsAny(value, "#{}") || strings.ContainsFunc(value, isControl):
		return "must be text without #, {, } and control characters"
	case utf8.RuneCountInString(value) > maxParam:
		return fmt.Sprintf("must have at most %d characters", maxParam)
	}
	return ""
}

// read asks for the figures of one day, after all events that there are now.
func (c *Centre) read(ctx context.Context, id, day string, asked []question, which []int) ([]any, error) {
	for range moves {
		p, err := c.upToDate(ctx, id, day)
		if err != nil {
			return nil, err
		}
		k := keysOf(c.prefix, id)
		names, args := []string{k.followed()}, []any{liveField(p.day), p.generation}
		for _, i := range which {
			q := &asked[i]
			names = append(names, q.keyIn(k.generation(p.day, p.generation)))
			args = append(args, q.command(), len(q.args))
			for _, arg := range q.args {
				args = append(args, arg)
			}
		}
		answer, err := figuresRead.Run(ctx, c.client, names, args...).Slice()
		if err != nil {
			return nil, failed("query", err)
		}
		if moved, _ := answer[0].(int64); moved == 1 {
			return answer[1:], nil
		}
		c.forget(ctx, id)
	}
	return nil, fmt.Errorf("metrics: query of hall %s: its figures were made anew again and again", id)
}

func (q *question) keyIn(g generation) string {
	if q.derived != nil && q.derived.beside != nil {
		return q.derived.beside(g)
	}
	return g.figure(q.definition.querySpace, q.key)
}

// upToDate follows a hall to its last event and returns the position of a day,
// which is not changed by anybody else.
func (c *Centre) upToDate(ctx context.Context, id, day string) (*position, error) {
	f, err := c.take(ctx, id)
	if err != nil {
		return nil, err
	}
	defer f.give()
	if err := c.follow(ctx, id, f); err != nil {
		return nil, err
	}
	present := f.at
	if day != "" && day != hall.CurrentDay {
		number, err := c.source.DayNumber(ctx, id, day)
		if err != nil {
			return nil, err
		}
		if present == nil || present.day != number {
			return c.figuresOf(ctx, id, number)
		}
	}
	if present == nil { // kept by a newer program
		return c.figuresOf(ctx, id, 0)
	}
	p := *present
	return &p, nil
}

// figuresOf is the position of a day that has figures.
func (c *Centre) figuresOf(ctx context.Context, id string, day int) (*position, error) {
	p, err := c.readPosition(ctx, id, day)
	if err == nil && p.generation == "" {
		err = &hall.Error{Code: hall.CodeUnknownDay, Message: "There are no figures of this day."}
	}
	return p, err
}

// forget has the position of a hall read again.
func (c *Centre) forget(ctx context.Context, id string) {
	if f, err := c.take(ctx, id); err == nil {
		f.at = nil
		f.give()
	}
}

// value makes an answer of Redis the value of a figure.
func (q *question) value(answer any, h *hall.Hall) (any, error) {
	pair, _ := answer.([]any)
	if len(pair) == 0 {
		return nil, fmt.Errorf("metrics: %s: answered %v", q.request.MetricsName, answer)
	}
	var reply any // what is nil in Lua ends a list
	if len(pair) > 1 {
		reply = pair[1]
	}
	if ok, _ := pair[0].(int64); ok != 1 {
		return nil, fmt.Errorf("metrics: %s: %v", q.request.MetricsName, reply)
	}
	switch {
	case q.derived == nil:
		return q.definition.valueOf(reply), nil
	case q.derived.list != nil:
		return q.derived.list(textsOf(reply)), nil
	}
	return q.derived.value(hashOf(reply), q.request.Params, h), nil
}

// plainNumber is a text that every reader of JSON takes for the same number.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,17})?$`)

// valueOf reads an answer of the definition's query command: counts and what
// is a number are numbers, whole events are objects, others texts.
func (d *definition) valueOf(reply any) any {
	switch d.MetricsQueryMeta.QueryCommand {
	case "HGETALL":
		values := map[string]any{}
		for field, text := range hashOf(reply) {
			values[field] = d.single(text)
		}
		return values
	case "SMEMBERS", "ZRANGE":
		members := textsOf(reply)
		if d.query.kind == setKind {
			slices.Sort(members)
		}
		return members
	}
	switch reply := reply.(type) {
	case int64:
		return reply
	case string:
		return d.single(reply)
	}
	if d.counter {
		return 0
	}
	return nil
}

func (d *definition) single(text string) any {
	switch {
	case plainNumber.MatchString(text):
		return json.Number(text)
	case d.objects && json.Valid([]byte(text)):
		return json.RawMessage(text)
	case d.counter || d.query.kind == zsetKind: // more digits than that
		if f, err := strconv.ParseFloat(text, 64); err == nil && f-f == 0 {
			return f
		}
	}
	return text
}

// textsOf reads a list of texts.
func textsOf(reply any) []string {
	texts := []string{}
	flat, _ := reply.([]any)
	for _, one := range flat {
		text, _ := one.(string)
		texts = append(texts, text)
	}
	return texts
}

// hashOf reads a flat list of fields and values.
func hashOf(reply any) map[string]string {
	flat, _ := reply.([]any)
	hash := make(map[string]string, len(flat)/2)
	for i := 0; i+1 < len(flat); i += 2 {
		field, _ := flat[i].(string)
		hash[field], _ = flat[i+1].(string)
	}
	return hash
}
