package roster_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// refuses checks that a file is refused as a whole, with a sentence that says something of it.
func refuses(t *testing.T, data []byte, format roster.Format, about string) {
	t.Helper()
	rows, rejected, total, err := roster.ReadBytes(data, format, layout())
	if hall.CodeOf(err) != hall.CodeInvalid || !strings.Contains(err.Error(), about) || len(err.Error()) > 300 {
		t.Errorf("error %v, want one about %q", err, about)
	}
	if len(rows)+len(rejected)+total != 0 {
		t.Errorf("also answers %d good, %d bad, %d rows", len(rows), len(rejected), total)
	}
}

func TestReadRefusesWhatIsNoRoster(t *testing.T) {
	t.Parallel()
	const header = "candidate_id,subjects\n"
	for name, c := range map[string]struct{ data, about string }{
		"empty":               {"", "empty"},
		"mark only":           {"\ufeff \r\n", "empty"},
		"mark of UTF-16 only": {"\xff\xfe", "empty"},
		"no known header":     {"a,b\n1,2\n", "known header"},
		"no number column":    {"name,subjects\nAnn,1\n", "row 1 does not name candidate_id"},
		"no subjects column":  {"List\n准考证号,姓名\n1,Ann\n", "row 2 does not name subjects"},
		"header too far down": {strings.Repeat("title\n", 51) + header + "1,1\n", "known header"},
		"two such columns":    {"准考证号,考号,科目\n1,2,1\n", "candidate_id"},
		"its own name twice":  {"candidate_id,candidate_id,科目\n1,2,1\n", "candidate_id"},
		"open quotation":      {header + "1,1\n\"2,1\n3,1\n", "Row 3"},
		"open in header":      {"\"candidate_id,subjects\n1,1\n", "Row 1"},
		"too long a row list": {header + strings.Repeat("1,1\n", 200_001), "200000 rows"},

		"NUL":                     {header + "1\x00,1\n", "NUL"},
		"NUL in UTF-16":           {"\xff\xfe" + inUTF16(header+"1\x00,1\n"), "NUL"},
		"only NUL":                {strings.Repeat("\x00", 1000), "NUL"},
		"damaged UTF-8":           {header + "李小龙陈宇轩,1\n李小\xe9,1\n", "Line 3"},
		"damaged UTF-8 by a mark": {"\ufeff" + header + "1,\xff1\n", "Line 2"},
		"half a character":        {"\xff\xfe" + inUTF16(header) + "\x42\xd8\n\x00", "UTF-16"},
		"half a byte pair":        {"\xff\xfe" + inUTF16(header) + "\n", "UTF-16"},
		"Latin 1":                 {header + "Jos\xe9,1\n", "GB18030"},
		"cut in GB18030":          {header + "1,\xd7", "GB18030"},

		"field of 50 MB":        {header + "1," + strings.Repeat("1", 50<<20) + "\n", "Row 2"},
		"quoted field of 50 MB": {header + "1,\"" + strings.Repeat("1", 50<<20) + "\"\n", "Row 2"},
		"quotation of 50 MB":    {header + "1,\"" + strings.Repeat(`""`, 25<<20) + "\"\n", "Row 2"},
		"longer than any":       {header + strings.Repeat(" ", roster.MaxBytes), "64 MB"},

		"PDF":               {"%PDF-1.7\n%\xe2\xe3", "PDF"},
		"gzip":              {"\x1f\x8b\x08", "compressed"},
		"picture":           {"\x89PNG\r\n\x1a\n", "picture"},
		"old workbook":      {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), "xls"},
		"beginning of ZIP":  {"PK\x03\x04\x14\x00", "damaged"},
		"empty ZIP":         {"PK\x05\x06" + strings.Repeat("\x00", 18), "ZIP"},
		"page of a browser": {"<html><table><tr><td>1</td></tr></table></html>", "known header"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refuses(t, []byte(c.data), roster.AnyFormat, c.about)
		})
	}
}

func TestReadRefusesWhatIsNotWhatItIsSaidToBe(t *testing.T) {
	t.Parallel()
	book := archive(t, parts{"xl/worksheets/sheet1.xml": inlineSheet([]string{"candidate_id", "subjects"}, []string{"1", "1"})})
	if _, _, total, err := roster.ReadBytes(book, roster.Workbook, layout()); total != 1 || err != nil {
		t.Errorf("as a workbook: %d rows, %v", total, err)
	}
	refuses(t, book, roster.Text, "not text")
	refuses(t, []byte("candidate_id,subjects\n1,1\n"), roster.Workbook, "not an Excel workbook")
}

