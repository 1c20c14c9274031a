package metrics

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// maxDefinitions is how many may be put beside those that are built in.
const maxDefinitions = 500

// version tells sets of definitions apart: which built-in ones, and how often
// others were put. Figures are always made by one version.
type version struct{ builtIn, put int64 }

func (v version) String() string { return fmt.Sprintf("%d.%d", v.builtIn, v.put) }

func versionOf(text string) version {
	first, second, _ := strings.Cut(text, ".")
	var v version
	v.builtIn, _ = strconv.ParseInt(first, 10, 64)
	v.put, _ = strconv.ParseInt(second, 10, 64)
	return v
}

// older reports whether figures by v are to be made anew by other.
func (v version) older(other version) bool {
	return v.builtIn < other.builtIn || (v.builtIn == other.builtIn && v.put < other.put)
}

// definitions are all that are in use.
type definitions struct {
	version version
	all     []*definition // by name
	byName  map[string]*definition
	asked   time.Time // when they were known to be those in use
}

// definitions are those in use, not older than the centre's patience.
func (c *Centre) definitions(ctx context.Context, now bool) (*definitions, error) {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known != nil && !now && time.Since(known.asked) < c.fresh {
		return known, nil
	}
	return c.readDefinitions(ctx, known)
}

// readDefinitions reads them again if another version is in use.
func (c *Centre) readDefinitions(ctx context.Context, known *definitions) (*definitions, error) {
	asked := time.Now() //nolint:forbidigo // only to measure
	key := definitionsKey(c.prefix)
	if known != nil {
		put, err := c.client.HGet(ctx, key, versionField).Result()
		if err != nil && err != redis.Nil { //nolint:errorlint // go-redis returns it as it is
			return nil, failed("version of definitions", err)
		}
		if strconv.FormatInt(known.version.put, 10) == put || (put == "" && known.version.put == 0) {
			again := *known
			again.asked = asked
			return c.remember(&again), nil
		}
	}
	kept, err := c.client.HGetAll(ctx, key).Result()
	if err != nil {
		return nil, failed("definitions", err)
	}
	read, err := c.compileAll(kept)
	if err != nil {
		return nil, err
	}
	read.asked = asked
	return c.remember(read), nil
}

// remember keeps definitions unless newer ones are known by now.
func (c *Centre) remember(d *definitions) *definitions {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || !d.version.older(c.known.version) {
		c.known = d
	}
	return c.known
}

// compileAll makes definitions of those that are built in and those kept. A
// kept one that this program does not take, such as one of a newer program, is
// left out and said so.
func (c *Centre) compileAll(kept map[string]string) (*definitions, error) {
	d := &definitions{version: version{builtIn: builtInVersion}, byName: map[string]*definition{}}
	d.version.put, _ = strconv.ParseInt(kept[versionField], 10, 64)
	for _, b := range c.builtIn {
		d.byName[b.MetricsName] = b
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if name == versionField || d.byName[name] != nil {
			continue
		}
		var m hall.Metric
		if err := json.Unmarshal([]byte(kept[name]), &m); err != nil {
			return nil, fmt.Errorf("metrics: definition %s: %w", name, err)
		}
		compiled, faults := compilePut(m, c.builtIn)
		if len(faults) > 0 {
			c.log.Error("a metric is left out: its definition is not taken", "metric", name, "fault", faults[0].Location+" "+faults[0].Message)
			continue
		}
		d.byName[name] = compiled
	}
	d.all = slices.SortedFunc(maps.Values(d.byName), byName)
	return d, nil
}

// Metrics implements hall.Metrics.
func (c *Centre) Metrics(ctx context.Context) ([]hall.KnownMetric, error) {
	d, err := c.definitions(ctx, true)
	if err != nil {
		return nil, err
	}
	list := make([]hall.KnownMetric, 0, len(d.all)+len(derived))
	for _, one := range d.all {
		list = append(list, hall.KnownMetric{Metric: one.Metric, BuiltIn: c.isBuiltIn(one.MetricsName)})
	}
	for _, one := range derived {
		list = append(list, hall.KnownMetric{Metric: one.metric(), BuiltIn: true, Derived: true})
	}
	slices.SortFunc(list, func(a, b hall.KnownMetric) int { return strings.Compare(a.MetricsName, b.MetricsName) })
	return list, nil
}

func (c *Centre) isBuiltIn(name string) bool {
	return derivedBy(name) != nil || slices.ContainsFunc(c.builtIn, func(d *definition) bool { return d.MetricsName == name })
}

// PutMetric implements hall.Metrics.
func (c *Centre) PutMetric(ctx context.Context, m hall.Metric) (created bool, err error) {
	compiled, faults := compilePut(m, c.builtIn)
	if len(faults) > 0 {
		return false, &hall.Error{Code: hall.CodeInvalid, Message: "This definition cannot be taken.", Faults: faults}
	}
	if c.isBuiltIn(m.MetricsName) {
		return false, &hall.Error{Code: hall.CodeInUse, Message: "This name is that of a built-in metric, which cannot be replaced."}
	}
	for range puts {
		d, err := c.definitions(ctx, true)
		if err != nil {
			return false, err
		}
		if err := c.fits(compiled, d); err != nil {
			return false, err
		}
		kept, err := c.keep(ctx, m, d.version.put)
		if err != nil || kept != another {
			return kept == added, err
		}
	}
	return false, fmt.Errorf("metrics: definition %s: %w: others were put again and again", m.MetricsName, hall.ErrUnavailable)
}

// puts is how often a definition is checked anew when others are put meanwhile.
const puts = 20

// fits checks a definition against the others.
func (c *Centre) fits(compiled *definition, d *definitions) error {
	if other := compiled.clash(d.all); other != "" {
		return &hall.Error{Code: hall.CodeInvalid, Message: "This definition cannot be taken.", Faults: []hall.Fault{{
			Location: "body.metricsQueryMeta.keyTemplate", Value: compiled.MetricsQueryMeta.KeyTemplate,
			Message: "can name a key of the metric " + other + ", which is of another Redis type",
		}}}
	}
	if d.byName[compiled.MetricsName] == nil && len(d.all)-len(c.builtIn) >= maxDefinitions {
		return &hall.Error{Code: hall.CodeInvalid, Message: fmt.Sprintf("There are %d definitions, as many as can be kept.", maxDefinitions)}
	}
	return nil
}

// What definition_put.lua answers.
const (
	another   = -1
	unchanged = 0
	added     = 2
)

// keep writes a definition and makes a new version of all of them, if the
// version that it was checked against is still in use. The same one again
// changes nothing.
func (c *Centre) keep(ctx context.Context, m hall.Metric, checked int64) (int, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return 0, fmt.Errorf("metrics: encode definition: %w", err)
	}
	kept, err := definitionPut.Run(ctx, c.client, []string{definitionsKey(c.prefix)}, m.MetricsName, text, checked, versionField).Int()
	if err != nil {
		return 0, failed("put definition", err)
	}
	if kept == another || kept == unchanged {
		return kept, nil
	}
	if _, err := c.definitions(ctx, true); err != nil {
		return 0, err
	}
	c.mu.Lock()
	told := c.put
	c.mu.Unlock()
	told()
	return kept, nil
}
