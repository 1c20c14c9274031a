package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// metricsCentre registers the figures that events keep up to date.
func (r *routes) metricsCentre() {
	register(r, access.See, huma.Operation{
		OperationID: "list-metrics", Method: http.MethodGet, Path: "/metrics",
		Summary: "List the definitions of metrics, by name",
	}, r.listMetrics)
	register(r, access.Administer, huma.Operation{
		OperationID: "put-metric", Method: http.MethodPut, Path: "/metrics/{name}",
		Summary: "Add or replace the definition of a metric",
		Description: "The present day of every hall is filled by it. A definition whose commands do not fit one Redis type, and a " +
			"placeholder that no field of its events can fill, are refused. Built-in metrics cannot be replaced.",
		Errors:    conflict,
		Responses: map[string]*huma.Response{"201": describe[metricShape](r, "Added", jsonType)},
	}, r.putMetric)
	register(r, access.See, huma.Operation{
		OperationID: "query-metrics", Method: http.MethodPost, Path: "/halls/{hall}/metrics/query",
		Summary: "Ask for figures of a day",
		Description: "Either one figure, by metricsName and params, or several at once as queries, answered as answers. All events that there are have been counted. " +
			"A figure that cannot be read is unreadable (409); of several it has an error, and the others are answered.",
		Errors: conflict,
	}, r.queryMetrics)
	register(r, access.Manage, huma.Operation{
		OperationID: "send-event", Method: http.MethodPost, Path: "/halls/{hall}/metrics/events",
		Summary:       "Append an event of another system",
		Description:   "Its name begins with x_. It changes nothing but the figures of definitions that name it. What every event has itself (id, event, at, by, day, hour, tenMinutes, first, metricsName) is no field. No names, no ID numbers, no free text.",
		DefaultStatus: http.StatusCreated,
	}, r.sendEvent)
}

// GET /metrics
func (r *routes) listMetrics(ctx context.Context, input *struct{ Paging }) (*reply[list[metricShape]], error) {
	all, err := r.metrics.Metrics(ctx)
	if err != nil {
		return nil, err
	}
	return replyList(pageOf(all, input.page()), input.page(), metricShapeOf), nil
}

// PUT /metrics/{name}
func (r *routes) putMetric(ctx context.Context, input *struct {
	Name string `path:"name" doc:"of the metric: 1 to 64 letters, digits or _"`
	Body MetricBody
},
) (*statusReply[metricShape], error) {
	m := input.Body.metric()
	if m.MetricsName == "" {
		m.MetricsName = input.Name
	}
	if m.MetricsName != input.Name {
		return nil, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: []hall.Fault{{
			Location: "body.metricsName", Message: "must be the name in the address", Value: m.MetricsName,
		}}}
	}
	created, err := r.metrics.PutMetric(ctx, m)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return &statusReply[metricShape]{Status: status, Body: metricShapeOf(&hall.KnownMetric{Metric: m})}, nil
}

// POST /halls/{hall}/metrics/query
func (r *routes) queryMetrics(ctx context.Context, input *struct {
	HallPath
	Body struct {
		MetricsName string            `json:"metricsName,omitempty" example:"machineOutCount"`
		Params      map[string]string `json:"params,omitempty" nullable:"false" doc:"a value for each placeholder"`
		Day         string            `json:"day,omitempty" doc:"id of a day; the present one if left out" example:"current"`
		Queries     []queryShape      `json:"queries,omitempty" nullable:"false" minItems:"1" maxItems:"100" doc:"several at once"`
	}
},
) (*reply[figuresShape], error) {
	body := &input.Body
	single := queryShape{body.MetricsName, body.Params, body.Day}
	if several := body.Queries != nil; several == (single.MetricsName != "") || (several && (single.Params != nil || single.Day != "")) {
		return nil, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: []hall.Fault{{
			Location: "body.metricsName", Message: "must be given, or queries, but not both",
		}}}
	}
	asked := body.Queries
	if asked == nil {
		asked = []queryShape{single}
	}
	requests := make([]hall.MetricRequest, len(asked))
	for i, q := range asked {
		requests[i] = hall.MetricRequest{MetricsName: q.MetricsName, Params: q.Params, Day: q.Day}
	}
	answers, err := r.metrics.QueryMetrics(ctx, input.Hall, requests)
	if err != nil {
		return nil, err
	}
	shapes := make([]figureShape, len(answers))
	for i := range answers {
		shapes[i] = figureShapeOf(&answers[i])
	}
	if body.Queries == nil {
		one := shapes[0]
		if one.Error != "" {
			return nil, &hall.Error{Code: hall.CodeUnreadable, Message: one.Error}
		}
		return &reply[figuresShape]{Body: figuresShape{
			MetricsName: one.MetricsName, Key: one.Key, Field: one.Field, Command: one.Command, Value: &one.Value,
		}}, nil
	}
	return &reply[figuresShape]{Body: figuresShape{Answers: shapes}}, nil
}

// POST /halls/{hall}/metrics/events
func (r *routes) sendEvent(ctx context.Context, input *struct {
	HallPath
	Body struct {
		Event  hall.EventName    `json:"event" pattern:"^x_[a-z0-9_]{1,60}$" example:"x_agent_rest"`
		Fields map[string]string `json:"fields,omitempty" nullable:"false" maxProperties:"32" doc:"names of letters, digits and _; values of at most 256 characters"`
	}
},
) (*reply[eventShape], error) {
	e, err := r.store.AppendEvent(ctx, input.Hall, hall.OutsideEvent{Event: input.Body.Event, Fields: input.Body.Fields}, caller(ctx))
	if err != nil {
		return nil, err
	}
	return &reply[eventShape]{Body: eventShapeOf(&e)}, nil
}

