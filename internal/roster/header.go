package roster

import (
	"strings"
	"unicode"
)

// The columns of a roster.
const (
	columnCandidate = "candidate_id"
	columnName      = "name"
	columnIDNumber  = "id_number"
	columnSubjects  = "subjects"
	columnClass     = "class"
	columnSession   = "session"
	columnNote      = "note"
)

var columnNames = []string{
	columnCandidate, columnName, columnIDNumber, columnSubjects, columnClass, columnSession, columnNote,
}

// synonyms are the headers by which offices know the columns, as headerKey gives them.
var synonyms = map[string][]string{
	columnCandidate: {
		"candidateid", "candidate", "candidateno", "candidatenumber", "id", "number", "examno", "examnumber", "examid",
		"admissionno", "admissionnumber", "admissionticket", "registrationno", "registrationnumber",
		"准考证号", "准考证", "准考证号码", "准考证编号", "考生号", "考号", "考生编号", "考生号码", "報名號", "准考證號", "報名序號",
		"номер", "номеркандидата", "номерэкзаменуемого", "номерпропуска", "номербилета", "кандидат",
		"экзаменационныйномер", "регистрационныйномер", "табельныйномер", "номеручастника", "кодучастника",
	},
	columnName: {
		"name", "fullname", "candidatename",
		"姓名", "考生姓名", "名字",
		"фио", "имя", "фамилияимяотчество", "фамилияиимя", "фамилияимя", "имяифамилия", "полноеимя", "фиокандидата",
	},
	columnIDNumber: {
		"idnumber", "idno", "idcard", "idcardno", "idcardnumber", "identitynumber", "nationalid", "document",
		"documentno", "documentnumber", "passport", "passportno", "passportnumber",
		"身份证号", "身份证", "身份证号码", "身份证件号", "身份证件号码", "证件号", "证件号码", "身份證號", "身份證號碼", "證件號碼",
		"документ", "номердокумента", "паспорт", "номерпаспорта", "удостоверение", "номерудостоверения", "удостоверениеличности", "паспортныеданные", "иин", "инн",
	},
	columnSubjects: {
		"subjects", "subject", "papers", "paper", "exams", "subjectcodes", "subjectcode",
		"科目", "考试科目", "报考科目", "科目代码", "科目编号", "應考科目", "考試科目",
		"предметы", "предмет", "дисциплины", "дисциплина", "экзамены", "экзамен", "кодыпредметов", "кодпредмета",
	},
	columnClass: {
		"class", "category", "priority", "type",
		"类别", "类型", "考生类别", "等级", "優先級", "优先级", "類別",
		"класс", "категория", "приоритет", "тип",
	},
	columnSession: {
		"session", "sessioncode", "shift", "slot",
		"场次", "考试场次", "批次", "場次",
		"сессия", "смена", "сеанс", "поток",
	},
	columnNote: {
		"note", "notes", "remark", "remarks", "comment", "comments",
		"备注", "说明", "備註", "附注",
		"примечание", "примечания", "комментарий", "заметка",
	},
}

// columnByKey finds a column by the key of its header.
var columnByKey = func() map[string]string {
	byKey := map[string]string{}
	for column, keys := range synonyms {
		for _, key := range keys {
			byKey[key] = column
		}
	}
	return byKey
}()

// headerKey is a header without case, blanks, signs and what stands in brackets.
func headerKey(header string) string {
	header = strings.ToLower(foldWidth(header))
	if open := strings.IndexByte(header, '('); open > 0 {
		header = header[:open]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == 'ё':
			return 'е'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		}
		return -1
	}, header)
}

// maxLeading is how many rows with anything in them may stand above the header.
const maxLeading = 50

// columns says at which cell each column stands.
type columns struct {
	index map[string]int
	row   int // of the header
	width int // how many cells a row may have, 0 for any number

	cyrillic bool // a known header is a Russian word

	understood Understood
}

// readHeader looks for the first row that names the required columns; titles
// and blank rows may stand above it. Without one it answers the row that comes
// nearest, which lacks a column.
func readHeader(s source) (columns, error) {
	var nearest columns
	for range maxLeading + 1 {
		r, ok, err := nextFilled(s)
		if err != nil || !ok {
			return nearest, err
		}
		found, err := columnsOf(r)
		if found.missing() == "" {
			return found, err
		}
		if len(found.index) > len(nearest.index) {
			nearest = found
		}
	}
	return nearest, nil
}

// check says what is missing from a header.
func (c columns) check() error {
	switch {
	case len(c.index) == 0:
		return invalid("No row has a known header. Known are %s, and their usual names in English, Chinese and Russian.",
			strings.Join(columnNames, ", "))
	case c.missing() != "":
		return invalid("The header in row %d does not name %s.", c.row, c.missing())
	}
	return nil
}

// columnsOf finds the known columns in a row. A column's own name stands before
// its synonyms; else two headers for one column are an error.
func columnsOf(header record) (columns, error) {
	c := columns{index: map[string]int{}, row: header.Row}
	exact := map[string]bool{}
	var twofold error
	for i, cell := range header.cells {
		column, known := columnByKey[headerKey(cell.text)]
		if !known {
			continue
		}
		own := strings.EqualFold(trim(cell.text), column)
		other, twice := c.index[column]
		switch {
		case twice && own == exact[column]:
			twofold = invalid("Two columns mean %s: %q and %q. Leave one of them out.",
				column, shorten(trim(header.cells[other].text)), shorten(trim(cell.text)))
			continue
		case twice && !own:
			continue
		}
		c.index[column], exact[column] = i, own
		c.cyrillic = c.cyrillic || strings.ContainsFunc(cell.text, isCyrillic)
	}
	c.understood.HeaderRow, c.understood.Headers = header.Row, headersOf(header, c.index)
	return c, twofold
}

func isCyrillic(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }

// missing is a required column that the header lacks, "" if it has all.
func (c columns) missing() string {
	for _, column := range []string{columnCandidate, columnSubjects} {
		if _, ok := c.index[column]; !ok {
			return column
		}
	}
	return ""
}

// value returns a column's cell in a record, a blank one where it has none.
func (c columns) value(r record, column string) cell {
	i, ok := c.index[column]
	if !ok || i >= len(r.cells) {
		return cell{}
	}
	return r.cells[i]
}

// optional are the columns that a file may lack; known candidates keep what is in them.
var optional = []string{columnName, columnIDNumber, columnNote, columnSession, columnClass}

// without lists the columns that the file does not have.
func (c columns) without() []string {
	var missing []string
	for _, column := range optional {
		if _, ok := c.index[column]; !ok {
			missing = append(missing, column)
		}
	}
	return missing
}

// surplus returns the text that stands right of the last header.
func (c columns) surplus(r record) string {
	if c.width == 0 || len(r.cells) <= c.width {
		return ""
	}
	var texts []string
	for _, cell := range r.cells[c.width:] {
		if !cell.blank() && len(texts) <= maxShown {
			texts = append(texts, trim(cell.text))
		}
	}
	return strings.Join(texts, " ")
}
