package metrics

import (
	"encoding/json"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestRefusedDefinitions has a sound definition with one thing changed, and
// where the fault is then said to be.
func TestRefusedDefinitions(t *testing.T) {
	t.Parallel()
	const sound = `{"metricsName": "a", "metricsQueryMeta": {"keyTemplate": "k:#subject#", "fieldTemplate": "#machine#", "queryCommand": "HGET"},
		"metricsSaveAndDelMeta": {"keyTemplate": "k:#subject#", "fieldTemplate": "#machine#", "saveCommand": "HINCRBY", "delCommand": "HDEL"},
		"on": [{"event": "candidate_called", "do": "save", "value": "1"}]}`
	const save, query, on = "body.metricsSaveAndDelMeta.", "body.metricsQueryMeta.", "body.on[0]"
	for name, test := range map[string]struct{ old, replaced, location string }{
		"sound":                   {`"a"`, `"a"`, ""},
		"name":                    {`"a"`, `"a:b"`, "body.metricsName"},
		"long name":               {`"a"`, `"` + strings.Repeat("a", 65) + `"`, "body.metricsName"},
		"unknown query":           {`"HGET"`, `"KEYS"`, query + "queryCommand"},
		"query that saves":        {`"HGET"`, `"HSET"`, query + "queryCommand"},
		"unknown save":            {`"HINCRBY"`, `"EVAL"`, save + "saveCommand"},
		"save that deletes":       {`"HINCRBY"`, `"HDEL"`, save + "saveCommand"},
		"delete that queries":     {`"HDEL"`, `"HGET"`, save + "delCommand"},
		"save of another type":    {`"HINCRBY"`, `"SADD"`, save + "saveCommand"},
		"delete of another type":  {`"HDEL"`, `"ZREM"`, save + "delCommand"},
		"query of another type":   {`"HGET"`, `"GET"`, save + "saveCommand"},
		"DEL fits all":            {`"HDEL"`, `"DEL"`, ""},
		"no field":                {`"fieldTemplate": "#machine#", "saveCommand"`, `"saveCommand"`, save + "fieldTemplate"},
		"no field to query":       {`"fieldTemplate": "#machine#", "queryCommand"`, `"queryCommand"`, query + "fieldTemplate"},
		"no key":                  {`"keyTemplate": "k:#subject#", "fieldTemplate": "#machine#", "queryCommand"`, `"keyTemplate": "", "fieldTemplate": "#machine#", "queryCommand"`, query + "keyTemplate"},
		"brace":                   {`"k:#subject#", "fieldTemplate": "#machine#", "saveCommand"`, `"k:{x}", "fieldTemplate": "#machine#", "saveCommand"`, save + "keyTemplate"},
		"half a placeholder":      {`"k:#subject#", "fieldTemplate": "#machine#", "saveCommand"`, `"k:#subject", "fieldTemplate": "#machine#", "saveCommand"`, save + "keyTemplate"},
		"empty placeholder":       {`"k:#subject#", "fieldTemplate": "#machine#", "saveCommand"`, `"k:##", "fieldTemplate": "#machine#", "saveCommand"`, save + "keyTemplate"},
		"control":                 {`"k:#subject#", "fieldTemplate": "#machine#", "saveCommand"`, `"k:\u0000", "fieldTemplate": "#machine#", "saveCommand"`, save + "keyTemplate"},
		"field of no event":       {`"k:#subject#", "fieldTemplate": "#machine#", "saveCommand"`, `"k:#colour#", "fieldTemplate": "#machine#", "saveCommand"`, on},
		"field of another event":  {`"candidate_called"`, `"candidate_done"`, on},
		"list in a query":         {`"k:#subject#", "fieldTemplate": "#machine#", "queryCommand"`, `"k:#remaining[]#", "fieldTemplate": "#machine#", "queryCommand"`, "body.metricsQueryMeta"},
		"list of an event":        {`"k:#subject#", "fieldTemplate": "#machine#", "saveCommand"`, `"k:#remaining[]#", "fieldTemplate": "#machine#", "saveCommand"`, ""},
		"list of outside":         {`"candidate_called", "do": "save", "value": "1"`, `"x_a", "do": "save", "value": "1", "as": {"machine": "#a[]#"}`, on},
		"unknown event":           {`"candidate_called"`, `"candidate_sneezed"`, on + ".event"},
		"outside event":           {`"candidate_called"`, `"x_called"`, ""},
		"bad outside event":       {`"candidate_called"`, `"x_Called"`, on + ".event"},
		"every event":             {`"candidate_called"`, `"*"`, on},
		"neither save nor del":    {`"save", "value"`, `"add", "value"`, on + ".do"},
		"no number":               {`"value": "1"`, `"value": "one"`, on + ".value"},
		"number with a plus":      {`"value": "1"`, `"value": "+1"`, on + ".value"},
		"number of a field":       {`"value": "1"`, `"value": "#recalls#"`, on},
		"duration":                {`"value": "1"`, `"value": "#waitMillis#"`, ""},
		"no value":                {`, "value": "1"`, ``, on + ".value"},
		"whole event is no count": {`"value": "1"`, `"value": "json"`, on + ".value"},
		"no command for it":       {`, "delCommand": "HDEL"}`, `}`, ""},
		"as":                      {`"value": "1"`, `"value": "1", "as": {"subject": "#from#"}`, on},
		"if":                      {`"value": "1"`, `"value": "1", "if": {"colour": "red"}`, on},
		"if that can be":          {`"value": "1"`, `"value": "1", "if": {"class": "vip"}`, ""},
		"several lists":           {`"candidate_called", "do": "save", "value": "1"`, `"candidate_changed", "do": "save", "value": "1", "as": {"subject": "#remaining[]#", "machine": "#subjects[]#"}`, on},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(sound, test.old) {
				t.Fatal("the sound one has nothing to change")
			}
			var m hall.Metric
			if err := json.Unmarshal([]byte(strings.Replace(sound, test.old, test.replaced, 1)), &m); err != nil {
				t.Fatal(err)
			}
			_, faults := compile(m)
			locations := []string{}
			for _, f := range faults {
				locations = append(locations, f.Location)
			}
			if (test.location == "") != (len(faults) == 0) || (test.location != "" && !slices.Contains(locations, test.location)) {
				t.Errorf("faults are %+v, want one at %q", faults, test.location)
			}
		})
	}
}

