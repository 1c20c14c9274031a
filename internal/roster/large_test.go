package roster_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// The size of a large roster, and the memory that reading it may take.
const (
	largeRows = 100_000
	maxMemory = 200 << 20
)

// largeHeader and largeRow are a roster with long names, as Russian ones are.
var largeHeader = []string{"准考证号", "姓名", "身份证号", "科目", "类别", "场次", "备注"}

func largeRow(i int) []string {
	return []string{
		fmt.Sprintf("%012d", i), fmt.Sprintf("Константин Константинович Константинопольский %d", i),
		fmt.Sprintf("P%016d", i), "1|2|3|4", "普通", "AM", fmt.Sprintf("Bus %d", i%40),
	}
}

func largeText() []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, strings.Join(largeHeader, ","))
	for i := range largeRows {
		fmt.Fprintln(&b, strings.Join(largeRow(i), ","))
	}
	return b.Bytes()
}

func largeUTF16(tb testing.TB) []byte {
	tb.Helper()
	data, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(largeText())
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// largeWorkbook is one as spreadsheets write it: with its texts apart from the
// sheet; excelize itself would write them into it.
func largeWorkbook(tb testing.TB) []byte {
	tb.Helper()
	sheet, shared := &strings.Builder{}, &strings.Builder{}
	known := map[string]int{}
	row := func(number int, texts []string) {
		fmt.Fprintf(sheet, `<row r="%d" spans="1:7">`, number)
		for i, text := range texts {
			n, ok := known[text]
			if !ok {
				n = len(known)
				known[text] = n
				fmt.Fprintf(shared, `<si><t xml:space="preserve">%s</t></si>`, text)
			}
			fmt.Fprintf(sheet, `<c r="%c%d" s="1" t="s"><v>%d</v></c>`, 'A'+i, number, n)
		}
		sheet.WriteString(`</row>`)
	}
	row(1, largeHeader)
	for i := range largeRows {
		row(i+2, largeRow(i))
	}
	return pack(tb, parts{"xl/worksheets/sheet1.xml": sheetXML(sheet.String()), "xl/sharedStrings.xml": sharedXML(shared.String())}, zip.Deflate)
}

var largeFiles = map[string]func(testing.TB) []byte{
	"roster.csv":  func(testing.TB) []byte { return largeText() },
	"utf16.csv":   largeUTF16,
	"roster.xlsx": largeWorkbook,
	"inline.xlsx": largeStream,
}

// largeStream is a workbook that has its texts in the sheet.
func largeStream(tb testing.TB) []byte {
	tb.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	w, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		tb.Fatal(err)
	}
	put := func(row int, texts []string) {
		cells := make([]any, len(texts))
		for i, text := range texts {
			cells[i] = text
		}
		if err := w.SetRow(fmt.Sprintf("A%d", row), cells); err != nil {
			tb.Fatal(err)
		}
	}
	put(1, largeHeader)
	for i := range largeRows {
		put(i+2, largeRow(i))
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	return saved(tb, f)
}

// TestReadLarge reads large rosters, each in a process of its own, which says
// how much memory the Go runtime has ever taken from the system: no later than
// that was more in use. The processes are without the race detector, which is
// slow and takes memory for itself.
func TestReadLarge(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program := filepath.Join(folder, "roster.test")
	if output, err := exec.Command("go", "test", "-c", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, output)
	}
	for name := range largeFiles {
		file := filepath.Join(folder, name)
		for _, step := range []string{"TestWriteAlone", "TestReadAlone"} {
			child := exec.Command(program, "-test.run=^"+step+"$", "-test.v")
			child.Env = append(os.Environ(), largeFile+"="+file)
			output, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", step, err, output)
			}
			t.Logf("%s", output)
		}
	}
}

// largeFile names the file that a process of its own writes or reads.
const largeFile = "ROSTER_LARGE_FILE"

func largeFileOf(t *testing.T) string {
	t.Helper()
	name := os.Getenv(largeFile)
	if name == "" {
		t.Skip("is a process of TestReadLarge")
	}
	return name
}

// TestWriteAlone writes a file for TestReadAlone.
func TestWriteAlone(t *testing.T) {
	t.Parallel()
	name := largeFileOf(t)
	if err := os.WriteFile(name, largeFiles[filepath.Base(name)](t), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReadAlone reads a file, and nothing else.
func TestReadAlone(t *testing.T) {
	t.Parallel()
	name := largeFileOf(t)
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, rejected, total, err := roster.Read(file, layout())
	if err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-1]
	if want := largeRow(largeRows - 1); total != largeRows || len(rejected) != 0 || last.Row != largeRows+1 || last.Candidate != want[0] ||
		last.Person != (hall.Person{Name: want[1], IDNumber: want[2], Note: want[6]}) {
		t.Fatalf("%d rows, %d rejected, the last one %+v", total, len(rejected), last)
	}
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	taken := sample[0].Value.Uint64()
	t.Logf("%s: %d MB", filepath.Base(name), taken>>20)
	if taken > maxMemory {
		t.Errorf("%s took %d MB, more than %d", name, taken>>20, maxMemory>>20)
	}
}

func BenchmarkReadLarge(b *testing.B) {
	for name, file := range largeFiles {
		b.Run(name, func(b *testing.B) {
			data := file(b)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, _, total, err := roster.ReadBytes(data, roster.AnyFormat, layout()); err != nil || total != largeRows {
					b.Fatal(total, err)
				}
			}
		})
	}
}
