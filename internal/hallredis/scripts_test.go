package hallredis

import (
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

var (
	usedArgument = regexp.MustCompile(`ARGV\[(\d+)\]`)
	saidArgument = regexp.MustCompile(`(?m)^--   \[(\d+)\] `)
)

// TestScriptHeaders reads every operation: its header says what it does, what
// it takes and what it returns, and every argument used is in it.
func TestScriptHeaders(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(luaFiles, "lua/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts found: %v", err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(luaFiles, file)
		if err != nil {
			t.Fatal(err)
		}
		header, body := split(string(text))
		if strings.HasPrefix(header, "-- ARGV") || !strings.Contains(header, "\n-- RETURNS\n") {
			t.Errorf("%s: the header lacks a purpose or RETURNS", file)
		}
		said := numbers(saidArgument, header)
		used := numbers(usedArgument, body)
		slices.Sort(said)
		slices.Sort(used)
		if !slices.Equal(said, used) {
			t.Errorf("%s: the header has arguments %v, the script uses %v", file, said, used)
		}
		if strings.Contains(body, "KEYS[") {
			t.Errorf("%s: keys have names in lib/day.lua", file)
		}
	}
}

// TestSharedHeader checks the same of the keys and arguments that all scripts share.
func TestSharedHeader(t *testing.T) {
	t.Parallel()
	text, err := luaFiles.ReadFile("lua/lib/day.lua")
	if err != nil {
		t.Fatal(err)
	}
	_, body := split(string(text))
	keys := numbers(regexp.MustCompile(`KEYS\[(\d+)\]`), body)
	if got, want := len(keys), len(keysOf("", "x").scripted("once")); got != want {
		t.Errorf("scripts name %d keys and get %d", got, want)
	}
	// Every name stands at the place where keys.go puts its key.
	scripted := keysOf("", "x").scripted("once")
	for _, line := range regexp.MustCompile(`local (.*?_key[^=]*?) = (KEYS.*)`).FindAllStringSubmatch(body, -1) {
		places := numbers(regexp.MustCompile(`KEYS\[(\d+)\]`), line[2])
		for i, name := range strings.Split(line[1], ",") {
			name = strings.TrimSuffix(strings.TrimSpace(name), "_key")
			place, err := strconv.Atoi(places[i])
			if err != nil {
				t.Fatal(err)
			}
			if key := strings.TrimPrefix(scripted[place-1], "{x}:"); key != name {
				t.Errorf("key %d is %s in Lua and %s in Go", place, name, key)
			}
		}
	}
	for _, pair := range regexp.MustCompile(`(\w+) = KEYS\[(\d+)\][,} ]`).FindAllStringSubmatch(body, -1) {
		place, err := strconv.Atoi(pair[2])
		if err != nil {
			t.Fatal(err)
		}
		if key := strings.TrimPrefix(scripted[place-1], "{x}:since:"); hall.Class(pair[1]).Valid() && key != pair[1] {
			t.Errorf("key %d is that of %s in Lua and %s in Go", place, pair[1], key)
		}
	}
}

func split(text string) (header, body string) {
	var head, rest []string
	inHeader := true
	for _, line := range strings.Split(text, "\n") {
		inHeader = inHeader && strings.HasPrefix(line, "--")
		if inHeader {
			head = append(head, line)
		} else {
			rest = append(rest, line)
		}
	}
	return strings.Join(head, "\n"), strings.Join(rest, "\n")
}

func numbers(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	return found
}

// TestOutcomes checks that Lua and Go give the same numbers to the refusals.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	text, err := luaFiles.ReadFile("lua/lib/day.lua")
	if err != nil {
		t.Fatal(err)
	}
	known := map[hall.Code]outcome{}
	for o, refusal := range refusals {
		known[refusal.Code] = o
	}
	inLua := 0
	// These have a code that others have too, or one that says something else.
	sentences := map[string]bool{"KEY_REUSED": true, "BAD_TIME": true, "UNKNOWN_CATEGORY": true}
	_, table, _ := strings.Cut(string(text), "local outcome = {")
	table, _, _ = strings.Cut(table, "}")
	for _, pair := range regexp.MustCompile(`([A-Z_]+) = (-?[0-9]+),`).FindAllStringSubmatch(table, -1) {
		n, err := strconv.Atoi(pair[2])
		if err != nil {
			t.Fatal(err)
		}
		if n >= 0 {
			continue
		}
		inLua++
		name := pair[1]
		if code := hall.Code(strings.ToLower(name)); known[code] != outcome(n) && !sentences[name] {
			t.Errorf("%s is %d in Lua and %d in Go", name, n, known[code])
		}
	}
	if inLua != len(refusals) {
		t.Errorf("Lua refuses in %d ways, Go in %d", inLua, len(refusals))
	}
}

// TestOutcomesAreNamed looks for outcomes that no script may answer, since they
// are not in the table: in Lua a misspelt name is nil.
func TestOutcomesAreNamed(t *testing.T) {
	t.Parallel()
	shared, err := luaFiles.ReadFile("lua/lib/day.lua")
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(luaFiles, "lua", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := luaFiles.ReadFile(file)
		for _, used := range numbers(regexp.MustCompile(`outcome\.([A-Z_]+)`), string(text)) {
			if !strings.Contains(string(shared), " "+used+" = ") {
				t.Errorf("%s answers %s, which is no outcome", file, used)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
