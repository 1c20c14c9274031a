package redisd

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

// tailLines is how many of the last lines of a child are kept.
const tailLines = 12

// output takes what a child writes: each line goes to the log, the last ones are kept.
type output struct {
	log *slog.Logger

	mu   sync.Mutex
	rest []byte // of a line that is not whole yet
	tail []string
}

func newOutput(log *slog.Logger) *output { return &output{log: log} }

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rest = append(o.rest, p...)
	for {
		line, rest, ok := bytes.Cut(o.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		o.add(strings.TrimSpace(string(line)))
		o.rest = rest
	}
}

func (o *output) add(line string) {
	if line == "" {
		return
	}
	o.log.Debug("redis-server", "line", line)
	if len(o.tail) == tailLines {
		o.tail = o.tail[1:]
	}
	o.tail = append(o.tail, line)
}

// last is the last line, without the process, role and time in front of it.
func (o *output) last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.tail) == 0 {
		return ""
	}
	line := o.tail[len(o.tail)-1]
	for _, level := range []string{" # ", " * ", " - ", " . "} {
		if _, said, ok := strings.Cut(line, level); ok {
			return said
		}
	}
	return line
}

// diskFull reports whether the child wrote of a full disk at its end.
func (o *output) diskFull() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	said := strings.Join(o.tail, "\n")
	return strings.Contains(said, "No space left on device") || strings.Contains(said, "Short write while writing")
}
