package records_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/hallcall/hallcall/internal/records"
)

// awkward are texts that exports have got wrong, and how CSV has them.
var awkward = map[string]string{
	"=1+1":                         "'=1+1",
	`=HYPERLINK("http://x","a")`:   `'=HYPERLINK("http://x","a")`,
	"+7":                           "'+7",
	"-5":                           "'-5",
	"@x":                           "'@x",
	"\t=1":                         "'\t=1",
	" =1":                          "' =1",
	"＝1+1":                         "'＝1+1",
	"|cmd' /C calc'!A0":            "|cmd' /C calc'!A0",
	"0012":                         "0012",
	"999999199001010018":           "999999199001010018",
	"99999919900101001X":           "99999919900101001X",
	"1e5":                          "1e5",
	"张·三":                          "张·三",
	"𠮷野 ':":                        "𠮷野 ':",
	`"quoted", <b>bold</b> & more`: `"quoted", <b>bold</b> & more`,
	"two\nlines":                   "two\nlines",
	"_x0041_":                      "_x0041_",
	" outer ":                      " outer ",
	"'=1":                          "'=1",
	"Рейс-1; и ещё":                "Рейс-1; и ещё",
	"true":                         "true",
	"2026-11-30":                   "2026-11-30",
	"\u202eevil":                   "\u202eevil",
	"O'Neil-=+@":                   "O'Neil-=+@",
	"":                             "",
}

var shanghai = time.FixedZone("Asia/Shanghai", 8*3600)

// begin is 00:30:05 in Shanghai and another date in UTC.
var begin = time.Date(2026, 11, 30, 16, 30, 5, 0, time.UTC)

func awkwardTable(texts []string) records.Table {
	return records.Table{
		Title: "Attendance", Zone: shanghai,
		Columns: []records.Column{{Name: "Name"}, {Name: "No-shows", Kind: records.Number}, {Name: "Time", Kind: records.Time}},
		Rows: func(yield func([]records.Cell, error) bool) {
			for i, text := range texts {
				row := []records.Cell{{Text: text, Empty: text == ""}, {Number: float64(i) / 2}, {Time: begin.Add(time.Duration(i) * time.Second)}}
				if !yield(row, nil) {
					return
				}
			}
		},
	}
}

