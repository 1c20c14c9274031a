package roster_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/hallcall/hallcall/internal/hall"
)

// inlineSheet is a sheet with its texts in it.
func inlineSheet(rows ...[]string) string {
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for _, text := range row {
			fmt.Fprintf(&b, `<c t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, html.EscapeString(text))
		}
		b.WriteString("</row>")
	}
	return sheetXML(b.String())
}

// workbookOf writes a text as a workbook, every cell as text.
func workbookOf(t *testing.T, text string, separator rune) []byte {
	t.Helper()
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f := excelize.NewFile()
	for i, record := range records {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &record); err != nil {
			t.Fatal(err)
		}
	}
	return saved(t, f)
}

// TestReadWorkbookLikeText reads files as workbooks and expects what their text gives.
func TestReadWorkbookLikeText(t *testing.T) {
	t.Parallel()
	for name, separator := range map[string]rune{
		filepath.Join("..", "app", "demo", "roster.csv"):               ',',
		filepath.Join("testdata", "twelve-awkward-rows.csv"):           ',',
		filepath.Join("testdata", "bom-semicolon-russian-headers.csv"): ';',
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, rejected := read(t, string(text))
		asWorkbook, rejectedThere := read(t, string(workbookOf(t, string(text), separator)))
		if !reflect.DeepEqual(rows, asWorkbook) {
			t.Errorf("%s: rows\n%+v, as a workbook\n%+v", name, rows, asWorkbook)
		}
		if !reflect.DeepEqual(rejected, rejectedThere) {
			t.Errorf("%s: rejected\n%+v, as a workbook\n%+v", name, rejected, rejectedThere)
		}
	}
}

// TestReadWorkbookNumbers has the numbers and dates of a spreadsheet in cells
// that are to be text.
func TestReadWorkbookNumbers(t *testing.T) {
	t.Parallel()
	const id, number, subjects, note = "candidate_id", "id_number", "subjects", "note"
	for name, c := range map[string]struct {
		column string
		value  any
		format string // of the number
		want   string // what is read, or the code of the refusal and the value that it shows
	}{
		"text with zeros":              {id, "0012", "", "0012"},
		"text of 18 digits":            {number, "999999196609016033", "", "999999196609016033"},
		"text in text format":          {number, "99999919650617475x", "@", "99999919650617475X"},
		"text that was rounded":        {number, "9.99999E+17", "", "number_was_rounded 9.99999E+17"},
		"number":                       {id, 12, "", "12"},
		"number with zeros shown":      {id, 7001, "000000", "007001"},
		"zeros and another section":    {id, 7001, `000000;-000000;"none"`, "007001"},
		"more digits than are shown":   {id, 1234567, "000", "1234567"},
		"number in text format":        {id, 12, "@", "12"},
		"number with two decimals":     {id, 12, "0.00", "12"},
		"number in groups":             {id, 1234567, "#,##0", "1234567"},
		"15 digits":                    {number, 123456789012345, "", "123456789012345"},
		"15 digits in short":           {number, 123456789012345, "0.00E+00", "123456789012345"},
		"16 digits":                    {number, 1234567890123456, "", "number_was_rounded 1234567890123456"},
		"18 digits":                    {number, 999999196609016033, "", "number_was_rounded 999999196609016033"},
		"18 digits, shown whole":       {number, 999999196609016064.0, "000000000000000000", "number_was_rounded 999999196609016000"},
		"subject":                      {subjects, 3, "", "3"},
		"two subjects as a number":     {subjects, 12, "", "unknown_subject 12"},
		"two subjects as a fraction":   {subjects, 1.2, "", "unknown_subject 1.2"},
		"two subjects as a date":       {subjects, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), "m-d", "unreadable_cell 2026-01-02"},
		"id as a date":                 {id, time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), "yyyy-mm-dd", "unreadable_cell 2026-11-30"},
		"id as a date in Chinese":      {id, 46000, `yyyy"年"m"月"d"日"`, "unreadable_cell 2025-12-09"},
		"id as a time":                 {id, 0.5, "[h]:mm", "unreadable_cell 12:00:00"},
		"number of a date in words":    {id, 46000, `"day" 0`, "46000"},
		"number in a colour":           {id, 46000, `[Red]0`, "46000"},
		"date in a note":               {note, time.Date(2026, 11, 30, 8, 30, 0, 0, time.UTC), "yyyy-mm-dd hh:mm", "2026-11-30 08:30:00"},
		"phone number in a note":       {note, 13800138000, "", "13800138000"},
		"long number in a note":        {note, 1234567890123456, "", "number_was_rounded 1234567890123456"},
		"truth":                        {note, true, "", "TRUE"},
		"line break and tab in a note": {note, "a\nb\tc", "", "a\nb c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := excelize.NewFile()
			header := []string{id, number, subjects, note}
			cells := map[string]any{id: "1", number: "P1", subjects: "1"}
			cells[c.column] = c.value
			for i, column := range header {
				place := string(rune('A' + i))
				check(t, f.SetCellValue("Sheet1", place+"1", column))
				check(t, f.SetCellValue("Sheet1", place+"2", cells[column]))
				if column == c.column && c.format != "" {
					style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &c.format})
					check(t, err)
					check(t, f.SetCellStyle("Sheet1", place+"2", place+"2", style))
				}
			}
			rows, rejected := read(t, string(saved(t, f)))
			got := ""
			for _, r := range rows {
				got = map[string]string{
					id: r.Candidate, number: r.Person.IDNumber, subjects: strings.Join(r.Subjects, "|"), note: r.Person.Note,
				}[c.column]
			}
			for _, r := range rejected {
				if r.Row != 2 || r.Column != c.column || r.Message == "" {
					t.Errorf("rejected %+v", r)
				}
				got = r.Code + " " + r.Value
			}
			if got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestReadWorkbookCells reads cells as other programs write them.
func TestReadWorkbookCells(t *testing.T) {
	t.Parallel()
	const styles = xmlHead + `<styleSheet` + main + `><numFmts><numFmt numFmtId="164" formatCode="0000"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`
	for name, c := range map[string]struct{ cell, want string }{
		"shared":                     {`<c t="s"><v>0</v></c>`, "李 龙"},
		"shared, without a reading":  {`<c t="s"><v>1</v></c>`, "東京"},
		"escaped":                    {`<c t="inlineStr"><is><t>a_x0041__x_x005F_x0041_</t></is></c>`, "aA_x_x0041_"},
		"text in runs":               {`<c t="inlineStr"><is><r><t>ab</t></r><r><rPr/><t>cd</t></r></is></c>`, "abcd"},
		"CDATA and comments":         {`<c t="str"><v><![CDATA[a<]]><!-- x -->b</v></c>`, "a<b"},
		"result of a formula":        {`<c t="str"><f>A1</f><v>ab</v></c>`, "ab"},
		"number of a formula":        {`<c><f>A1</f><v>12</v></c>`, "12"},
		"number with zeros":          {`<c s="2"><v>12</v></c>`, "0012"},
		"whole number with decimals": {`<c><v>12.0</v></c>`, "12"},
		"negative":                   {`<c s="2"><v>-12</v></c>`, "-12"},
		"fraction":                   {`<c><v>0.5</v></c>`, "0.5"},
		"blanks around":              {`<c><v> 12 </v></c>`, "12"},
		"style that is not there":    {`<c s="99"><v>12</v></c>`, "12"},
		"exponent":                   {`<c><v>1.2E+10</v></c>`, "! number_was_rounded 1.2E+10"},
		"long fraction":              {`<c><v>0.30000000000000004</v></c>`, "! number_was_rounded 0.30000000000000004"},
		"date":                       {`<c s="1"><v>46000</v></c>`, "2025-12-09"},
		"date and time":              {`<c s="1"><v>46000.25</v></c>`, "2025-12-09 06:00:00"},
		"date of no calendar":        {`<c s="1"><v>1E+300</v></c>`, "1E+300"},
		"date as such":               {`<c t="d"><v>2026-11-30</v></c>`, "2026-11-30"},
		"no number":                  {`<c><v>NaN?</v></c>`, "! unreadable_cell NaN?"},
		"error":                      {`<c t="e"><v>#REF!</v></c>`, "! unreadable_cell #REF!"},
		"formula without a result":   {`<c><f>A1</f></c>`, "! unreadable_cell "},
		"formula of no text":         {`<c t="str"><f>A1</f><v></v></c>`, ""},
		"nothing":                    {`<c s="1"/>`, ""},
		"nothing within":             {`<c t="inlineStr"></c>`, ""},
		"prefix":                     {`<x:c t="str"><x:v>ab</x:v></x:c>`, "ab"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, rejected := read(t, string(archive(t, parts{
				"xl/styles.xml": styles,
				"xl/sharedStrings.xml": sharedXML(`<si><r><t>李</t></r><r><t xml:space="preserve"> 龙 </t></r></si>` +
					`<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>`),
				"xl/worksheets/sheet1.xml": sheetXML(`<row><c t="str"><v>candidate_id</v></c><c t="str"><v>subjects</v></c><c t="str"><v>name</v></c></row>` +
					`<row><c t="str"><v>1</v></c><c t="str"><v>1</v></c>` + c.cell + `</row>`),
			})))
			got := ""
			for _, r := range rows {
				got = r.Person.Name
			}
			for _, r := range rejected {
				got = "! " + r.Code + " " + r.Value
			}
			if got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
}

// TestReadWorkbookSheets takes the first sheet that can be seen and has a
// header, and counts its rows as it shows them.
func TestReadWorkbookSheets(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	check(t, f.SetCellValue("Sheet1", "A1", "Read this first"))
	for i, sheet := range []string{"Old", "Candidates", "More"} {
		_, err := f.NewSheet(sheet)
		check(t, err)
		check(t, f.SetCellValue(sheet, "B2", "考生名单"))
		check(t, f.MergeCell(sheet, "B2", "F2"))
		check(t, f.SetSheetRow(sheet, "B4", &[]any{"序号", "准考证号", "姓名", "科目", nil, "phone"}))
		check(t, f.SetSheetRow(sheet, "B6", &[]any{1, fmt.Sprintf("00%d", i), sheet, "1", "stray"}))
		check(t, f.SetSheetRow(sheet, "B9", &[]any{2, fmt.Sprintf("01%d", i), "Hidden", "2", nil, nil, "far right"}))
		check(t, f.SetRowVisible(sheet, 9, false))
		check(t, f.SetColVisible(sheet, "C", false))
	}
	check(t, f.SetSheetVisible("Old", false))
	rows, rejected := read(t, string(saved(t, f)))
	want := []hall.RosterRow{
		{Row: 6, Candidate: "001", Person: hall.Person{Name: "Candidates"}, Subjects: []string{"1"}},
		{Row: 9, Candidate: "011", Person: hall.Person{Name: "Hidden"}, Subjects: []string{"2"}},
	}
	for i := range rows {
		rows[i].Without = nil
	}
	if !reflect.DeepEqual(rows, want) || len(rejected) != 0 {
		t.Errorf("rows %+v, rejected %+v", rows, rejected)
	}
}

// TestReadWorkbookCountsFrom1904 reads a date as old Macintosh programs count.
func TestReadWorkbookCountsFrom1904(t *testing.T) {
	t.Parallel()
	rows, _ := read(t, string(archive(t, parts{
		"xl/workbook.xml": `<workbook` + main + `><workbookPr date1904="1"/><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>`,
		"xl/styles.xml":   `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml": sheetXML(`<row><c t="str"><v>candidate_id</v></c><c t="str"><v>subjects</v></c><c t="str"><v>note</v></c></row>` +
			`<row><c><v>1</v></c><c t="str"><v>1</v></c><c s="1"><v>1</v></c></row>`),
	})))
	if len(rows) != 1 || rows[0].Person.Note != "1904-01-02" {
		t.Errorf("rows %+v", rows)
	}
}
