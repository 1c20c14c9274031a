package roster

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
)

// format is what the format of a number says about reading it.
type format struct {
	date   bool
	digits int // how many are shown at least, with zeros in front
}

// maxStyles is how many styles and formats a workbook may have; Excel has 64,000.
const maxStyles = 100_000

// readFormats reads the formats of a workbook's styles.
func readFormats(p *parts, name string) ([]format, error) {
	m, err := p.open(name)
	if err != nil || m == nil {
		return nil, err
	}
	own := map[string]format{}
	var styles []format
	inCells := false // not among those that only name others
	err = m.each(func(tag xml.StartElement) error {
		number := attribute(&tag, "numFmtId")
		switch tag.Name.Local {
		case "numFmt":
			if len(own) < maxStyles {
				own[number] = formatOf(attribute(&tag, "formatCode"))
			}
		case "cellXfs":
			inCells = true
		case "cellStyles", "dxfs":
			inCells = false
		case "xf":
			f, ok := own[number]
			if !ok {
				f.date = isBuiltInDate(number)
			}
			if inCells && len(styles) < maxStyles {
				styles = append(styles, f)
			}
		}
		return nil
	})
	return styles, err
}

// isBuiltInDate reports whether a format that every workbook has shows a date or time.
func isBuiltInDate(number string) bool {
	n, err := strconv.Atoi(number)
	return err == nil && (n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58)
}

// literal matches what a format shows as it stands, and what it says in
// brackets but lengths of time.
var literal = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[(?:[^\]hms][^\]]*|[hms][^\]hms][^\]]*)\]`)

// formatOf reads the code of a format, for positive numbers.
func formatOf(code string) format {
	code, _, _ = strings.Cut(literal.ReplaceAllString(strings.ToLower(code), ""), ";")
	switch {
	case strings.ContainsAny(code, "ymdhs"):
		return format{date: true}
	case code != "" && strings.Trim(code, "0") == "":
		return format{digits: len(code)}
	}
	return format{}
}
