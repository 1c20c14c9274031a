package records

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/hallcall/hallcall/internal/hall"
)

// Format is how a list is written.
type Format string

// The formats of lists.
const (
	CSV  Format = "csv"
	XLSX Format = "xlsx"
	JSON Format = "json"
)

// ContentType is the media type of a format.
func (f Format) ContentType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case JSON:
	}
	return "application/json"
}

// mostRunes is how long the hall's name may be in the name of a file.
const mostRunes = 60

// FileName is what a list is called when it is saved: by hall, day and table.
func (d *Day) FileName(table hall.RecordTable, format Format) string {
	day := d.Hall.Day.ID
	if day == "" {
		day = "next day"
	}
	return fmt.Sprintf("%s %s %s.%s", safeName(d.Hall.Layout.Name, d.Hall.ID), day, table, format)
}

// safeName leaves of a name what every system takes in the name of a file.
func safeName(names ...string) string {
	for _, name := range names {
		name = strings.Map(func(r rune) rune {
			switch {
			case strings.ContainsRune(`/\:*?"<>|%;`, r):
				return '-'
			case unicode.IsSpace(r):
				return ' '
			case !unicode.IsPrint(r):
				return -1 // also what changes the direction of writing
			}
			return r
		}, name)
		runes := []rune(name)
		name = strings.Trim(string(runes[:min(len(runes), mostRunes)]), " .-'")
		if name != "" {
			return name
		}
	}
	return "hall"
}

// Disposition is the header that names a file, in any script: the plain name is
// for programs that do not know RFC 8187.
func Disposition(kind, name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '_'
		}
		return r
	}, name)
	encoded := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	return kind + `; filename="` + ascii + `"; filename*=UTF-8''` + encoded
}
