package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hallcall/hallcall/internal/hall"
)

// maxExact is up to where a floating-point number is exact about whole numbers.
const maxExact = 1 << 53

// document looks through JSON for what the decoder would let pass or not name
// the place of: fields given twice, numbers that nothing can hold, halves of characters.
type document struct {
	data   []byte
	at     int
	path   []byte
	faults []hall.Fault

	plain []byte // the document so far, with whole numbers written plainly
	done  int    // how much of data plain has
}

// readDocument checks that a body is one JSON document, and lists what is wrong
// within it. A whole number may be written 2.0 or 2e3; plain has it as 2 or
// 2000, as the decoder wants it.
func readDocument(data []byte) (plain []byte, faults []hall.Fault, err error) {
	if !utf8.Valid(data) {
		return nil, nil, malformed("is not text in UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, nil, malformed(fmt.Sprintf("is not JSON: %v", err))
	}
	d := document{data: data, path: []byte("body")}
	d.value()
	return append(d.plain, data[d.done:]...), d.faults, nil
}

// next skips blanks and returns the character behind them.
func (d *document) next() byte {
	for strings.IndexByte(" \t\r\n", d.data[d.at]) >= 0 {
		d.at++
	}
	return d.data[d.at]
}

func (d *document) value() {
	switch d.next() {
	case '{':
		d.object()
	case '[':
		d.list()
	case '"':
		d.text()
	default:
		d.literal()
	}
}

func (d *document) object() {
	names, within := map[string]bool{}, len(d.path)
	for d.at++; d.next() != '}'; {
		name := d.text()
		d.path = append(append(d.path[:within], '.'), name...)
		if names[name] {
			d.fault("is given twice", nil)
		}
		names[name] = true
		d.next()
		d.at++ // the colon
		d.value()
		if d.next() == ',' {
			d.at++
		}
		d.path = d.path[:within]
	}
	d.at++
}

func (d *document) list() {
	within := len(d.path)
	d.at++
	for i := 0; d.next() != ']'; i++ {
		d.path = append(strconv.AppendInt(append(d.path[:within], '['), int64(i), 10), ']')
		d.value()
		if d.next() == ',' {
			d.at++
		}
		d.path = d.path[:within]
	}
	d.at++
}

// text reads a string, the name of a field too.
func (d *document) text() string {
	start, escaped := d.at, false
	for d.at++; d.data[d.at] != '"'; d.at++ {
		if d.data[d.at] == '\\' {
			d.at++
			escaped = true
		}
	}
	d.at++
	raw := d.data[start:d.at]
	if !escaped {
		return string(raw[1 : len(raw)-1])
	}
	if hasHalf(raw) {
		d.fault("has half a character", nil)
	}
	var s string
	_ = json.Unmarshal(raw, &s) // it is a part of what could be read
	return s
}

// literal reads a number, true, false or null.
func (d *document) literal() {
	start := d.at
	for d.at < len(d.data) && strings.IndexByte(" \t\r\n,]}", d.data[d.at]) < 0 {
		d.at++
	}
	raw := string(d.data[start:d.at])
	if raw == "true" || raw == "false" || raw == "null" {
		return
	}
	number, err := strconv.ParseFloat(raw, 64)
	switch {
	case err != nil:
		d.fault("is too large a number", raw)
	case strings.ContainsAny(raw, ".eE") && number == math.Trunc(number) && math.Abs(number) <= maxExact:
		d.plain = strconv.AppendInt(append(d.plain, d.data[d.done:start]...), int64(number), 10)
		d.done = d.at
	}
}

// fault notes what is wrong here; more than an answer lists are not noted.
func (d *document) fault(message string, value any) {
	if len(d.faults) <= maxFaults {
		d.faults = append(d.faults, hall.Fault{Location: string(d.path), Message: message, Value: value})
	}
}

// hasHalf reports whether a string in JSON has a surrogate without the other.
func hasHalf(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return false
		}
		unit, escape := escapedUnit(raw[i:])
		raw = raw[i+escape:]
		if !utf16.IsSurrogate(unit) {
			continue
		}
		other, escape := escapedUnit(raw)
		if utf16.DecodeRune(unit, other) == utf8.RuneError {
			return true
		}
		raw = raw[escape:]
	}
}

// escapedUnit is the unit of UTF-16 that an escape sequence such as \u5b57
// stands for, and the sequence's length; other sequences and text stand for none.
func escapedUnit(raw []byte) (unit rune, length int) {
	const short, long = 2, 6 // \n, \u5b57
	if len(raw) < long || raw[0] != '\\' || raw[1] != 'u' {
		return 0, short
	}
	n, err := strconv.ParseUint(string(raw[short:long]), 16, 16)
	if err != nil {
		return 0, short
	}
	return rune(n), long
}
