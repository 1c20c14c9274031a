package roster

import (
	"encoding/xml"
	"path"
	"strings"
)

// workbook is an xlsx file. Its sheets are read row by row and never kept.
//
// It is read here and not by a library: a roster depends on whether 18 digits
// are a text or a rounded number, on a sheet that is cut off being an error
// and not a shorter roster, and on no name being written to a temporary file.
type workbook struct {
	parts    *parts
	shared   shared
	formats  []format // by number of the style
	from1904 bool     // days are counted from 1904
}

// openWorkbook opens the first sheet that can be seen and has a known header.
func openWorkbook(data []byte) (columns, source, error) {
	p, err := openParts(data)
	if err != nil {
		return columns{}, nil, err
	}
	w := &workbook{parts: p}
	sheets, err := w.read()
	if err != nil {
		return columns{}, nil, err
	}
	if len(sheets) == 0 {
		return columns{}, nil, invalid("The workbook has no sheet that can be seen.")
	}
	var nearest columns
	for _, listed := range sheets {
		s, err := w.sheet(listed.part)
		if err != nil {
			return columns{}, nil, err
		}
		found, err := readHeader(s)
		found.understood.Format, found.understood.Sheet = Workbook, shown(listed.name)
		if err != nil || found.missing() == "" {
			return found, s, err
		}
		if err := s.markup.close(); err != nil {
			return columns{}, nil, err
		}
		if len(found.index) > len(nearest.index) {
			nearest = found
		}
	}
	return nearest, nil, nearest.check()
}

// listedSheet is a sheet as the workbook lists it.
type listedSheet struct{ name, part string }

// read reads all but the sheets, and lists those that can be seen.
func (w *workbook) read() ([]listedSheet, error) {
	book, err := w.find()
	if err != nil {
		return nil, err
	}
	related, err := w.relations(book)
	if err != nil {
		return nil, err
	}
	for _, r := range related {
		switch r.kind {
		case "sharedStrings":
			w.shared, err = readShared(w.parts, r.target)
		case "styles":
			w.formats, err = readFormats(w.parts, r.target)
		}
		if err != nil {
			return nil, err
		}
	}
	return w.sheets(book, related)
}

// find returns the part that lists the sheets, or says what the file is instead.
func (w *workbook) find() (string, error) {
	related, err := w.relations("")
	if err != nil {
		return "", err
	}
	for _, r := range related {
		if r.kind == "officeDocument" && strings.HasSuffix(r.target, ".xml") && w.parts.has(r.target) && !w.parts.has("word/document.xml") {
			return r.target, nil
		}
	}
	switch {
	case w.parts.has("xl/workbook.xml"):
		return "xl/workbook.xml", nil
	case w.parts.has("xl/workbook.bin"):
		return "", invalid("This is a binary workbook (xlsb). Save it as xlsx or CSV.")
	case w.parts.has("content.xml"):
		return "", invalid("This is an OpenDocument file. Save it as xlsx or CSV.")
	case w.parts.has("word/document.xml"):
		return "", invalid("This is a text document. Save its table as xlsx or CSV.")
	}
	return "", invalid("This is a ZIP file, not a workbook. If the roster is in it, unpack it first.")
}

// relation leads from one part to another.
type relation struct{ kind, target string }

// relations are those of a part, by their ids.
func (w *workbook) relations(part string) (map[string]relation, error) {
	folder, file := path.Split(part)
	m, err := w.parts.open(folder + "_rels/" + file + ".rels")
	if err != nil || m == nil {
		return nil, err
	}
	related := map[string]relation{}
	err = m.each(func(tag xml.StartElement) error {
		if tag.Name.Local != "Relationship" || attribute(&tag, "TargetMode") == "External" || len(related) >= maxParts {
			return nil
		}
		target := attribute(&tag, "Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + folder + target
		}
		related[attribute(&tag, "Id")] = relation{path.Base(attribute(&tag, "Type")), partName(target)}
		return nil
	})
	return related, err
}

// sheets lists the sheets that can be seen, in their order.
func (w *workbook) sheets(book string, related map[string]relation) ([]listedSheet, error) {
	m, err := w.parts.open(book)
	if err != nil || m == nil {
		return nil, err
	}
	var sheets []listedSheet
	err = m.each(func(tag xml.StartElement) error {
		switch tag.Name.Local {
		case "workbookPr":
			w.from1904 = isSet(&tag, "date1904")
		case "sheet":
			r := related[attribute(&tag, "id")]
			if state := attribute(&tag, "state"); r.kind == "worksheet" && (state == "" || state == "visible") && len(sheets) < maxParts {
				sheets = append(sheets, listedSheet{attribute(&tag, "name"), r.target})
			}
		}
		return nil
	})
	return sheets, err
}
