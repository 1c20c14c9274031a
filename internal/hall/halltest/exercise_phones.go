package halltest

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// secretShape is 128 bits in the characters of base64url.
var secretShape = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

func exercisePhones(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1"), Row("b", "1"), Row("c", "1"))
	first := map[string]string{}
	for _, id := range []string{"a", "b", "c"} {
		first[id] = d.checkIn(id).Phone
		if !secretShape.MatchString(first[id]) {
			t.Errorf("candidate %s got the secret %q", id, first[id])
		}
		if again := d.checkIn(id); again.Phone != first[id] {
			t.Errorf("candidate %s got another secret the second time", id)
		}
	}
	if first["a"] == first["b"] || first["b"] == first["c"] {
		t.Error("two candidates have the same secret")
	}
	for id, want := range map[string]struct {
		state hall.CandidateState
		place int
	}{"a": {hall.Called, 0}, "b": {hall.Waiting, 1}, "c": {hall.Waiting, 2}} {
		e, err := d.store.Phone(d.Context(), d.id, first[id])
		d.must(err)
		if e.ID != id || e.State != want.state || e.Position() != want.place || e.Phone != "" {
			t.Errorf("the page of %s shows %s, %s at %d", id, e.ID, e.State, e.Position())
		}
	}
	d.end("a")
	if e, err := d.store.Phone(d.Context(), d.id, first["b"]); err != nil || e.Current == nil || e.Current.Machine != "m1" {
		t.Errorf("the page of b does not show the call (%v)", err)
	}
	d.unknownPhones(first["b"])
	d.noSecretElsewhere(first["b"])
	d.phoneOnce()
	d.sound()
}

// unknownPhones opens pages that nobody was given: all answers are one.
func (d *desk) unknownPhones(secret string) {
	d.Helper()
	other := d.id + " other"
	_, _, err := d.store.PutHall(d.Context(), other, Layout("one", "two", "three"), "", testCaller)
	d.must(err)
	words := map[string]bool{}
	for name, address := range map[string][2]string{
		"one changed":   {d.id, strings.Map(rot, secret[:1]) + secret[1:]},
		"a short one":   {d.id, secret[:21]},
		"none":          {d.id, ""},
		"a pattern":     {d.id, "*"},
		"made up":       {d.id, hall.NewPhoneSecret()},
		"of a hall":     {other, secret},
		"of no hall":    {"nowhere", secret},
		"a candidate":   {d.id, "b"},
		"not even text": {d.id, "\xff\x00"},
	} {
		_, err := d.store.Phone(d.Context(), address[0], address[1])
		if hall.CodeOf(err) != hall.CodeUnknownPhone {
			d.Errorf("%s: %v", name, err)
			continue
		}
		words[err.Error()] = true
	}
	if len(words) != 1 {
		d.Errorf("unknown pages are told apart: %v", words)
	}
	entries, err := d.store.PhoneEntries(d.Context(), d.id, nil)
	if err != nil || len(entries) != 0 {
		d.Errorf("no secrets: %v (%v)", entries, err)
	}
}

// rot makes another character of an address of one.
func rot(r rune) rune {
	if r == 'A' {
		return 'B'
	}
	return 'A'
}

// noSecretElsewhere looks for a secret in everything else that is read of a hall.
func (d *desk) noSecretElsewhere(secret string) {
	d.Helper()
	ctx := d.Context()
	snapshot, err := d.store.Snapshot(ctx, d.id)
	d.must(err)
	events, err := d.store.Events(ctx, d.id, "", hall.Page{})
	d.must(err)
	line, err := d.store.Line(ctx, d.id, hall.LineFilter{}, hall.Page{})
	d.must(err)
	candidates, err := d.store.Candidates(ctx, d.id, hall.CandidateFilter{}, hall.Page{})
	d.must(err)
	for name, answer := range map[string]any{
		"snapshot": snapshot, "events": events, "line": line, "candidates": candidates, "entry": d.entry("b"),
	} {
		text, err := json.Marshal(answer)
		d.must(err)
		if strings.Contains(string(text), secret) {
			d.Errorf("%s has the secret of a phone page", name)
		}
	}
}

// phoneOnce repeats a check-in by its idempotency key: the first answer comes
// again, whatever secret was made for the second try.
func (d *desk) phoneOnce() {
	d.Helper()
	d.putRoster(Row("d", "1"))
	by := hall.Caller{By: "kiosk", Key: "k1"}
	e, first, err := d.store.CheckIn(d.Context(), d.id, "d", hall.CheckIn{}, by)
	d.must(err)
	again, firstAgain, err := d.store.CheckIn(d.Context(), d.id, "d", hall.CheckIn{}, by)
	d.must(err)
	if !first || !firstAgain || e.Phone == "" || again.Phone != e.Phone {
		d.Errorf("the repeated check-in gave another answer (first %v, then %v)", first, firstAgain)
	}
}
