package metrics

import (
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestTemplatesMeet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b          string
		meet, aCovers bool
	}{
		{"a:b", "a:b", true, true},
		{"a:b", "a:c", false, false},
		{"a:#x#", "a:b", true, true},
		{"a:#x#", "#y#:b", true, false},
		{"a:#x#", "a:#y#", true, true},
		{"a:#x#", "a:", true, true},
		{"a:#x#", "a:b:c", false, false}, // a ":" of a value is escaped
		{"#x#", "a:b:c", true, true},     // unless it is all there is
		{"a:#x#", "#y#", true, false},
		{"#x#", "#y#", true, true},
		{"a#x#c", "ab#y#", true, false},
		{"a#x#c", "ab#y#c", true, true},
		{"a#x#c", "a#y#d", false, false},
		{"#x##y#b", "ab#z#", true, false},
		{"waits:#subject#", "waitsOverDay", false, false},
	} {
		a, b := parsed(t, test.a), parsed(t, test.b)
		if a.meets(b) != test.meet || b.meets(a) != test.meet {
			t.Errorf("%s and %s meet: %v, want %v", test.a, test.b, !test.meet, test.meet)
		}
		if a.covers(b) != test.aCovers {
			t.Errorf("%s covers %s: %v, want %v", test.a, test.b, !test.aCovers, test.aCovers)
		}
	}
}

func parsed(t *testing.T, source string) template {
	t.Helper()
	parsed, err := parse(source)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// TestBuiltInKeysAreRead has keys that are read from what is built in, and keys that are not.
func TestBuiltInKeysAreRead(t *testing.T) {
	t.Parallel()
	builtIn, err := readBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]space{
		"machine:state": builtInSpace, "waits:#x#": builtInSpace, "waits:1": builtInSpace, "waiting:class:#x#": builtInSpace,
		"machine:#x#": putSpace, "#x#": putSpace, "#x#:state": putSpace, "own": putSpace,
	} {
		query := "HGETALL"
		if strings.HasPrefix(key, "waiting:") {
			query = "SCARD"
		}
		d, faults := compilePut(hall.Metric{MetricsName: "a", MetricsQueryMeta: hall.MetricQuery{KeyTemplate: key, QueryCommand: query}}, builtIn)
		if len(faults) > 0 || d.querySpace != want {
			t.Errorf("%s is read from %s, want %s: %v", key, d.querySpace, want, faults)
		}
	}
}
