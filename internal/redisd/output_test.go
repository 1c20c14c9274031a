package redisd

import (
	"fmt"
	"log/slog"
	"testing"
)

func TestOutputKeepsLastLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		writes []string
		last   string
		full   bool
	}{
		"nothing":     {nil, "", false},
		"half a line": {[]string{"1:M 30 Nov 2026 20:00:00.000 # Rea"}, "", false},
		"in pieces":   {[]string{"1:M 30 Nov 2026 20:00:00.000 # Rea", "dy\n"}, "Ready", false},
		"plain":       {[]string{"first\nsh: not found\n\n"}, "sh: not found", false},
		"full disk":   {[]string{"1:M 30 Nov 2026 20:00:00.000 # Error writing to the AOF file: No space left on device\n1:M 30 Nov 2026 20:00:00.000 # Exiting...\n"}, "Exiting...", true},
		"nearly full": {[]string{"1:M 30 Nov 2026 20:00:00.000 # Short write while writing to the AOF file: (nwritten=1, expected=9)\n1:M 30 Nov 2026 20:00:00.000 # Exiting...\n"}, "Exiting...", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOutput(slog.New(slog.DiscardHandler))
			for _, w := range test.writes {
				if n, err := fmt.Fprint(o, w); err != nil || n != len(w) {
					t.Fatalf("Write = %d, %v", n, err)
				}
			}
			if got := o.last(); got != test.last {
				t.Errorf("last() = %q, want %q", got, test.last)
			}
			if got := o.diskFull(); got != test.full {
				t.Errorf("diskFull() = %v, want %v", got, test.full)
			}
		})
	}
}
