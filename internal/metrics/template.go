package metrics

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// maxTemplate is how long a template may be, in bytes.
const maxTemplate = 256

var (
	namePattern        = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)
	placeholderPattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}(\[\](\.[A-Za-z0-9_]{1,64})?)?$`)
)

// template is a text with placeholders: literals and placeholders take turns,
// a literal first and last.
type template struct {
	literals     []string
	placeholders []string
}

// parse reads a template.
func parse(source string) (template, error) {
	parts := strings.Split(source, "#")
	switch {
	case len(source) > maxTemplate:
		return template{}, errors.New("is longer than 256 bytes")
	case len(parts)%2 == 0:
		return template{}, errors.New("has a # without its other one")
	case strings.ContainsAny(source, "{}") || strings.ContainsFunc(source, isControl):
		return template{}, errors.New("must have no braces and no control characters")
	}
	var t template
	for i, part := range parts {
		if i%2 == 0 {
			t.literals = append(t.literals, part)
			continue
		}
		if !placeholderPattern.MatchString(part) {
			return template{}, errors.New("has a placeholder that is not 1 to 64 letters, digits or _")
		}
		t.placeholders = append(t.placeholders, part)
	}
	return t, nil
}

func isControl(r rune) bool {
	return r < ' ' || (r >= 0x7f && r < 0xa0) || r == '\u2028' || r == '\u2029' || r == '\ufffd'
}

// lone reports whether the template is one placeholder and nothing else: what
// it is filled with can be taken for nothing else then.
func (t template) lone() bool {
	return len(t.placeholders) == 1 && t.literals[0] == "" && t.literals[1] == ""
}

// separators keep values apart that stand in one text: "a:b" and "c" is not "a" and "b:c".
var separators = strings.NewReplacer("%", "%25", ":", "%3A")

// fill puts values in. missing is the name of a placeholder without one.
func (t template) fill(value func(name string) (string, bool)) (filled, missing string) {
	var b strings.Builder
	b.WriteString(t.literals[0])
	for i, name := range t.placeholders {
		v, ok := value(name)
		if !ok {
			return "", name
		}
		if !t.lone() {
			v = separators.Replace(v)
		}
		b.WriteString(v)
		b.WriteString(t.literals[i+1])
	}
	return b.String(), ""
}

// list is the list that a placeholder is an element of: "remaining" of
// "remaining[]" and of "remaining[].state"; "" for other placeholders.
func list(placeholder string) string {
	name, _, ok := strings.Cut(placeholder, "[]")
	if !ok {
		return ""
	}
	return name
}

// lists are those that the placeholders are elements of.
func lists(placeholders []string) []string {
	var names []string
	for _, p := range placeholders {
		if name := list(p); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
