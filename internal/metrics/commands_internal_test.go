package metrics

import "testing"

// TestNumbers has texts that are numbers for Redis, and texts that are numbers elsewhere.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, is := range map[string]struct{ integer, float bool }{
		"0": {true, true}, "7": {true, true}, "-12": {true, true}, "9223372036854775807": {true, true}, "-9223372036854775808": {true, true},
		"9223372036854775808": {false, true}, "1.5": {false, true}, "-.5": {false, true}, "1e3": {false, true},
		"+1": {}, "007": {false, true}, "-0": {false, true}, "1_0": {}, "0x10": {}, "inf": {}, "NaN": {}, "1e999": {}, " 1": {}, "": {}, "-": {}, ".": {},
	} {
		if got := integer.check(text) == nil; got != is.integer {
			t.Errorf("%q is a whole number: %v", text, got)
		}
		if got := float.check(text) == nil; got != is.float {
			t.Errorf("%q is a number: %v", text, got)
		}
	}
}