func awkwardTexts() []string {
	var texts []string
	for text := range awkward {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}

func TestCSV(t *testing.T) {
	t.Parallel()
	texts := awkwardTexts()
	var file bytes.Buffer
	if err := records.WriteCSV(&file, awkwardTable(texts)); err != nil {
		t.Fatal(err)
	}
	data, marked := bytes.CutPrefix(file.Bytes(), []byte("\xef\xbb\xbf"))
	if !marked || bytes.Contains(bytes.ReplaceAll(data, []byte("\r\n"), nil), []byte("\n")) || !bytes.HasSuffix(data, []byte("\r\n")) {
		t.Errorf("no mark, or lines end otherwise: %q", file.Bytes()[:20])
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) != len(texts)+1 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for i, text := range texts {
		want := []string{awkward[text], strings.TrimSuffix(fmt.Sprintf("%.1f", float64(i)/2), ".0"), fmt.Sprintf("2026-12-01T00:30:%02d+08:00", 5+i)}
		if !slices.Equal(rows[i+1], want) {
			t.Errorf("%q became %q, want %q", text, rows[i+1], want)
		}
	}
	for line := range strings.SplitSeq(string(data), "\r\n") {
		for _, field := range strings.Split(line, `","`) {
			if regexp.MustCompile(`^"?[=+\-@\t]`).MatchString(field) && !strings.HasPrefix(field, `"'`) {
				t.Errorf("a spreadsheet would run %q", field)
			}
		}
	}
	if !strings.Contains(string(data), `"0012",`) { // numbers are bare, texts are not
		t.Error("a text stands without quotes")
	}
}

func TestXLSX(t *testing.T) {
	t.Parallel()
	texts := awkwardTexts()
	var file bytes.Buffer
	if err := records.WriteXLSX(&file, awkwardTable(texts)); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close() })
	if sheets := book.GetSheetList(); !slices.Equal(sheets, []string{"Attendance"}) {
		t.Errorf("the sheets are %q", sheets)
	}
	for i, text := range texts {
		cell := fmt.Sprintf("A%d", i+2)
		got, err := book.GetCellValue("Attendance", cell)
		kind, kindErr := book.GetCellType("Attendance", cell)
		formula, formulaErr := book.GetCellFormula("Attendance", cell)
		if got != text || formula != "" || errors.Join(err, kindErr, formulaErr) != nil || text != "" && kind != excelize.CellTypeInlineString {
			t.Errorf("%q became %q of type %v, formula %q", text, got, kind, formula)
		}
		at, err := book.GetCellValue("Attendance", fmt.Sprintf("C%d", i+2))
		if want := fmt.Sprintf("2026-12-01 00:30:%02d", 5+i); at != want || err != nil {
			t.Errorf("the time is %q, want %q (%v)", at, want, err)
		}
	}
	style, err := book.GetCellStyle("Attendance", "A1")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := book.GetStyle(style); err != nil || s.Font == nil || !s.Font.Bold {
		t.Errorf("the header is %+v (%v)", s, err)
	}
	panes, err := book.GetPanes("Attendance")
	if err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("the panes are %+v (%v)", panes, err)
	}
	name, err := book.GetCellStyle("Attendance", "A3")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := book.GetStyle(name); err != nil || s.NumFmt != 49 {
		t.Errorf("a name becomes something else when it is edited: %+v (%v)", s, err)
	}
}

func TestXLSXGoesOnInAnotherSheet(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	if err := records.WriteSheets(&file, awkwardTable([]string{"a", "b", "c", "d", "e"}), 3); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close() })
	var names []string
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil || len(rows) == 0 || rows[0][0] != "Name" {
			t.Fatalf("%s has %q (%v)", sheet, rows, err)
		}
		names = append(names, sheet)
		for _, row := range rows[1:] {
			names = append(names, row[0])
		}
	}
	if want := []string{"Attendance", "a", "b", "Attendance 2", "c", "d", "Attendance 3", "e"}; !slices.Equal(names, want) {
		t.Errorf("the sheets have %q, want %q", names, want)
	}
}

func TestXLSXCutsWhatNoCellHolds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("𠮷", 40000)
	var file, csvFile bytes.Buffer
	if err := errors.Join(records.WriteXLSX(&file, awkwardTable([]string{long})), records.WriteCSV(&csvFile, awkwardTable([]string{long}))); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close() })
	got, err := book.GetCellValue("Attendance", "A2")
	if err != nil || got != strings.Repeat("𠮷", 16383)+"…" {
		t.Errorf("%d characters are left (%v)", len([]rune(got)), err)
	}
	if !strings.Contains(csvFile.String(), long) {
		t.Error("CSV has been cut")
	}
}

// Rows are written as they come, and an error of the rows is one of the file.
func TestRowsAreWrittenAsTheyCome(t *testing.T) {
	t.Parallel()
	broken := errors.New("gone")
	for name, write := range map[string]func(io.Writer, records.Table) error{"csv": records.WriteCSV, "xlsx": records.WriteXLSX} {
		table := awkwardTable(nil)
		var written counter
		table.Rows = func(yield func([]records.Cell, error) bool) {
			noise := uint64(1)
			for range 20000 {
				noise = noise*6364136223846793005 + 1442695040888963407
				if !yield([]records.Cell{{Text: strconv.FormatUint(noise, 10)}, {}, {Time: begin}}, nil) {
					return
				}
			}
			if written < 50_000 {
				t.Errorf("%s: %d bytes are written after 20,000 rows", name, written)
			}
			yield(nil, broken)
		}
		if err := write(&written, table); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
