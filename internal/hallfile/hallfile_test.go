package hallfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hallfile"
)

// entry is a key with what it has.
type entry struct {
	Key      hallfile.Key
	Elements [][]string
	Stream   hallfile.StreamState
}

// entries has every kind, and texts that no document could carry.
func entries() []entry {
	ends := time.UnixMilli(1796092327250).UTC()
	long := strings.Repeat("\x00\xff long ", 1000)
	return []entry{
		{Key: hallfile.Key{Kind: hallfile.String, Name: "once:1", Ends: ends}, Elements: [][]string{{"\xff\x00\n"}}},
		{Key: hallfile.Key{Kind: hallfile.Hash, Name: "people"}, Elements: [][]string{{"a", "𠮷"}, {"", ""}, {"long", long}}},
		{Key: hallfile.Key{Kind: hallfile.ZSet, Name: "wait"}, Elements: [][]string{{"a", "172800000001"}, {"b", "-0.5"}, {"c", "+Inf"}}},
		{Key: hallfile.Key{Kind: hallfile.List, Name: "calls"}, Elements: [][]string{{"s2"}, {"s1"}, {"s2"}}},
		{Key: hallfile.Key{Kind: hallfile.Hash, Name: "empty"}},
		{
			Key:      hallfile.Key{Kind: hallfile.Stream, Name: "events"},
			Elements: [][]string{{"5-0", "event", "x"}, {"5-1", "b", "1", "a", "2"}, {"18446744073709551615-3", "", ""}},
		},
		{
			Key: hallfile.Key{Kind: hallfile.Stream, Name: "commands"}, Elements: [][]string{{"5-1", "found", "{}"}},
			Stream: hallfile.StreamState{Last: "7-0", Deleted: "7-0", Added: "2"},
		},
		{
			Key:    hallfile.Key{Kind: hallfile.Stream, Name: "called"},
			Stream: hallfile.StreamState{Last: "7-0", Deleted: "7-0", Added: "1"},
		},
	}
}

var (
	header  = hallfile.Header{Program: "1.2.3", Hall: "考场 {}", At: time.UnixMilli(1796092327250).UTC()}
	summary = hallfile.Summary{Day: "2026-11-30-1", State: "open", Candidates: 3, Events: 3, ClosedDays: 1, Keys: 8}
)

func write(tb testing.TB, all []entry) []byte {
	tb.Helper()
	var out bytes.Buffer
	w, err := hallfile.NewWriter(&out, header)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range all {
		w.Key(e.Key)
		for _, element := range e.Elements {
			w.Add(element...)
		}
		if e.Key.Kind == hallfile.Stream {
			w.EndStream(e.Stream)
		}
	}
	if err := w.Close(summary); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func read(content []byte) ([]entry, *hallfile.Reader, error) {
	r, err := hallfile.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, nil, err
	}
	var all []entry
	for {
		key, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, r, nil
		} else if err != nil {
			return all, r, err
		}
		e := entry{Key: key}
		for {
			element, err := r.Element()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return all, r, err
			}
			e.Elements = append(e.Elements, element)
		}
		if key.Kind == hallfile.Stream {
			e.Stream = r.Stream
		}
		all = append(all, e)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	content := write(t, entries())
	got, r, err := read(content)
	if err != nil || !reflect.DeepEqual(got, entries()) {
		t.Errorf("read %+v, %v", got, err)
	}
	if r.Header != header || r.Summary != summary {
		t.Errorf("read %+v and %+v", r.Header, r.Summary)
	}
	// Keys may be passed over.
	r, err = hallfile.NewReader(bytes.NewReader(content), int64(len(content)))
	for n := 0; err == nil; n++ {
		if _, err = r.Next(); errors.Is(err, io.EOF) && n != len(entries()) {
			t.Errorf("%d keys", n)
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// TestEveryChangeIsFound flips every bit, takes away every end, and leaves out and doubles every byte.
func TestEveryChangeIsFound(t *testing.T) {
	t.Parallel()
	good := write(t, entries())
	check := func(what string, content []byte) {
		t.Helper()
		if _, _, err := read(content); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	for at := range good {
		for bit := range 8 {
			changed := bytes.Clone(good)
			changed[at] ^= 1 << bit
			check(fmt.Sprintf("bit %d of byte %d changed", bit, at), changed)
		}
		check(fmt.Sprintf("cut off at %d", at), good[:at])
		check(fmt.Sprintf("without byte %d", at), append(bytes.Clone(good[:at]), good[at+1:]...))
		check(fmt.Sprintf("byte %d twice", at), append(bytes.Clone(good[:at+1]), good[at:]...))
	}
	check("twice", append(bytes.Clone(good), good...))
}

func TestWriterRefusesWhatItWouldNotRead(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]entry{
		"half a field":  {Key: hallfile.Key{Kind: hallfile.Hash, Name: "a"}, Elements: [][]string{{"x"}}},
		"half an entry": {Key: hallfile.Key{Kind: hallfile.Stream, Name: "a"}, Elements: [][]string{{"1-0", "x"}}},
		"nothing":       {Key: hallfile.Key{Kind: hallfile.List, Name: "a"}, Elements: [][]string{{}}},
		"no kind":       {Key: hallfile.Key{Kind: 'q', Name: "a"}, Elements: [][]string{{"x"}}},
	} {
		w, err := hallfile.NewWriter(io.Discard, header)
		if err != nil {
			t.Fatal(err)
		}
		w.Key(e.Key)
		w.Add(e.Elements[0]...)
		if w.Close(summary) == nil {
			t.Errorf("%s was written", name)
		}
	}
}
