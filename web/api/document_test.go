package api

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzReadDocument checks that what is read is JSON, and that writing numbers
// plainly changes nothing.
func FuzzReadDocument(f *testing.F) {
	for _, text := range []string{
		layoutExample, `{"a": [2.0, -0.0, 1e3, 2.5, 1e999, {"a": 1, "\u0061": null}]}`, `"\ud842\udfb7 \ud842 \\u \""`, ` {} `, `[[[]],{}]`,
		`{"a":1}{"a":1}`, "{\"\xff\": 1}", `-`, `"\u00"`, "", "\ufeff{}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		plain, faults, err := readDocument(data)
		if good := json.Valid(data) && utf8.Valid(data); good != (err == nil) {
			t.Fatalf("%q: error %v", data, err)
		}
		if err != nil || len(faults) > 0 {
			return
		}
		var before, after any
		if err := json.Unmarshal(data, &before); err != nil {
			t.Fatalf("%q has no faults: %v", data, err)
		}
		if err := json.Unmarshal(plain, &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q became %q: %v", data, plain, err)
		}
	})
}

const layoutExample = `{"name": "H", "timeZone": "UTC", "rooms": [{"id": "a"}], "subjects": [{"code": "1", "minutes": 2.50e1}]}`