// MetricBody is a definition as it is sent.
type MetricBody struct {
	MetricsName           string          `json:"metricsName,omitempty" doc:"that in the address if left out"`
	Description           string          `json:"description,omitempty"`
	MetricsQueryMeta      metricQueryMeta `json:"metricsQueryMeta"`
	MetricsSaveAndDelMeta *metricSaveMeta `json:"metricsSaveAndDelMeta,omitempty" doc:"left out for a figure that other definitions save"`
	On                    []metricOnShape `json:"on,omitempty" nullable:"false" maxItems:"64"`
}

type metricQueryMeta struct {
	KeyTemplate   string `json:"keyTemplate" doc:"within the metrics of the hall and the day" example:"im:agent:#metricsName#:#businessLineId#"`
	FieldTemplate string `json:"fieldTemplate,omitempty" example:"#agentNum#"`
	QueryCommand  string `json:"queryCommand" doc:"HGET, HGETALL, HLEN, GET, SMEMBERS, SCARD, ZSCORE, ZCOUNT (parameters min, max), ZRANGE (start, stop) or ZCARD" example:"HGET"`
}

type metricSaveMeta struct {
	KeyTemplate   string `json:"keyTemplate"`
	FieldTemplate string `json:"fieldTemplate,omitempty" doc:"field of a hash, member of a set"`
	SaveCommand   string `json:"saveCommand,omitempty" doc:"HSET, HINCRBY, HINCRBYFLOAT, SET, INCRBY, SADD or ZADD" example:"HINCRBY"`
	DelCommand    string `json:"delCommand,omitempty" doc:"HDEL, SREM, ZREM or DEL" example:"HDEL"`
}

type metricOnShape struct {
	Event hall.EventName    `json:"event" doc:"name of an event; * for every one of the hall's own"`
	Do    string            `json:"do" enum:"save,del"`
	Value string            `json:"value,omitempty" doc:"a literal, a #field#, or json for the whole event"`
	As    map[string]string `json:"as,omitempty" nullable:"false" doc:"what a placeholder stands for instead: another #field# or a literal"`
	If    map[string]string `json:"if,omitempty" nullable:"false" doc:"values that fields must have; * is any"`
}

func (b *MetricBody) metric() hall.Metric {
	m := hall.Metric{MetricsName: b.MetricsName, Description: b.Description, MetricsQueryMeta: hall.MetricQuery(b.MetricsQueryMeta)}
	if b.MetricsSaveAndDelMeta != nil {
		m.MetricsSaveAndDelMeta = hall.MetricSave(*b.MetricsSaveAndDelMeta)
	}
	for _, on := range b.On {
		m.On = append(m.On, hall.MetricOn(on))
	}
	return m
}

// metricShape is a definition as it is in use.
type metricShape struct {
	MetricBody

	BuiltIn bool `json:"builtIn"`
	Derived bool `json:"derived,omitempty" doc:"worked out of other figures when it is asked for"`
}

func metricShapeOf(m *hall.KnownMetric) metricShape {
	shape := metricShape{MetricBody: MetricBody{
		MetricsName: m.MetricsName, Description: m.Description, MetricsQueryMeta: metricQueryMeta(m.MetricsQueryMeta),
	}, BuiltIn: m.BuiltIn, Derived: m.Derived}
	if m.MetricsSaveAndDelMeta != (hall.MetricSave{}) {
		save := metricSaveMeta(m.MetricsSaveAndDelMeta)
		shape.MetricsSaveAndDelMeta = &save
	}
	for _, on := range m.On {
		shape.On = append(shape.On, metricOnShape(on))
	}
	return shape
}

// queryShape asks for one figure.
type queryShape struct {
	MetricsName string            `json:"metricsName"`
	Params      map[string]string `json:"params,omitempty" nullable:"false"`
	Day         string            `json:"day,omitempty"`
}

// figureShape is one figure.
type figureShape struct {
	MetricsName string      `json:"metricsName"`
	Key         string      `json:"key" doc:"within the metrics of the hall and the day"`
	Field       string      `json:"field,omitempty"`
	Command     string      `json:"command"`
	Value       figureValue `json:"value"`
	Error       string      `json:"error,omitempty" doc:"why this figure cannot be read; its value is null then"`
}

// figuresShape is the answer to one query, or to several as answers.
type figuresShape struct {
	MetricsName string        `json:"metricsName,omitempty"`
	Key         string        `json:"key,omitempty"`
	Field       string        `json:"field,omitempty"`
	Command     string        `json:"command,omitempty"`
	Value       *figureValue  `json:"value,omitempty"`
	Answers     []figureShape `json:"answers,omitempty" nullable:"false"`
}

func figureShapeOf(a *hall.MetricAnswer) figureShape {
	return figureShape{MetricsName: a.MetricsName, Key: a.Key, Field: a.Field, Command: a.Command, Value: figureValue{a.Value}, Error: a.Error}
}

// figureValue is whatever a figure is: a number, a text, a list, an object or null.
type figureValue struct{ any }

// MarshalJSON writes the value itself.
func (v figureValue) MarshalJSON() ([]byte, error) { return json.Marshal(v.any) }

// Schema describes a value of any kind.
func (figureValue) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Description: "a number, a text, a list, an object or null"}
}

var _ huma.SchemaProvider = figureValue{}
