// Package locale has the texts that people see and hear, in each language. A
// language is one file in the folder texts.
//
// Texts are templates: {{.Room}} stands for what Text is given as "Room". A
// text with plural forms is chosen by "Count", by the rules of CLDR.
package locale

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed texts/*.json
var files embed.FS

// first is the language of whoever can be given none of their own.
var first = language.English

// languages are all of them, the first one first; matcher finds the best of them.
var languages, matcher = mustLoad()

// Texts are all texts in one language.
type Texts struct {
	tag       language.Tag
	localizer *i18n.Localizer
	script    string // texts for page scripts, as JSON
}

// mustLoad reads the files; a mistake in one cannot pass the first test.
func mustLoad() ([]*Texts, language.Matcher) {
	all, err := load()
	if err != nil {
		panic(err)
	}
	tags := make([]language.Tag, len(all))
	for i, t := range all {
		tags[i] = t.tag
	}
	return all, language.NewMatcher(tags)
}

func load() ([]*Texts, error) {
	bundle := i18n.NewBundle(first)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	entries, err := files.ReadDir("texts")
	if err != nil {
		return nil, err
	}
	var all []*Texts
	for _, entry := range entries {
		file, err := bundle.LoadMessageFileFS(files, path.Join("texts", entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("texts %s: %w", entry.Name(), err)
		}
		script, err := scriptTexts(entry.Name())
		if err != nil {
			return nil, fmt.Errorf("texts %s: %w", entry.Name(), err)
		}
		t := &Texts{tag: file.Tag, script: script}
		if t.tag == first {
			all = slices.Insert(all, 0, t)
		} else {
			all = append(all, t)
		}
	}
	for _, t := range all {
		t.localizer = i18n.NewLocalizer(bundle, t.tag.String())
	}
	return all, nil
}

// scriptTexts are those of a file that page scripts need, by the end of their keys.
func scriptTexts(name string) (string, error) {
	data, err := files.ReadFile(path.Join("texts", name))
	if err != nil {
		return "", err
	}
	var file struct {
		Script map[string]any `json:"script"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return "", err
	}
	text, err := json.Marshal(file.Script)
	return string(text), err
}

// All are the texts in every language, English first.
func All() []*Texts { return slices.Clone(languages) }

// For finds the texts for whoever asks for these languages, the dearest first.
// Each is a tag as in "zh-CN", or a list as browsers send it; what is none is
// passed over.
func For(wanted ...string) *Texts {
	if t := Find(wanted...); t != nil {
		return t
	}
	return languages[0]
}

// Find is the same, but nil where there is none of the languages.
func Find(wanted ...string) *Texts {
	for _, list := range wanted {
		tags, _, err := language.ParseAcceptLanguage(list)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, i, confidence := matcher.Match(tags...); confidence != language.No {
			return languages[i]
		}
	}
	return nil
}

// Tag names the language, as "zh".
func (t *Texts) Tag() string { return t.tag.String() }

// Script has the texts for page scripts as JSON: a text by its key, or its
// plural forms.
func (t *Texts) Script() string { return t.script }

// Text is the text of a key, with what stands in it: name, value, name, value.
// The number "Count" chooses among plural forms.
func (t *Texts) Text(key string, with ...any) string {
	config := &i18n.LocalizeConfig{MessageID: key}
	if len(with) > 0 {
		values := make(map[string]any, len(with)/2)
		for i := 0; i+1 < len(with); i += 2 {
			name, _ := with[i].(string)
			values[name] = with[i+1]
		}
		config.TemplateData = values
		if count, ok := values["Count"]; ok {
			config.PluralCount = count
		}
	}
	text, err := t.localizer.Localize(config)
	if err != nil && text == "" {
		return key // a test looks that there is none like this
	}
	return text
}

// Plain is a text with its placeholders, for scripts that fill them.
func (t *Texts) Plain(key string) string {
	var names []any
	for _, name := range []string{"Number", "Room", "Machine"} {
		names = append(names, name, "{{."+name+"}}")
	}
	return t.Text(key, names...)
}

// Around is what stands before and after a part of a text that a page makes by
// itself, as a number that counts.
func (t *Texts) Around(key, name string) (before, after string) {
	const mark = "\x00"
	before, after, _ = strings.Cut(t.Text(key, name, mark), mark)
	return before, after
}

// places are the keys of places in line, by the form that an ordinal number has.
var places = map[plural.Form]string{plural.One: "place.first", plural.Two: "place.second", plural.Few: "place.third"}

// Place says where somebody stands in line: "5th in line".
func (t *Texts) Place(n int) string {
	key, ok := places[plural.Ordinal.MatchPlural(t.tag, n, 0, 0, 0, 0)]
	if !ok {
		key = "place.further"
	}
	return t.Text(key, "N", n)
}
