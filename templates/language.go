package templates

import "github.com/hallcall/hallcall/internal/locale"

// LanguageLink leads to the same page in a language.
type LanguageLink struct {
	Tag    string
	Name   string // its own name
	URL    string
	Chosen bool
}

// Words are a text in one language.
type Words struct{ Lang, Text string }

// Said is a text in the languages of a board.
type Said []Words

// First is the text in the first language.
func (s Said) First() string {
	if len(s) == 0 {
		return ""
	}
	return s[0].Text
}

// turnsOf is the text of a key in each language.
func turnsOf(all []*locale.Texts, key string) Said {
	said := make(Said, len(all))
	for i, t := range all {
		said[i] = Words{Lang: t.Tag(), Text: t.Text(key)}
	}
	return said
}
