package locale_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/hallcall/hallcall/internal/locale"
)

func TestForFindsTheBestLanguage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		wanted []string
		want   string
	}{
		{nil, "en"},
		{[]string{""}, "en"},
		{[]string{"zh"}, "zh"},
		{[]string{"zh-CN"}, "zh"},
		{[]string{"zh-Hans-CN"}, "zh"},
		{[]string{"de-DE,ru;q=0.8,en;q=0.5"}, "ru"},
		{[]string{"de", "zh"}, "zh"},
		{[]string{"xx-bogus!", "../../etc", "ru"}, "ru"},
		{[]string{"de"}, "en"},
	} {
		if got := locale.For(test.wanted...).Tag(); got != test.want {
			t.Errorf("For(%q) is %s, want %s", test.wanted, got, test.want)
		}
	}
	if found := locale.Find("de"); found != nil {
		t.Errorf("Find finds %s for German", found.Tag())
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ got, want string }{
		{locale.For("en").Place(1), "1st in line"},
		{locale.For("en").Place(2), "2nd in line"},
		{locale.For("en").Place(3), "3rd in line"},
		{locale.For("en").Place(11), "11th in line"},
		{locale.For("en").Place(112), "112th in line"},
		{locale.For("en").Place(122), "122nd in line"},
		{locale.For("zh").Place(2), "排在第 2 位"},
		{locale.For("ru").Place(3), "3-е место в очереди"},
		{locale.For("en").Text("go.room", "Room", "Room <2>"), "Go to Room <2>"},
		{locale.For("ru").Text("script.numbersKept", "Count", 1), "Сохранён ещё 1 номер. Ответы появятся по порядку."},
		{locale.For("ru").Text("script.numbersKept", "Count", 22), "Сохранены ещё 22 номера. Ответы появятся по порядку."},
		{locale.For("ru").Text("script.numbersKept", "Count", 11), "Сохранено ещё 11 номеров. Ответы появятся по порядку."},
		{locale.For("en").Text("no.such"), "no.such"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	if before, after := locale.For("zh").Around("kiosk.clears", "Seconds"); before != "本屏幕将在 " || after != " 秒后清除" {
		t.Errorf("around: %q, %q", before, after)
	}
}

// keys are the texts of a file by key; plural forms are written one after the other.
func keys(t *testing.T, tag string) map[string]map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("texts", tag+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]map[string]any
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatalf("%s: %v", tag, err)
	}
	found := map[string]map[string]string{}
	for group, texts := range groups {
		for key, text := range texts {
			forms := map[string]string{}
			switch text := text.(type) {
			case string:
				forms["other"] = text
			case map[string]any:
				for form, text := range text {
					forms[form], _ = text.(string)
				}
			}
			found[group+"."+key] = forms
		}
	}
	return found
}

var placeholder = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

// names are the placeholders of a text, sorted.
func names(text string) string {
	var all []string
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		all = append(all, found[1])
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

var formNames = map[plural.Form]string{
	plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
}

// pluralForms are those that whole numbers have in a language, by CLDR, and the
// one of all other numbers.
func pluralForms(tag string) []string {
	forms := map[string]bool{"other": true}
	for n := range 200 {
		forms[formNames[plural.Cardinal.MatchPlural(language.Make(tag), n, 0, 0, 0, 0)]] = true
	}
	return slices.Sorted(maps.Keys(forms))
}

// Every language has the same keys, none of them empty, each with what has to
// stand in it and with the plural forms of the language.
func TestEveryLanguageIsComplete(t *testing.T) {
	t.Parallel()
	english := keys(t, "en")
	for _, texts := range locale.All() {
		tag := texts.Tag()
		own := keys(t, tag)
		forms := pluralForms(tag)
		for key, want := range english {
			got, ok := own[key]
			if !ok {
				t.Errorf("%s has no text %s", tag, key)
				continue
			}
			for form, text := range got {
				if strings.TrimSpace(text) == "" || names(text) != names(want["other"]) {
					t.Errorf("%s, %s %s: %q, with %q, want %q", tag, key, form, text, names(text), names(want["other"]))
				}
			}
			if len(want) > 1 {
				have := slices.Sorted(maps.Keys(got))
				if !slices.Equal(have, forms) {
					t.Errorf("%s, %s has the forms %v, want %v", tag, key, have, forms)
				}
			}
		}
		for key := range own {
			if _, ok := english[key]; !ok {
				t.Errorf("%s has the text %s, which English has not", tag, key)
			}
		}
	}
}

// Where texts are used by their keys: in Go and templates as Text("key") or said(all, "key"),
// in scripts as text('key'). A key that ends with a dot is the beginning of all that
// may follow.
var (
	usedInGo      = regexp.MustCompile(`\b(?:Text|Plain|Around|publicPage)\((?:c, )?"([A-Za-z]+\.[A-Za-z.]*)"|\b(?:said|turns)\([^"]+, "([A-Za-z]+\.[A-Za-z.]*)"`)
	usedAsValue   = regexp.MustCompile(`"(place\.[a-z]+)"`)
	usedForVoices = regexp.MustCompile(`\bvoice\.([a-z][A-Za-z]+)\b`)
	usedInScript  = regexp.MustCompile(`hallcall\.text\('([A-Za-z]+)'`)
)

// Every key is used, and what is used is there.
func TestEveryKeyIsUsed(t *testing.T) {
	t.Parallel()
	english := keys(t, "en")
	used := map[string]string{}
	look := func(folder, ending, prefix string, pattern *regexp.Regexp) {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ending) || strings.HasSuffix(path, "_templ.go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, found := range pattern.FindAllStringSubmatch(string(data), -1) {
				used[prefix+strings.Join(found[1:], "")] = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"web", "templates", "internal/locale"} {
		look(folder, ".go", "", usedInGo)
		look(folder, ".go", "", usedAsValue)
		look(folder, ".templ", "", usedInGo)
	}
	look("static/js", ".js", "script.", usedInScript)
	look("scripts", "voices", "voice.", usedForVoices)
	for key, path := range used {
		if _, ok := english[key]; !ok && !strings.HasSuffix(key, ".") {
			t.Errorf("%s uses %s, which is no text", path, key)
		}
	}
	for key := range english {
		isUsed := used[key] != ""
		for prefix := range used {
			isUsed = isUsed || strings.HasSuffix(prefix, ".") && strings.HasPrefix(key, prefix)
		}
		if !isUsed {
			t.Errorf("nobody uses the text %s", key)
		}
	}
}
