package roster_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// understand reads a file that can be read.
func understand(t *testing.T, data []byte) roster.Reading {
	t.Helper()
	reading, err := roster.Understand(data, roster.AnyFormat, layout())
	if err != nil {
		t.Fatal(err)
	}
	return reading
}

// TestUnderstandSaysWhatAFileIs reads the files of the project and says in
// words what they are.
func TestUnderstandSaysWhatAFileIs(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"bom-semicolon-russian-headers.csv": "Text in UTF-8, with semicolons between the columns",
		"gbk-chinese-headers.csv":           "Text in GB18030, with commas between the columns",
		"utf16le-tab.txt":                   "Text in UTF-16, with tabs between the columns",
		"twelve-awkward-rows.csv":           "Text in UTF-8, with commas between the columns",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		reading := understand(t, data)
		if got := reading.Words(); got != want || reading.HeaderRow != 1 || !reading.Has("name") {
			t.Errorf("%s: %q, header in row %d, want %q", file, got, reading.HeaderRow, want)
		}
	}
}

func TestUnderstandNamesTheColumns(t *testing.T) {
	t.Parallel()
	const text = "List of today\n\n准考证号,,电话,姓名,科目\n1,,555,Ann,1\n2,,,,9\n"
	want := []roster.Header{{Place: "A", Text: "准考证号", Column: "candidate_id"}, {Place: "C", Text: "电话"}, {Place: "D", Text: "姓名", Column: "name"}, {Place: "E", Text: "科目", Column: "subjects"}}
	book := excelize.NewFile()
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var cells []any
		for _, cell := range strings.Split(line, ",") {
			cells = append(cells, cell)
		}
		address, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := book.SetSheetRow("Sheet1", address, &cells); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.SetSheetName("Sheet1", "Candidates <b>"); err != nil {
		t.Fatal(err)
	}
	for words, data := range map[string][]byte{
		"Text in UTF-8, with commas between the columns": []byte(text),
		"Excel workbook (xlsx), sheet Candidates <b>":    saved(t, book),
	} {
		reading := understand(t, data)
		if reading.Words() != words || reading.HeaderRow != 3 || !reflect.DeepEqual(reading.Headers, want) {
			t.Errorf("%s: %+v, want the headers %+v in row 3", reading.Words(), reading.Understood, want)
		}
		if got := reading.Ignored(); !reflect.DeepEqual(got, []string{"电话"}) {
			t.Errorf("ignored: %q", got)
		}
		if reading.Total != 2 || len(reading.Rows) != 1 || len(reading.Rejected) != 1 {
			t.Errorf("%+v", reading)
		}
	}
}

// TestUnderstandNamesFarColumns has more headers than there are letters.
func TestUnderstandNamesFarColumns(t *testing.T) {
	t.Parallel()
	header := strings.Repeat("x,", 26) + "candidate_id" + strings.Repeat(",y", 676) + ",subjects"
	reading := understand(t, []byte(header+"\n"+strings.Repeat(",", 26)+"1"+strings.Repeat(",", 677)+"1\n"))
	places := map[string]string{}
	for _, h := range reading.Headers {
		places[h.Column] = h.Place
	}
	if places["candidate_id"] != "AA" || places["subjects"] != "AAB" || len(reading.Headers) > 102 {
		t.Errorf("%d headers, at %v", len(reading.Headers), places)
	}
}

// TestReadRussianWindows reads what Russian Windows writes: only Russian headers
// tell it from Chinese.
func TestReadRussianWindows(t *testing.T) {
	t.Parallel()
	const people = "0007{s}Алёна Иванова{s}1{n}0008{s}Ли{s}3{n}"
	for name, c := range map[string]struct{ header, encoding string }{
		"Russian headers":             {"Номер{s}ФИО{s}Предметы", "Windows-1251"},
		"above a title":               {"Список на 30 ноября № 7{n}{n}Номер{s}Имя{s}Предметы", "Windows-1251"},
		"one Russian header of three": {"candidate_id{s}ФИО{s}subjects", "Windows-1251"},
		"of as many bytes as Chinese": {"candidate_id{s}name{s}subjects{s}Документ", "Windows-1251"},
	} {
		for _, separator := range []string{";", ",", "\t"} {
			for _, lineBreak := range []string{"\r\n", "\n"} {
				text := strings.NewReplacer("{s}", separator, "{n}", lineBreak).Replace(c.header + "{n}" + people)
				reading := understand(t, []byte(encoded(charmap.Windows1251, text)))
				if reading.Encoding != c.encoding || len(reading.Rows) != 2 || reading.Rows[0].Person.Name != "Алёна Иванова" || reading.Rows[1].Person.Name != "Ли" {
					t.Errorf("%s, %q: %+v", name, separator, reading)
				}
			}
		}
	}
}

// TestReadTellsRussianFromChinese has texts that fit both encodings.
func TestReadTellsRussianFromChinese(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]string{"Chinese headers": "准考证号,姓名,科目", "English headers": "candidate_id,name,subjects"} {
		for _, people := range []string{"1,王小明,1\n2,李雷,1\n", "1,买买提·艾力,1\n", "1,欧阳娜娜,1\n2,司马懿,3\n3,诸葛亮,1\n4,韩梅梅,1\n5,赵云,1\n6,马超,1\n"} {
			reading := understand(t, []byte(encoded(simplifiedchinese.GB18030, header+"\n"+people)))
			if reading.Encoding != "GB18030" || !strings.Contains(people, reading.Rows[0].Person.Name) || len(reading.Rejected) != 0 {
				t.Errorf("%s: %+v", name, reading)
			}
		}
	}
	// Where the headers do not tell, names are not guessed.
	for name, text := range map[string]string{
		"even": "candidate_id,name,subjects\n1,Иванова,1\n2,Петров,1\n3,Смирнова,3\n4,Соколова,1\n",
		"odd":  "candidate_id,name,subjects\n1,Иванов,1\n2,Петр,1\n3,Смирнова,3\n4,Соколова,1\n",
	} {
		_, err := roster.Understand([]byte(encoded(charmap.Windows1251, text)), roster.AnyFormat, layout())
		if hall.CodeOf(err) != hall.CodeInvalid || !strings.Contains(err.Error(), "UTF-8") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