// TestBuiltIn reads the built-in definitions; every event has its fields.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	all, err := readBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 25 {
		t.Errorf("there are %d built-in definitions", len(all))
	}
	for _, d := range all {
		if d.Description == "" || derivedBy(d.MetricsName) != nil {
			t.Errorf("%s has no description, or the name of a derived one", d.MetricsName)
		}
	}
}

// TestSpread compares a distribution read from buckets with the exact one; the
// errors are within what Spread says.
func TestSpread(t *testing.T) {
	t.Parallel()
	hash := map[string]int{}
	var all []time.Duration
	for i := range 1000 {
		d := time.Duration(i*i*7) * time.Millisecond
		all = append(all, d)
		hash[bucketOf(d)]++
		hash["count"]++
		hash["millis"] += int(d.Milliseconds())
	}
	texts := map[string]string{}
	for field, n := range hash {
		text, _ := json.Marshal(n)
		texts[field] = string(text)
	}
	s := SpreadOf(texts)
	exact := Spread{Count: 1000, MeanSeconds: 2329.835, MedianSeconds: all[499].Seconds(), P95Seconds: all[949].Seconds(), MaxSeconds: all[999].Seconds()}
	near := func(got, want float64) bool { return got > want*0.8 && got < want*1.25 }
	if s.Count != exact.Count || rounded(s.MeanSeconds-exact.MeanSeconds) > 0.001 || !near(s.MedianSeconds, exact.MedianSeconds) ||
		!near(s.P95Seconds, exact.P95Seconds) || s.MaxSeconds < exact.MaxSeconds || !near(s.MaxSeconds, exact.MaxSeconds) {
		t.Errorf("spread is %+v, exactly %+v", s, exact)
	}
	within := 0
	for _, d := range all {
		if d <= 1800*time.Second {
			within++
		}
	}
	if got := shareWithin(texts, 1800); got != float64(within)/1000 {
		t.Errorf("share within 1800 s is %v, exactly %v", got, float64(within)/1000)
	}
	for i, bound := range bounds[1:] {
		width := bound - bounds[i]
		if (bounds[i] >= 60 && width*4 > bounds[i]) || (bounds[i] < 60 && width > 15) {
			t.Errorf("the bucket from %d to %d is wider than is said", bounds[i], bound)
		}
	}
	if got := SpreadOf(nil); got != (Spread{}) {
		t.Errorf("of nothing it is %+v", got)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	k := keysOf("p:", "a}b")
	g := k.generation(3, "xyz")
	for got, want := range map[string]string{
		k.followed(): "p:{a%7Db}:metrics:followed", k.generations(3): "p:{a%7Db}:metrics:3:generations",
		g.head(): "p:{a%7Db}:metrics:3:xyz:head", g.names(): "p:{a%7Db}:metrics:3:xyz:names", g.aside(): "p:{a%7Db}:metrics:3:xyz:aside",
		g.figure(builtInSpace, "head"): "p:{a%7Db}:metrics:3:xyz:figure:head", g.figure(putSpace, "a:b"): "p:{a%7Db}:metrics:3:xyz:put:a:b", definitionsKey("p:"): "p:metrics:definitions",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestScriptHeaders reads every script: its header says what it does, what it
// takes and what it returns, and every argument and key used is in it.
func TestScriptHeaders(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(luaFiles, "lua/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(luaFiles, file)
		if err != nil {
			t.Fatal(err)
		}
		header, body, _ := strings.Cut(string(text), "\nlocal ")
		if !strings.HasPrefix(header, "-- ") || strings.HasPrefix(header, "-- KEYS") || !strings.Contains(header, "\n-- RETURNS\n") {
			t.Errorf("%s: the header lacks a purpose or RETURNS", file)
		}
		keysPart, argvPart, _ := strings.Cut(header, "-- ARGV")
		for part, used := range map[string]string{keysPart: `KEYS\[(\d+)\]`, argvPart: `ARGV\[(\d+)\]`} {
			for _, m := range regexp.MustCompile(used).FindAllStringSubmatch(body, -1) {
				if !strings.Contains(part, "["+m[1]+"]") {
					t.Errorf("%s: the header does not say what %s is", file, m[0])
				}
			}
		}
	}
}

// TestCarried has every event of the hall that has a state or a machine.
func TestCarried(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(carried)) {
		if name.IsOutside() || name == "" {
			t.Errorf("%q is no event of the hall", name)
		}
		for _, field := range carried[name] {
			if !placeholderPattern.MatchString(field) {
				t.Errorf("%s carries %q, which no placeholder can name", name, field)
			}
		}
	}
}
