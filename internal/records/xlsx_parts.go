package records

// The parts of a workbook that are the same in all of them (ECMA-376).
const (
	namespace = "http://schemas.openxmlformats.org/"
	office    = namespace + "officeDocument/2006/relationships"

	sheetType     = `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`
	sheetRelation = `<Relationship Id="rId%d" Type="` + office + `/worksheet" Target="worksheets/sheet%d.xml"/>`

	workbookPart = `<workbook xmlns="` + namespace + `spreadsheetml/2006/main" xmlns:r="` + office + `"><sheets>%s</sheets></workbook>`

	relationsPart = `<Relationships xmlns="` + namespace + `package/2006/relationships">%s` +
		`<Relationship Id="rId%d" Type="` + office + `/styles" Target="styles.xml"/></Relationships>`

	rootPart = `<Relationships xmlns="` + namespace + `package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`

	typesPart = `<Types xmlns="` + namespace + `package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>%s</Types>`

	// The formats of cells in the order of the style… numbers; 49 is text.
	stylesPart = `<styleSheet xmlns="` + namespace + `spreadsheetml/2006/main">` +
		`<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top"/></xf></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
)
