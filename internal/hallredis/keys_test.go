package hallredis

import (
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	k := keysOf("hallcall:", "no7")
	for got, want := range map[string]string{
		k.hall():              "hallcall:{no7}:hall",
		k.people():            "hallcall:{no7}:people",
		k.candidates():        "hallcall:{no7}:candidates",
		k.roster():            "hallcall:{no7}:roster",
		k.machines():          "hallcall:{no7}:machines",
		k.sittings():          "hallcall:{no7}:sittings",
		k.wait():              "hallcall:{no7}:wait",
		k.index():             "hallcall:{no7}:index",
		k.aside():             "hallcall:{no7}:aside",
		k.subjects():          "hallcall:{no7}:subjects",
		k.pauses():            "hallcall:{no7}:pauses",
		k.calls():             "hallcall:{no7}:calls",
		k.due():               "hallcall:{no7}:due",
		k.events():            "hallcall:{no7}:events",
		k.counts():            "hallcall:{no7}:counts",
		k.target():            "hallcall:{no7}:target",
		k.commands():          "hallcall:{no7}:commands",
		k.called():            "hallcall:{no7}:called",
		k.since("vip"):        "hallcall:{no7}:since:vip",
		k.reasons():           "hallcall:{no7}:reasons",
		k.notes():             "hallcall:{no7}:notes",
		k.incidents():         "hallcall:{no7}:incidents",
		k.hints():             "hallcall:{no7}:hints",
		k.idle("1"):           "hallcall:{no7}:idle:1",
		k.used("1"):           "hallcall:{no7}:used:1",
		hallsKey("hallcall:"): "hallcall:halls",
		k.phones():            "hallcall:{no7}:phones",
		k.service():           "hallcall:{no7}:service",
		k.alerts():            "hallcall:{no7}:alerts",
		k.screens():           "hallcall:{no7}:screens",
		k.days():              "hallcall:{no7}:days",
		k.corrections():       "hallcall:{no7}:corrections",
		k.answers():           "hallcall:{no7}:answers",

		k.ofDay("2026-11-30-1").people():     "hallcall:{no7}:day:2026-11-30-1:people",
		k.ofDay("2026-11-30-1").since("vip"): "hallcall:{no7}:day:2026-11-30-1:since:vip",
		k.ofDay("2026-11-30-1").idle("1"):    "hallcall:{no7}:day:2026-11-30-1:idle:1",
		hintsPattern("other:x"):              "other:x{*}:hints",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if a, b := k.once("a", "bc"), k.once("ab", "c"); a == b || len(a) != len("hallcall:{no7}:once:")+32 {
		t.Errorf("once keys are %s and %s", a, b)
	}
}

// TestKeysOfADay has the keys of a day's archive: what every script gets but
// for what belongs to the hall, and the machines of every subject.
func TestKeysOfADay(t *testing.T) {
	t.Parallel()
	k := keysOf("", "x")
	archived := k.archive("2026-11-30-1", []hall.Subject{{Code: "1"}, {Code: "2"}})
	if want := len(k.scripted("once")) - 4 + 4; len(archived) != want {
		t.Errorf("%d keys are archived, want %d: %v", len(archived), want, archived)
	}
	for _, key := range archived {
		if !strings.HasPrefix(key, "{x}:day:2026-11-30-1:") {
			t.Errorf("%s is not of the day", key)
		}
	}
}

// TestHallIDsInKeys has ids that could end the hash tag or look like another key.
func TestHallIDsInKeys(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, id := range []string{"{}", "}", "{", "%7D", "a}:hints", "a:b", "*", "考场", "%", "%25"} {
		key := keysOf("p:", id).hints()
		if other, twice := seen[key]; twice {
			t.Errorf("%q and %q share the key %s", id, other, key)
		}
		seen[key] = id
		tag := key[strings.Index(key, "{")+1 : strings.Index(key, "}")]
		if strings.Count(key, "{") != 1 || strings.Count(key, "}") != 1 || tag == "" {
			t.Errorf("%q: the hash tag of %s is %q", id, key, tag)
		}
		if back := hallOfChannel("p:", key); back != id {
			t.Errorf("%q: read back as %q", id, back)
		}
	}
}
