package roster_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// inUTF16 is a text in UTF-16, the low byte first, without a mark.
func inUTF16(text string) string {
	return encoded(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), text)
}

func encoded(e encoding.Encoding, text string) string {
	data, err := e.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return data
}

// TestReadFindsTheEncoding reads the same text in every encoding, with every
// separator and with each line break.
func TestReadFindsTheEncoding(t *testing.T) {
	t.Parallel()
	const text = "2026年考生名单,,,\n\n准考证号,姓名,身份证号,科目\n０００７,买买提·艾力,99999919650617475Ｘ,1|2\n0008,𠮷田 Иван é,AB 123,3\n"
	big, little := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	encodings := map[string]func(string) string{
		"UTF-8":              func(s string) string { return s },
		"UTF-8 with a mark":  func(s string) string { return "\ufeff" + s },
		"UTF-16 LE":          func(s string) string { return "\xff\xfe" + encoded(little, s) },
		"UTF-16 BE":          func(s string) string { return "\xfe\xff" + encoded(big, s) },
		"UTF-16 LE unmarked": func(s string) string { return encoded(little, s) },
		"UTF-16 BE unmarked": func(s string) string { return encoded(big, s) },
		"GB18030":            func(s string) string { return encoded(simplifiedchinese.GB18030, s) },
	}
	for name, encode := range encodings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, separator := range []string{",", ";", "\t"} {
				for _, lineBreak := range []string{"\n", "\r\n", "\r"} {
					rows, rejected := read(t, encode(strings.NewReplacer(",", separator, "\n", lineBreak).Replace(text)))
					if len(rows) != 2 || len(rejected) != 0 {
						t.Fatalf("%q %q: rows %+v, rejected %+v", separator, lineBreak, rows, rejected)
					}
					want := hall.Person{Name: "买买提·艾力", IDNumber: "99999919650617475X"}
					if r := rows[0]; r.Row != 4 || r.Candidate != "0007" || r.Person != want || strings.Join(r.Subjects, "|") != "1|2" {
						t.Errorf("%q %q: %+v", separator, lineBreak, r)
					}
					if r := rows[1]; r.Row != 5 || r.Person.Name != "𠮷田 Иван é" || r.Person.IDNumber != "AB 123" {
						t.Errorf("%q %q: %+v", separator, lineBreak, r)
					}
				}
			}
		})
	}
}

// TestReadSkipsWhatStandsAboveTheHeader finds the header where it is, and
// counts rows as a spreadsheet does.
func TestReadSkipsWhatStandsAboveTheHeader(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		above string
		row   int // of the one below the header
	}{
		"nothing":               {"", 2},
		"a title":               {"Candidates of 30 November;;\n", 3},
		"separator of Excel":    {"sep=;\n", 3},
		"blank rows":            {"\n;;\n \n", 5},
		"a title of two lines":  {"\"Candidates\nof \"\"today\"\"\";;\n", 3},
		"known words":           {"Name;List\nNumber\n", 4},
		"as many as there may":  {strings.Repeat("title\n", 50), 52},
		"another separator too": {"name,session,class\n", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, rejected := read(t, c.above+"candidate_id;name;subjects\n7;Ann;1\n;Nobody;1\n")
			if len(rows) != 1 || rows[0].Row != c.row || rows[0].Candidate != "7" || rows[0].Person.Name != "Ann" {
				t.Errorf("rows %+v", rows)
			}
			if len(rejected) != 1 || rejected[0].Row != c.row+1 {
				t.Errorf("rejected %+v", rejected)
			}
		})
	}
}

// TestReadLooksForTheHeaderAboveAllElse has a text within a cell that would
// make a header with another separator, and more of one.
func TestReadLooksForTheHeaderAboveAllElse(t *testing.T) {
	t.Parallel()
	rows, _, _, err := roster.ReadBytes([]byte("candidate_id,subjects,note\n1,2,\"x\ncandidate_id;name;id_number;subjects;class\n9;9;9;1;vip\"\n"),
		roster.Text, layout())
	if err != nil || len(rows) != 1 || rows[0].Candidate != "1" || !strings.Contains(rows[0].Person.Note, "9;9;9") {
		t.Errorf("rows %+v, %v", rows, err)
	}
}
