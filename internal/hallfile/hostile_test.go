package hallfile_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hallfile"
)

// file makes a file with any content and a checksum that fits.
func file(content func(w io.Writer)) []byte {
	var out bytes.Buffer
	out.WriteString("hallcall backup 1\n")
	zip := gzip.NewWriter(&out)
	content(zip)
	_ = zip.Close()
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sum[:]...)
}

// content is made of texts, numbers and bytes.
func content(parts ...any) func(io.Writer) {
	return func(w io.Writer) {
		for _, part := range parts {
			switch part := part.(type) {
			case string:
				_, _ = w.Write(binary.AppendUvarint(nil, uint64(len(part))))
				_, _ = io.WriteString(w, part)
			case int:
				_, _ = w.Write(binary.AppendUvarint(nil, uint64(part)))
			case byte:
				_, _ = w.Write([]byte{part})
			}
		}
	}
}

func TestHostileFiles(t *testing.T) {
	t.Parallel()
	end := func(keys string) []any { return []any{byte(0), `{"keys":` + keys + `}`} }
	key := func(kind byte, parts ...any) []any { return append([]any{`{}`, kind, "k", 0}, parts...) }
	for name, parts := range map[string][]any{
		"nothing":                        {},
		"no document":                    {"x"},
		"a header of a megabyte":         {`{"program":"` + strings.Repeat("x", 1<<20) + `"}`, byte(0), `{}`},
		"an unknown kind":                append(key('q', 1, "a", 0), end("1")...),
		"a set":                          append(key('t', 1, "a", 0), end("1")...),
		"no text":                        append(key('s', 0), end("1")...),
		"two texts":                      append(key('s', 1, "a", 1, "b", 0), end("1")...),
		"a field without a value":        append(key('h', 1, "a", 0), end("1")...),
		"a field with two values":        append(key('h', 3, "a", "b", "c", 0), end("1")...),
		"a score that is no number":      append(key('z', 2, "a", "x", 0), end("1")...),
		"a score that is not a number":   append(key('z', 2, "a", "nan", 0), end("1")...),
		"an entry without a field":       append(key('x', 1, "1-0", 0, "", "", ""), end("1")...),
		"an entry with half a field":     append(key('x', 2, "1-0", "a", 0, "", "", ""), end("1")...),
		"an entry with no id":            append(key('x', 3, "*", "a", "b", 0, "", "", ""), end("1")...),
		"an entry that counts itself":    append(key('x', 3, "5-*", "a", "b", 0, "", "", ""), end("1")...),
		"an entry 0-0":                   append(key('x', 3, "0-0", "a", "b", 0, "", "", ""), end("1")...),
		"an entry twice":                 append(key('x', 3, "1-0", "a", "b", 3, "1-0", "a", "b", 0, "", "", ""), end("1")...),
		"a stream that went on before":   append(key('x', 3, "2-0", "a", "b", 0, "1-0", "0-0", "1"), end("1")...),
		"a stream that deleted later":    append(key('x', 3, "2-0", "a", "b", 0, "2-0", "3-0", "1"), end("1")...),
		"a stream that counts by words":  append(key('x', 3, "2-0", "a", "b", 0, "2-0", "0-0", "x"), end("1")...),
		"a stream with half a state":     append(key('x', 3, "2-0", "a", "b", 0, "", "0-0", "1"), end("1")...),
		"a key twice":                    append(append(key('l', 1, "a", 0), byte('l'), "k", 0, 1, "a", 0), end("2")...),
		"another number of keys":         append(key('l', 1, "a", 0), end("2")...),
		"a name of 2 kB":                 append([]any{`{}`, byte('l'), strings.Repeat("x", 2000), 0, 1, "a", 0}, end("1")...),
		"a text that says it is endless": key('s', 1, 1<<40),
		"a text longer than the file":    key('s', 1, 1<<25),
		"an element of endless texts":    key('x', 1<<40),
		"an element of many texts":       key('x', 1<<13),
		"a number too long":              key('s', byte(255), byte(255), byte(255), byte(255), byte(255), byte(255), byte(255), byte(255), byte(255), byte(255), byte(255), byte(1)),
		"something behind":               append(append(key('l', 1, "a", 0), end("1")...), "more"),
		"no end":                         key('l', 1, "a", 0),
	} {
		if _, _, err := read(file(content(parts...))); !errors.Is(err, hallfile.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The way in which these are made is not what is wrong with them.
	if _, _, err := read(file(content(append(key('x', 3, "1-0", "a", "b", 0, "2-0", "2-0", "2"), end("1")...)...))); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", "h", "hallcall backup 1", "hallcall backup", "PK\x03\x04", "\n"} {
		if _, _, err := read([]byte(text)); !errors.Is(err, hallfile.ErrNoBackup) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, number := range []string{"2", "", "01", "1 ", "x"} {
		_, _, err := read([]byte("hallcall backup " + number + "\n"))
		if err == nil || !strings.Contains(err.Error(), "this program reads format 1") {
			t.Errorf("format %q: %v", number, err)
		}
	}
}

// TestBombs has small files that would unfold into very much.
func TestBombs(t *testing.T) { //nolint:paralleltest // it measures memory
	zeros := strings.Repeat("\x00", 1<<20)
	for name, inside := range map[string]func(w io.Writer){
		"one text": func(w io.Writer) {
			content(`{}`, byte('s'), "k", 0, 1)(w)
			_, _ = w.Write(binary.AppendUvarint(nil, 60<<20))
			for range 60 {
				_, _ = io.WriteString(w, zeros)
			}
			content(0, byte(0), `{"keys":1}`)(w)
		},
		"many elements": func(w io.Writer) {
			content(`{}`, byte('l'), "k", 0)(w)
			for range 100 {
				content(1, zeros)(w)
			}
			content(0, byte(0), `{"keys":1}`)(w)
		},
	} {
		bomb := file(inside)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := check(bomb)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, hallfile.ErrDamaged) || !strings.Contains(err.Error(), "unfolds") {
			t.Errorf("%s: %v", name, err)
		}
		// What is taken in all is a small part of what it would unfold to; of a text, as much
		// again and again, and more with the race detector, which lets pools forget.
		if took := int(after.TotalAlloc - before.TotalAlloc); took > 12*(1<<20+256*len(bomb)) {
			t.Errorf("%s: %d bytes were taken for a file of %d", name, took, len(bomb))
		}
	}
}

// check reads everything and keeps nothing.
func check(content []byte) (*hallfile.Reader, error) {
	r, err := hallfile.NewReader(bytes.NewReader(content), int64(len(content)))
	for err == nil {
		_, err = r.Next()
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return r, err
}

// FuzzRead reads anything: what is taken can be written again and is the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{}"))
	good := file(content(`{"hall":"h"}`, byte('x'), "k", 0, 3, "1-0", "a", "b", 0, "2-0", "2-0", "2", byte(0), `{"keys":1}`))
	f.Add(good)
	f.Fuzz(func(t *testing.T, inside []byte) {
		all, r, err := read(file(func(w io.Writer) { _, _ = w.Write(inside) }))
		if err != nil {
			return
		}
		var out bytes.Buffer
		w, err := hallfile.NewWriter(&out, r.Header)
		if err != nil {
			t.Fatal(err)
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
		if err := w.Close(r.Summary); err != nil {
			t.Fatal(err)
		}
		if _, _, err := read(out.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
}
