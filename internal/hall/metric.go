package hall

import "context"

// Metric is the definition of a figure that events keep up to date: where its
// value stands, by templates with #placeholders#, and with which commands it
// is saved, deleted and queried. It is a document: stored and sent as this JSON.
type Metric struct {
	MetricsName           string      `json:"metricsName"`
	Description           string      `json:"description,omitempty"`
	MetricsQueryMeta      MetricQuery `json:"metricsQueryMeta"`
	MetricsSaveAndDelMeta MetricSave  `json:"metricsSaveAndDelMeta,omitzero"`
	On                    []MetricOn  `json:"on,omitempty"`
}

// MetricQuery says how a figure is asked for; its placeholders are the
// parameters of a query.
type MetricQuery struct {
	KeyTemplate   string `json:"keyTemplate"`
	FieldTemplate string `json:"fieldTemplate,omitempty"`
	QueryCommand  string `json:"queryCommand"`
}

// MetricSave says where and how events save and delete; its placeholders are
// fields of the events. It is empty for a figure that others save.
type MetricSave struct {
	KeyTemplate   string `json:"keyTemplate,omitempty"`
	FieldTemplate string `json:"fieldTemplate,omitempty"`
	SaveCommand   string `json:"saveCommand,omitempty"`
	DelCommand    string `json:"delCommand,omitempty"`
}

// MetricOn is what one kind of event does. As gives placeholders another
// meaning: the value of another field ("#from#") or a literal. If names fields
// that must have these values ("*": any, "": none), else the event does nothing.
type MetricOn struct {
	Event EventName         `json:"event"`
	Do    string            `json:"do"`
	Value string            `json:"value,omitempty"`
	As    map[string]string `json:"as,omitempty"`
	If    map[string]string `json:"if,omitempty"`
}

// What a MetricOn does.
const (
	MetricSaves   = "save"
	MetricDeletes = "del"
)

// KnownMetric is a definition as it is in use.
type KnownMetric struct {
	Metric

	BuiltIn bool
	Derived bool // worked out of other figures at the time of the query
}

// MetricRequest asks for one figure. Day is an id of a day, CurrentDay or empty
// for the present one.
type MetricRequest struct {
	MetricsName string
	Params      map[string]string
	Day         string
}

// MetricAnswer is a figure: Value is a number, a text, a list, a map or nil.
// Error says why this one figure cannot be read; Value is nil then.
type MetricAnswer struct {
	MetricsName, Key, Field, Command string
	Value                            any
	Error                            string
}

// Metrics are the figures of all halls, made from their events.
type Metrics interface {
	// Metrics lists the definitions in use, by name.
	Metrics(ctx context.Context) ([]KnownMetric, error)
	// PutMetric adds a definition or replaces one; the present day of every
	// hall is filled by it. CodeInvalid lists every fault; CodeInUse for a name
	// that is built in.
	PutMetric(ctx context.Context, m Metric) (created bool, err error)
	// QueryMetrics answers each request, with all events that had happened when
	// it was called. CodeUnknownHall, CodeUnknownMetric, CodeUnknownDay;
	// CodeInvalid names the parameter. A figure that cannot be read has an
	// Error in its answer, the others are answered.
	QueryMetrics(ctx context.Context, hall string, requests []MetricRequest) ([]MetricAnswer, error)
}
