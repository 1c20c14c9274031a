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
		"экзаменационныйномер", "регистрационныйномер", "табельныйномер",
	},
	columnName: {
		"name", "fullname", "candidatename",
		"姓名", "考生姓名", "名字",
		"фио", "имя", "фамилияимяотчество", "фамилияиимя", "полноеимя",
	},
	columnIDNumber: {
		"idnumber", "idno", "idcard", "idcardno", "idcardnumber", "identitynumber", "nationalid", "document",
		"documentno", "documentnumber", "passport", "passportno", "passportnumber",
		"身份证号", "身份证", "身份证号码", "证件号", "证件号码", "身份證號", "身份證號碼", "證件號碼",
		"документ", "номердокумента", "паспорт", "номерпаспорта", "удостоверение", "номерудостоверения", "иин", "инн",
	},
	columnSubjects: {
		"subjects", "subject", "papers", "paper", "exams", "subjectcodes", "subjectcode",
		"科目", "考试科目", "报考科目", "科目代码", "應考科目", "考試科目",
		"предметы", "предмет", "дисциплины", "дисциплина", "экзамены", "кодыпредметов",
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

// columns says at which field each column stands.
type columns struct {
	index map[string]int
	width int // number of fields of the header
}

// separators are those that spreadsheets write, the likeliest first.
var separators = []byte{',', ';', '\t'}

// split reads the header with the separator that makes the most of it, then
// all records below it that have any text.
func split(text string) (columns, []record, error) {
	var best columns
	var body *scanner
	var failure error
	for _, separator := range separators {
		s := &scanner{text: text, separator: separator}
		header, err := s.firstRecord()
		found := columns{}
		if err == nil {
			found, err = readHeader(header)
		}
		if body == nil || len(found.index) > len(best.index) {
			best, body, failure = found, s, err
		}
	}
	if failure != nil {
		return columns{}, nil, failure
	}
	if err := best.complete(); err != nil {
		return columns{}, nil, err
	}
	records, err := body.rest()
	return best, records, err
}

// readHeader finds the known columns. A column's own name stands before its
// synonyms; else two headers for one column are an error.
func readHeader(header record) (columns, error) {
	c := columns{index: map[string]int{}, width: len(header.Fields)}
	exact := map[string]bool{}
	for i, field := range header.Fields {
		column, known := columnByKey[headerKey(field)]
		if !known {
			continue
		}
		own := strings.EqualFold(strings.TrimSpace(field), column)
		other, twice := c.index[column]
		switch {
		case twice && own == exact[column]:
			return c, invalid("Two columns mean %s: %q and %q. Leave one of them out.",
				column, strings.TrimSpace(header.Fields[other]), strings.TrimSpace(field))
		case twice && !own:
			continue
		}
		c.index[column], exact[column] = i, own
	}
	return c, nil
}

// complete says what is missing from the header.
func (c columns) complete() error {
	if len(c.index) == 0 {
		return invalid("The first row has no known header. Known are: %s.", strings.Join(columnNames, ", "))
	}
	for _, column := range []string{columnCandidate, columnSubjects} {
		if _, ok := c.index[column]; !ok {
			return invalid("The first row has no header for %s.", column)
		}
	}
	return nil
}

// value returns a column's text in a record, "" where it has none.
func (c columns) value(r record, column string) string {
	i, ok := c.index[column]
	if !ok || i >= len(r.Fields) {
		return ""
	}
	return r.Fields[i]
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
	if len(r.Fields) <= c.width {
		return ""
	}
	return strings.TrimSpace(strings.Join(r.Fields[c.width:], " "))
}
