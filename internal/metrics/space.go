package metrics

import (
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// space begins the keys of figures, apart from those of the other space: what
// is put can neither destroy nor falsify what is built in.
type space string

const (
	builtInSpace space = "figure:"
	putSpace     space = "put:"
)

// compilePut checks a metric that is put. It saves in the space of those that
// are put, and reads a built-in figure where its key can be no other.
func compilePut(m hall.Metric, builtIn []*definition) (*definition, []hall.Fault) {
	d, faults := compile(m)
	if len(faults) > 0 {
		return d, faults
	}
	c := &checker{}
	d.saveSpace, d.querySpace = putSpace, putSpace
	if d.saving() {
		if owner := d.saveKey.owner(builtIn); owner != nil {
			c.add("body.metricsSaveAndDelMeta.keyTemplate", m.MetricsSaveAndDelMeta.KeyTemplate,
				"is that of the built-in metric %s, which nothing else saves", owner.MetricsName)
		}
	}
	if owner := d.queryKey.owner(builtIn); owner != nil {
		d.querySpace = builtInSpace
		if owner.query.kind != d.query.kind {
			c.add("body.metricsQueryMeta.keyTemplate", m.MetricsQueryMeta.KeyTemplate,
				"is that of the metric %s, which is of another Redis type", owner.MetricsName)
		}
	}
	return d, c.faults
}

// saving reports whether the definition has a key that it saves or deletes.
func (d *definition) saving() bool { return len(d.saveKey.literals) > 0 }

// owner is the built-in definition whose keys are all that the template can name.
func (t template) owner(builtIn []*definition) *definition {
	for _, d := range builtIn {
		if d.saving() && d.saveKey.covers(t) {
			return d
		}
	}
	return nil
}

// clash says which other definition can have a key of this one but another
// type, "" for none. That two of them read one key does no harm.
func (d *definition) clash(others []*definition) string {
	for _, other := range others {
		if other.MetricsName == d.MetricsName || other.query.kind == d.query.kind {
			continue
		}
		if d.savesWhatIsOf(other) || other.savesWhatIsOf(d) {
			return other.MetricsName
		}
	}
	return ""
}

// savesWhatIsOf reports whether the definition can save a key that the other one saves or reads.
func (d *definition) savesWhatIsOf(other *definition) bool {
	if !d.saving() {
		return false
	}
	return (d.saveSpace == other.querySpace && d.saveKey.meets(other.queryKey)) ||
		(other.saving() && d.saveSpace == other.saveSpace && d.saveKey.meets(other.saveKey))
}

// What stands for a placeholder in a pattern: no template has such characters.
const (
	anyText  = '\x00' // whatever it is filled with: no ":", which is escaped there
	someText = '\x01' // a text that is not known
)

func (t template) pattern(placeholder byte) string {
	return strings.Join(t.literals, string(rune(placeholder)))
}

// meets reports whether both templates can be filled to one key.
func (t template) meets(other template) bool {
	return t.lone() || other.lone() || common(t.pattern(anyText), other.pattern(anyText))
}

// covers reports whether whatever the other template is filled with is a key of this one.
func (t template) covers(other template) bool {
	return t.lone() || (!other.lone() && common(t.pattern(anyText), other.pattern(someText)))
}

// common reports whether a text fits both patterns. It looks at every pair of
// ends of them once, from the last on.
func common(a, b string) bool {
	below := make([]bool, len(b)+1)
	for i := len(a); i >= 0; i-- {
		row := make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			switch aAny, bAny := i < len(a) && a[i] == anyText, j < len(b) && b[j] == anyText; {
			case aAny:
				row[j] = below[j] || (j < len(b) && b[j] != ':' && row[j+1])
			case bAny:
				row[j] = row[j+1] || (i < len(a) && a[i] != ':' && below[j])
			case i == len(a) || j == len(b):
				row[j] = i == len(a) && j == len(b)
			default:
				row[j] = a[i] == b[j] && below[j+1]
			}
		}
		below = row
	}
	return below[0]
}
