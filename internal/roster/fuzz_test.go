package roster_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// FuzzRead reads any bytes.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.*"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("\ufeffНомер;ФИО;Предметы\r\n1;\"a\"\"b\nc\";１、2\r\n\r\n;;\r\n"))
	f.Add(archive(f, parts{"xl/worksheets/sheet1.xml": sheetXML(filledRows(3))}))
	f.Add(saved(f, excelize.NewFile()))
	f.Fuzz(func(t *testing.T, data []byte) { readAnything(t, data) })
}

// FuzzWorkbook reads a workbook whose parts are anything.
func FuzzWorkbook(f *testing.F) {
	const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm;&quot;x&quot;"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`
	f.Add(sheetXML(filledRows(3)), sharedXML("<si><t>1</t></si>"), styles, usualParts["xl/workbook.xml"], usualParts["xl/_rels/workbook.xml.rels"])
	f.Add(inlineSheet([]string{"准考证号", "科目"}, []string{"1", "1|2"}), "", "", "", "")
	f.Add(sheetXML(`<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c></row><row r="4"><c r="A4" s="0"><v>7001</v></c><c r="B4"><f>1+1</f><v>2</v></c></row>`),
		sharedXML("<si><r><t>candidate_id</t></r></si><si><t>sub_x006A_ects</t><rPh><t>x</t></rPh></si>"),
		`<styleSheet><numFmts><numFmt numFmtId="9" formatCode="000000"/></numFmts><cellXfs><xf numFmtId="9"/></cellXfs></styleSheet>`, "", "")
	f.Fuzz(func(t *testing.T, sheet, shared, styles, book, related string) {
		own := parts{"xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": shared, "xl/styles.xml": styles}
		if book != "" {
			own["xl/workbook.xml"] = book
		}
		if related != "" {
			own["xl/_rels/workbook.xml.rels"] = related
		}
		readAnything(t, archive(t, own))
	})
}

// readAnything reads a file, and checks what holds of any.
func readAnything(t *testing.T, data []byte) {
	t.Helper()
	rows, rejected, total, err := roster.ReadBytes(data, roster.AnyFormat, layout())
	if err != nil {
		if hall.CodeOf(err) != hall.CodeInvalid {
			t.Fatalf("error %v has no code", err)
		}
		return
	}
	if total != len(rows)+len(rejected) {
		t.Fatalf("total %d, but %d good and %d bad rows", total, len(rows), len(rejected))
	}
	numbers, ids := map[int]bool{}, map[string]bool{}
	for _, r := range rows {
		if r.Row < 2 || numbers[r.Row] || ids[r.Candidate] || hall.IDFault(r.Candidate) != "" ||
			len(r.Subjects) == 0 || (r.Class != "" && !r.Class.Valid()) {
			t.Fatalf("row taken: %+v", r)
		}
		numbers[r.Row], ids[r.Candidate] = true, true
		for i, s := range r.Subjects {
			if _, ok := layout().Subject(s); !ok || strings.Contains(strings.Join(r.Subjects[:i], "|"), s) {
				t.Fatalf("subjects taken: %q", r.Subjects)
			}
		}
	}
	for _, r := range rejected {
		if r.Row < 2 || numbers[r.Row] || r.Code == "" || r.Message == "" {
			t.Fatalf("row rejected: %+v", r)
		}
		numbers[r.Row] = true
	}
}
