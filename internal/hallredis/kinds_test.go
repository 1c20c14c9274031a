package hallredis

import (
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallfile"
)

// TestEveryKeyHasAKind fails when a hall gets a key that backups do not know.
func TestEveryKeyHasAKind(t *testing.T) {
	t.Parallel()
	k, subjects := keysOf("p:", "x"), []hall.Subject{{Code: "1"}, {Code: "a:b{}"}}
	for _, key := range append(k.present(subjects), k.archive("2026-11-30-12", subjects)...) {
		if name := strings.TrimPrefix(key, k.base); kindOf(name) == 0 {
			t.Errorf("%s has no kind: put it into kinds.go", name)
		}
	}
	if kindOf(strings.TrimPrefix(k.once("a", "b"), k.base)) != hallfile.String {
		t.Error("answers to commands with an idempotency key have no kind")
	}
	for _, name := range []string{
		"", "x", "since:x", "since:", "idle:", "once:", "once:00000000000000000000000000000000x", "day:", "day:2026-11-30-1:", "day:2026-11-30-1:days",
		"day:2026-11-30-1:once:00000000000000000000000000000000", "day:2026-11-30-1:day:2026-11-30-1:hall", "day:x:hall", "hall ", "restore:X:hall",
		"metrics:followed", "hints", "uploads", "upload:x",
	} {
		if kindOf(name) != 0 {
			t.Errorf("%q is a key of a hall", name)
		}
	}
}