func TestReadRefusesWorkbooks(t *testing.T) {
	t.Parallel()
	whole := archive(t, parts{"xl/worksheets/sheet1.xml": inlineSheet([]string{"candidate_id", "subjects"}, []string{"1", "1"})})
	for name, c := range map[string]struct {
		data  []byte
		about string
	}{
		"ZIP of something":   {archive(t, parts{"_rels/.rels": "", "xl/workbook.xml": "", "roster.csv": "candidate_id,subjects\n1,1"}), "ZIP file"},
		"OpenDocument":       {archive(t, parts{"_rels/.rels": "", "xl/workbook.xml": "", "content.xml": "<a/>"}), "OpenDocument"},
		"binary workbook":    {archive(t, parts{"_rels/.rels": "", "xl/workbook.xml": "", "xl/workbook.bin": "x"}), "xlsb"},
		"text document":      {archive(t, parts{"_rels/.rels": "", "xl/workbook.xml": "", "word/document.xml": "<a/>"}), "text document"},
		"cut off":            {whole[:len(whole)/2], "damaged"},
		"empty sheet":        {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML("")}), "known header"},
		"as excelize begins": {saved(t, excelize.NewFile()), "known header"},
		"password":           {saved(t, excelize.NewFile(), excelize.Options{Password: "secret"}), "password"},
		"no such sheet":      {archive(t, nil), "damaged"},
		"no sheets":          {archive(t, parts{"xl/workbook.xml": "<workbook/>"}), "no sheet"},
		"only hidden ones": {archive(t, parts{
			"xl/workbook.xml":          `<workbook` + main + `><sheets><sheet name="a" state="hidden" r:id="rId1"/></sheets></workbook>`,
			"xl/worksheets/sheet1.xml": inlineSheet([]string{"candidate_id", "subjects"}, []string{"1", "1"}),
		}), "no sheet"},
		"sheet that ends early":    {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(filledRows(3))[:300]}), "damaged"},
		"broken XML":               {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(filledRows(3) + "<row <>")}), "damaged"},
		"entities":                 {archive(t, parts{"xl/worksheets/sheet1.xml": `<!DOCTYPE a [<!ENTITY b "c">]>` + sheetXML(`<row><c t="str"><v>&b;</v></c></row>`)}), "damaged"},
		"other encoding":           {archive(t, parts{"xl/worksheets/sheet1.xml": `<?xml version="1.0" encoding="GBK"?><worksheet/>`}), "damaged"},
		"rows out of order":        {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(filledRows(3) + `<row r="2"/>`)}), "damaged"},
		"cells out of order":       {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row><c r="B1"/><c r="A1"/></row>`)}), "damaged"},
		"cell of no column":        {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row><c r="1"/></row>`)}), "damaged"},
		"cell of a far column":     {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row><c r="ZZZZZZZZZZZZZZ1"/></row>`)}), "damaged"},
		"row of a far number":      {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row r="1048577"/>`)}), "damaged"},
		"unknown type of a cell":   {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row><c t="?"><v>1</v></c></row>`)}), "damaged"},
		"text that is not there":   {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row><c t="s"><v>0</v></c></row>`)}), "damaged"},
		"too many parts":           {archive(t, manyParts(10_000)), "10000 parts"},
		"cell of 50 MB":            {archive(t, parts{"xl/worksheets/sheet1.xml": inlineSheet([]string{strings.Repeat("1", 50<<20)})}), "cell"},
		"shared text of 50 MB":     {archive(t, parts{"xl/sharedStrings.xml": sharedXML("<si><t>" + strings.Repeat("1", 50<<20) + "</t></si>")}), "cell"},
		"value of 50 MB in pieces": {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row><c t="str"><v>` + strings.Repeat("11111<!-- -->", 4<<20) + `</v></c></row>`)}), "cell"},
		"attribute of 50 MB":       {archive(t, parts{"xl/worksheets/sheet1.xml": sheetXML(`<row><c t="` + strings.Repeat("1", 50<<20) + `"/></row>`)}), "cell"},
		"bomb":                     {bomb(t, 1<<30), "160 MB"},
		"bomb that seems small":    {bomb(t, 1<<20), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refuses(t, c.data, roster.AnyFormat, c.about)
		})
	}
}

// TestReadFindsDamageBelowTheRows changes one byte behind the rows of a sheet.
func TestReadFindsDamageBelowTheRows(t *testing.T) {
	t.Parallel()
	const tail = "<tail>so far nobody looked here</tail>"
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range usualParts {
		stored(t, w, name, text)
	}
	stored(t, w, "xl/worksheets/sheet1.xml", inlineSheet([]string{"candidate_id", "subjects"}, []string{"1", "1"})+tail)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, total, err := roster.ReadBytes(b.Bytes(), roster.AnyFormat, layout()); total != 1 || err != nil {
		t.Fatalf("%d rows, %v", total, err)
	}
	refuses(t, bytes.Replace(b.Bytes(), []byte("nobody"), []byte("noBody"), 1), roster.AnyFormat, "damaged")
}

// stored adds a part that is not compressed.
func stored(t *testing.T, w *zip.Writer, name, text string) {
	t.Helper()
	part, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, text); err != nil {
		t.Fatal(err)
	}
}

func manyParts(n int) parts {
	many := parts{}
	for i := range n {
		many[strconv.Itoa(i)] = "x"
	}
	return many
}

// bomb is a workbook of some kilobytes that unzips to 64 MB of blank rows,
// and says that it unzips to so many bytes.
func bomb(t *testing.T, says uint64) []byte {
	t.Helper()
	var packed, b bytes.Buffer
	sheet, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	blank := []byte(strings.Repeat(strings.Repeat(" ", 1<<10)+"<a/>", 1<<10))
	_, err = io.WriteString(sheet, "<worksheet><sheetData>")
	for range 1 << 6 {
		if err == nil {
			_, err = sheet.Write(blank)
		}
	}
	if err != nil || sheet.Close() != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(&b)
	for name, text := range usualParts {
		stored(t, w, name, text)
	}
	part, err := w.CreateRaw(&zip.FileHeader{
		Name: "xl/worksheets/sheet1.xml", Method: zip.Deflate, CompressedSize64: uint64(packed.Len()), UncompressedSize64: says,
	})
	if err == nil {
		_, err = part.Write(packed.Bytes())
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// filledRows are a header and rows below it, as a sheet has them.
func filledRows(n int) string {
	var b strings.Builder
	b.WriteString(`<row r="1"><c r="A1" t="str"><v>candidate_id</v></c><c r="B1" t="str"><v>subjects</v></c></row>`)
	for i := 2; i <= n+1; i++ {
		fmt.Fprintf(&b, `<row r="%d"><c r="A%d" t="str"><v>%d</v></c><c r="B%d"><v>1</v></c></row>`, i, i, i, i)
	}
	return b.String()
}
