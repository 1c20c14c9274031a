package roster_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

func layout() *hall.Layout {
	return &hall.Layout{
		Subjects: []hall.Subject{{Code: "1"}, {Code: "2"}, {Code: "3"}, {Code: "4"}},
		Sessions: []hall.Session{{Code: "AM"}, {Code: "PM"}},
	}
}

// read reads a roster that must be readable as such.
func read(t *testing.T, text string) ([]hall.RosterRow, []hall.RejectedRow) {
	t.Helper()
	rows, rejected, total, err := roster.Read(strings.NewReader(text), layout())
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	if total != len(rows)+len(rejected) {
		t.Fatalf("total %d, but %d good and %d bad rows", total, len(rows), len(rejected))
	}
	return rows, rejected
}

func TestReadAwkwardRows(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "twelve-awkward-rows.csv"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "twelve-awkward-rows.expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected struct {
		Accepted int
		Rejected []struct {
			Row          int
			Column, Code string
		}
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	rows, rejected := read(t, string(text))
	if len(rows) != expected.Accepted || len(rejected) != len(expected.Rejected) {
		t.Fatalf("%d good and %d bad rows, want %d and %d", len(rows), len(rejected), expected.Accepted, len(expected.Rejected))
	}
	for i, want := range expected.Rejected {
		got := rejected[i]
		if got.Row != want.Row || got.Column != want.Column || got.Code != want.Code || got.Message == "" {
			t.Errorf("rejected %d: %+v, want %+v", i, got, want)
		}
	}
	byRow := map[int]hall.RosterRow{}
	for _, row := range rows {
		byRow[row.Row] = row
	}
	for what, ok := range map[string]bool{
		"row 10: name begins with =": byRow[10].Person.Name == `=HYPERLINK("http://example.invalid","x")`,
		"row 11: ID ends in X":       byRow[11].Person.IDNumber == "99999919650617475X",
		"row 12: name is HTML":       byRow[12].Person.Name == "<img src=x onerror=alert(1)>",
		"row 13: plain digits":       byRow[13].Candidate == "007152",
	} {
		if !ok {
			t.Errorf("%s: not so in %+v", what, rows)
		}
	}
}

func TestReadWholeFiles(t *testing.T) {
	t.Parallel()
	for file, people := range map[string]int{
		filepath.Join("..", "app", "demo", "roster.csv"):               240,
		filepath.Join("testdata", "bom-semicolon-russian-headers.csv"): 40,
		filepath.Join("testdata", "gbk-chinese-headers.csv"):           60,
		filepath.Join("testdata", "utf16le-tab.txt"):                   40,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows, rejected := read(t, string(text))
		if len(rows) != people || len(rejected) != 0 {
			t.Errorf("%s: %d good rows, want %d; bad ones: %v", file, len(rows), people, rejected)
		}
	}
}

func TestReadHeaders(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain":         "candidate_id,name,id_number,subjects,class,session,note\n007,Ann,P1,1|3,vip,AM,door\n",
		"other order":   "note,session,class,subjects,id_number,name,candidate_id\ndoor,AM,vip,1|3,P1,Ann,007\n",
		"case, blanks":  " Candidate ID ,NAME,Id Number,Subjects,Class,Session,Note\n007,Ann,P1,1|3,VIP,AM,door\n",
		"Chinese":       "准考证号,姓名,身份证号,科目,类别,场次,备注\n007,Ann,P1,1、3,贵宾,AM,door\n",
		"Russian":       "Номер;ФИО;Документ;Предметы;Категория;Смена;Примечание\r\n007;Ann;P1;1|3;ВИП;AM;door\r\n",
		"mark and tab":  "\ufeff准考证号\t姓名\t证件号码\t科目\t类别\t场次\t备注\n007\tAnn\tP1\t1 3\tvip\tAM\tdoor",
		"carriage only": "candidate_id,name,id_number,subjects,class,session,note\r007,Ann,P1,1|3,vip,AM,door\r",
		"quoted":        "\"candidate_id\",\"name\",\"id_number\",\"subjects\",\"class\",\"session\",\"note\"\n\"007\",\"Ann\",\"P1\",\"1,3\",\"vip\",\"AM\",\"door\"\n",
		"unknown too":   "序号,准考证号（必填）,姓名*,身份证号,科目,类别,场次,备注,电话\n1,007,Ann,P1,1;3,vip,AM,door,555\n",
		"own name wins": "id,candidate_id,name,id_number,subjects,class,session,note\n1,007,Ann,P1,1|3|1,vip,AM,door\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, rejected := read(t, text)
			if len(rows) != 1 || len(rejected) != 0 {
				t.Fatalf("rows %+v, rejected %+v", rows, rejected)
			}
			r := rows[0]
			person := hall.Person{Name: "Ann", IDNumber: "P1", Note: "door"}
			if r.Row != 2 || r.Candidate != "007" || r.Person != person || r.Class != hall.ClassVIP ||
				r.Session != "AM" || strings.Join(r.Subjects, "|") != "1|3" {
				t.Errorf("row %+v", r)
			}
		})
	}
}

