package hallredis

import (
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	k := keysOf("hallcall:", "no7")
	for got, want := range map[string]string{
		k.hall():                "hallcall:{no7}:hall",
		k.people():              "hallcall:{no7}:people",
		k.candidates():          "hallcall:{no7}:candidates",
		k.roster():              "hallcall:{no7}:roster",
		k.machines():            "hallcall:{no7}:machines",
		k.sittings():            "hallcall:{no7}:sittings",
		k.wait():                "hallcall:{no7}:wait",
		k.index():               "hallcall:{no7}:index",
		k.aside():               "hallcall:{no7}:aside",
		k.subjects():            "hallcall:{no7}:subjects",
		k.pauses():              "hallcall:{no7}:pauses",
		k.calls():               "hallcall:{no7}:calls",
		k.due():                 "hallcall:{no7}:due",
		k.events():              "hallcall:{no7}:events",
		k.counts():              "hallcall:{no7}:counts",
		k.target():              "hallcall:{no7}:target",
		k.commands():            "hallcall:{no7}:commands",
		k.called():              "hallcall:{no7}:called",
		k.since("vip"):          "hallcall:{no7}:since:vip",
		k.service():             "hallcall:{no7}:service",
		k.reasons():             "hallcall:{no7}:reasons",
		k.notes():               "hallcall:{no7}:notes",
		k.incidents():           "hallcall:{no7}:incidents",
		k.hints():               "hallcall:{no7}:hints",
		k.idle("1"):             "hallcall:{no7}:idle:1",
		k.used("1"):             "hallcall:{no7}:used:1",
		hallsKey("hallcall:"):   "hallcall:halls",
		hintsPattern("other:x"): "other:x{*}:hints",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if a, b := k.once("a", "bc"), k.once("ab", "c"); a == b || len(a) != len("hallcall:{no7}:once:")+32 {
		t.Errorf("once keys are %s and %s", a, b)
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
