package roster_test

import (
	"archive/zip"
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"
)

// parts are the parts of a workbook by their names. Those that any workbook
// needs are added; "" leaves one of them out.
type parts map[string]string

const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	relationships = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	officeTypes   = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	main          = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
)

var usualParts = parts{
	"_rels/.rels": relationships + `<Relationship Id="rId1" Type="` + officeTypes + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	"xl/_rels/workbook.xml.rels": relationships +
		`<Relationship Id="rId1" Type="` + officeTypes + `worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + officeTypes + `sharedStrings" Target="sharedStrings.xml"/>` +
		`<Relationship Id="rId3" Type="` + officeTypes + `styles" Target="/xl/styles.xml"/></Relationships>`,
	"xl/workbook.xml": xmlHead + `<workbook` + main + `><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
}

func sheetXML(rows string) string {
	return xmlHead + `<worksheet` + main + `><sheetData>` + rows + `</sheetData></worksheet>`
}

func sharedXML(texts string) string { return xmlHead + `<sst` + main + `>` + texts + `</sst>` }

// archive makes a workbook of its parts, which are stored as they are: a test
// has no time to compress 50 MB.
func archive(tb testing.TB, own parts) []byte {
	tb.Helper()
	return pack(tb, own, zip.Store)
}

func pack(tb testing.TB, own parts, method uint16) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name, text string) {
		part, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := part.Write([]byte(text)); err != nil {
			tb.Fatal(err)
		}
	}
	for name, text := range usualParts {
		if _, ok := own[name]; !ok {
			add(name, text)
		}
	}
	for name, text := range own {
		if text != "" {
			add(name, text)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// saved returns a workbook as a file.
func saved(tb testing.TB, f *excelize.File, options ...excelize.Options) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, options...); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}