func TestReadSaysWhichColumnsAreMissing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"candidate_id,subjects\n1,1\n2,1\n":                                      "name id_number note session class",
		"准考证号,科目,姓名\n1,1,Ann\n":                                                  "id_number note session class",
		"candidate_id,subjects,phone,Note,Session\n1,1,555,door,AM\n":            "name id_number class",
		"candidate_id,name,id_number,subjects,class,session,note\n1,,,1\n":       "",
		"candidate_id,category,shift,subjects,remark,passport,name*\n1,,,1,,,\n": "",
	} {
		rows, rejected := read(t, text)
		if len(rows) == 0 || len(rejected) != 0 {
			t.Errorf("%s: rows %+v, rejected %+v", text, rows, rejected)
		}
		for _, row := range rows {
			if got := strings.Join(row.Without, " "); got != want {
				t.Errorf("%s: without %q, want %q", text, got, want)
			}
		}
	}
}

func TestReadCells(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 201)
	for _, c := range []struct {
		name, row    string // below the header candidate_id,name,id_number,subjects,class,session,note
		column, code string // empty: the row is good
		value        string // of the rejected row, or name|id number|class of the good one
	}{
		{"no ID number", "1,Ann,,1,,,", "", "", "Ann||"},
		{"full width", "１,Ａｎｎ　Ｌｅｅ,９９９９９９１９６５０６１７４７５ｘ,１｜２,普通,,", "", "", "Ann Lee|99999919650617475X|normal"},
		{"signs of names stay", "1,买买提·艾力（小）,,1,,,", "", "", "买买提·艾力（小）||"},
		{"outside the BMP", "1,𠮷田,,1,,,", "", "", "𠮷田||"},
		{"name of two lines", "1,\"Ann\nLee\",,1,,,", "", "", "Ann Lee||"},
		{"quotation mark within", "1,Ann \"A\" Lee,,1,,,", "", "", `Ann "A" Lee||`},
		{"foreign document", "1,Ann,AB 123456x,1,,,", "", "", "Ann|AB 123456x|"},
		{"Russian class", "1,Ann,,1,Обычный,,", "", "", "Ann||normal"},
		{"management", "1,Ann,,1,管理,,", "", "", "Ann||management"},
		{"priority", "1,Ann,,1,ＰＲＩＯＲＩＴＹ,,", "", "", "Ann||priority"},
		{"short row", "1,Ann,,1", "", "", "Ann||"},
		{"surplus blanks", "1,Ann,,1,,,,, ,", "", "", "Ann||"},

		{"no number", " ,Ann,,1,,,", "candidate_id", "required", ""},
		{"number too long", strings.Repeat("7", 65) + ",Ann,,1,,,", "candidate_id", "too_long", strings.Repeat("7", 65)},
		{"number too long to show", strings.Repeat("7", 500) + ",Ann,,1,,,", "candidate_id", "too_long", strings.Repeat("7", 100) + "…"},
		{"number with a control character", "\"1\x07\",Ann,,1,,,", "candidate_id", "invalid_id", "1\x07"},
		{"unseen around cells", "\u202d1\u202c,\u2066Ann\u2069,\u200eAB1\ufeff,\u200b1,\u200fvip\u200f,,", "", "", "Ann|AB1|vip"},
		{"unseen within a number", "1\u200b1,Ann,,1,,,", "candidate_id", "invalid_id", "1\u200b1"},
		{"unseen within an ID", "1,Ann,A\u202eB,1,,,", "id_number", "invalid_id", "A\u202eB"},
		{"number rounded", "2.02612E+11,Ann,,1,,,", "candidate_id", "number_was_rounded", "2.02612E+11"},
		{"ID rounded", "1,Ann,9.99999E+17,1,,,", "id_number", "number_was_rounded", "9.99999E+17"},
		{"ID rounded with a comma", "1,Ann,\"9,99999E+17\",1,,,", "id_number", "number_was_rounded", "9,99999E+17"},
		{"ID rounded to one digit", "1,Ann,1E+18,1,,,", "id_number", "number_was_rounded", "1E+18"},
		{"ID as a float", "1,Ann,999999199001010048.0,1,,,", "id_number", "number_was_rounded", "999999199001010048.0"},
		{"ID check character", "1,Ann,999999196609016034,1,,,", "id_number", "id_number_checksum", "999999196609016034"},
		{"ID of 18 letters", "1,Ann,ABCDEFGHIJKLMNOPQR,1,,,", "id_number", "id_number_checksum", "ABCDEFGHIJKLMNOPQR"},
		{"ID too long", "1,Ann," + strings.Repeat("A", 65) + ",1,,,", "id_number", "too_long", strings.Repeat("A", 65)},
		{"no subject", "1,Ann,, | ,,,", "subjects", "required", "|"},
		{"unknown subject", "1,Ann,,1|9,,,", "subjects", "unknown_subject", "1|9"},
		{"subjects run together", "1,Ann,,12,,,", "subjects", "unknown_subject", "12"},
		{"unknown class", "1,Ann,,1,VVIP,,", "class", "unknown_class", "VVIP"},
		{"unknown session", "1,Ann,,1,,noon,", "session", "unknown_session", "noon"},
		{"name too long", "1," + long + ",,1,,,", "name", "too_long", string([]rune(long)[:100]) + "…"},
		{"more fields than headers", "1,Ann,,1,vip,AM,door,2,3", "", "too_long", "2 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rows, rejected := read(t, "candidate_id,name,id_number,subjects,class,session,note\n"+c.row+"\n")
			if c.code == "" {
				if len(rows) != 1 {
					t.Fatalf("rejected: %+v", rejected)
				}
				r := rows[0]
				if got := r.Person.Name + "|" + r.Person.IDNumber + "|" + string(r.Class); got != c.value || r.Candidate != "1" {
					t.Errorf("candidate %q, %q, want %q", r.Candidate, got, c.value)
				}
				return
			}
			if len(rejected) != 1 {
				t.Fatalf("taken: %+v", rows)
			}
			got := rejected[0]
			if got.Row != 2 || got.Column != c.column || got.Code != c.code || got.Value != c.value || got.Message == "" {
				t.Errorf("rejected: %+v", got)
			}
		})
	}
}

func TestReadCountsRowsAsSpreadsheetsDo(t *testing.T) {
	t.Parallel()
	rows, rejected := read(t, "candidate_id,note,subjects\n"+
		"a,\"two\nlines\",1\n"+ // 2
		"\n"+ // 3
		",,\n"+ // 4
		"b,,1\n"+ // 5
		"a,,2\n") // 6
	if len(rows) != 2 || rows[0].Row != 2 || rows[1].Row != 5 || rows[0].Person.Note != "two\nlines" {
		t.Errorf("rows %+v", rows)
	}
	if len(rejected) != 1 || rejected[0].Row != 6 || rejected[0].Code != "duplicate_in_file" ||
		!strings.Contains(rejected[0].Message, "Row 2") {
		t.Errorf("rejected %+v", rejected)
	}
}

func TestReadKeepsTheReadersError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	if _, _, _, err := roster.Read(iotest.ErrReader(broken), layout()); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
