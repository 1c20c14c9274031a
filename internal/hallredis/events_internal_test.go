package hallredis

import "testing"

func TestEventIDsInOrder(t *testing.T) {
	t.Parallel()
	ids := []string{"9-0", "9-9", "9-10", "10-0", "1764547200000-0", "1764547200000-2", "1764547200000-11", "1764547200001-0"}
	for i, a := range ids {
		for j, b := range ids {
			if got := compareEventIDs(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%s and %s compare as %d", a, b, got)
			}
		}
	}
}
