package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/xuri/excelize/v2"

	"github.com/hallcall/hallcall/internal/app"
)

// hallcall runs a command and returns its exit code and what it wrote.
func hallcall(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err strings.Builder
	code = run(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// want runs a command and compares; stdout and stderr are regular expressions.
func want(t *testing.T, code int, stdout, stderr string, args ...string) {
	t.Helper()
	gotCode, gotOut, gotErr := hallcall(t, args...)
	if gotCode != code {
		t.Errorf("hallcall %q: exit code %d, want %d", args, gotCode, code)
	}
	for _, text := range [][2]string{{gotOut, stdout}, {gotErr, stderr}} {
		if !regexp.MustCompile(`(?s)^(` + text[1] + `)$`).MatchString(text[0]) {
			t.Errorf("hallcall %q wrote:\n%s\nwant:\n%s", args, text[0], text[1])
		}
	}
}

// demo starts a server with the demo hall in this process.
func demo(t *testing.T) (dir string) {
	t.Helper()
	needServer(t)
	dir = t.TempDir()
	a := app.New(app.Config{DataDir: dir, Demo: true, AdminPassword: "password of the tests"})
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	want(t, 0, `hallcall \S+\ncommit \S+\ngo1\.\S+ \w+/\w+\n`, ``, "version")
	want(t, 0, `Usage: hallcall .*serve.*import.*doctor.*metrics.*version.*`, ``, "--help")
	want(t, 0, `.*HALLCALL_ADDR.*HALLCALL_DEMO.*`, ``, "serve", "--help")
	want(t, 0, `.*HALLCALL_WEBHOOK_SECRET is.*HALLCALL_WEBHOOK_URL.*HALLCALL_WEBHOOK_SECRET_FILE.*HALLCALL_WEBHOOK_PRIVATE.*`, ``, "serve", "--help")
	want(t, 1, ``, `hallcall: the webhook's secret: .*no such file or directory\n`, "serve", "--webhook-secret-file", filepath.Join(t.TempDir(), "none"))
	want(t, 80, `.*`, `.*unexpected argument rehearse.*`, "rehearse")
	want(t, 1, ``, `hallcall: .*no such file or directory\n`, "doctor", "--data", filepath.Join(t.TempDir(), "none"))
	want(t, 1, ``, `hallcall: the store is in the memory of the server.*\n`, "doctor", "--redis", "memory")
	want(t, 1, ``, `hallcall: redis at 127.0.0.1:1: does not answer.*\n`, "doctor", "--redis", "redis://127.0.0.1:1")
	want(t, 1, ``, `hallcall: redis at 127.0.0.1:1: does not answer.*\n`, "serve", "--redis", "redis://127.0.0.1:1")
}

func TestSecondServerIsRefused(t *testing.T) {
	t.Parallel()
	dir := demo(t)
	want(t, 1, ``, `.*hallcall: data folder \S+ is in use by a server that runs already \(process \d+\)\n`, "serve", "--data", dir)
}

func TestImport(t *testing.T) {
	t.Parallel()
	dir := demo(t)
	file := filepath.Join(t.TempDir(), "roster.csv")
	text := "Today\ncandidate_id,ФИО,phone,subjects\n007001,Changed,555,1\nnew,New,,1|2\n,Nobody,,1\nwrong,Wrong,,9\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	understood := `roster.csv: Text in UTF-8, with commas between the columns\n` +
		`header in row 2: A "candidate_id" is candidate_id, B "ФИО" is name, D "subjects" is subjects\nignored: C "phone"\n`
	changes := `row 3: "007001": name: "[^"]+" → "Changed"\nrow 3: "007001": subjects: "[^"]+" → "1"\n`
	rejected := `row 5: candidate_id "": .* \(required\)\nrow 6: subjects "9": .* \(unknown_subject\)\n`
	want(t, 0, understood+`4 rows: 1 created, 1 updated, 0 unchanged, 2 rejected \(dry run: nothing was changed\)\n`+changes+rejected, ``,
		"import", "demo", file, "--dry-run", "--data", dir)
	want(t, 0, understood+`4 rows: 1 created, 1 updated, 0 unchanged, 2 rejected\n`+rejected, ``, "import", "demo", file, "--data", dir)
	want(t, 0, understood+`4 rows: 0 created, 0 updated, 2 unchanged, 2 rejected\n`+rejected, ``, "import", "demo", file, "--data", dir)
	want(t, 1, ``, `hallcall: There is no such hall.\n`, "import", "none", file, "--data", dir)
	want(t, 80, `.*`, `.*no such file.*`, "import", "demo", filepath.Join(dir, "none.csv"), "--data", dir)
	if err := os.WriteFile(file, []byte("nothing known\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, 1, ``, `hallcall: \S+roster.csv: .*\n`, "import", "demo", file, "--data", dir)

	var long strings.Builder
	long.WriteString("candidate_id,subjects\n")
	for i := range 5001 {
		fmt.Fprintf(&long, "long%d,1\n", i)
	}
	if err := os.WriteFile(file, []byte(long.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, 0, `.*5001 rows: 5001 created, .*`, `5000 of 5001 rows taken\n5001 of 5001 rows taken\n`, "import", "demo", file, "--data", dir)
}

// TestImportFormats imports the same people in several formats: the second time nothing changes.
func TestImportFormats(t *testing.T) {
	t.Parallel()
	dir := demo(t)
	for _, file := range []string{"gbk-chinese-headers.csv", "utf16le-tab.txt", "bom-semicolon-russian-headers.csv"} {
		file = filepath.Join("..", "..", "internal", "roster", "testdata", file)
		want(t, 0, `.*Text in (GB18030|UTF-8|UTF-16), .*\n\d+ rows: \d+ created, \d+ updated, \d+ unchanged, 0 rejected\n`, ``, "import", "demo", file, "--data", dir)
	}
	book := excelize.NewFile()
	defer func() { _ = book.Close() }()
	for i, row := range [][]any{{"Candidates"}, {"科目", "准考证号", "姓名"}, {"1|2", "0900", "Ann"}, {3, 900, "Ben"}, {1, 1234567890123456, "Cy"}} {
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "roster.xlsx")
	if err := book.SaveAs(file); err != nil {
		t.Fatal(err)
	}
	understood := `roster.xlsx: Excel workbook \(xlsx\), sheet Sheet1\nheader in row 2: A "科目" is subjects, B "准考证号" is candidate_id, C "姓名" is name\n`
	rejected := `row 5: candidate_id "1234567890123456": .* \(number_was_rounded\)\n`
	want(t, 0, understood+`3 rows: 2 created, 0 updated, 0 unchanged, 1 rejected\n`+rejected, ``, "import", "demo", file, "--data", dir)
	want(t, 0, understood+`3 rows: 0 created, 0 updated, 2 unchanged, 1 rejected\n`+rejected, ``, "import", "demo", file, "--data", dir)
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	dir := demo(t)
	healthy := `connection: ok\nhall demo: ok \(240 candidates, \d+ events\)\n`
	want(t, 0, healthy, ``, "doctor", "--data", dir)
	want(t, 0, healthy, ``, "doctor", "demo", "--data", dir)
	want(t, 1, `connection: ok\nhall none: cannot be read: There is no such hall.\n1 broken\n`, ``, "doctor", "none", "--data", dir)

	client := redis.NewClient(&redis.Options{Network: "unix", Addr: filepath.Join(dir, "redis", "redis.sock")})
	defer func() { _ = client.Close() }()
	if err := client.ZRem(t.Context(), "hallcall:halls", "demo").Err(); err != nil {
		t.Fatal(err)
	}
	if err := client.HIncrBy(t.Context(), "hallcall:{demo}:counts", "waiting", 1).Err(); err != nil {
		t.Fatal(err)
	}
	want(t, 1, `connection: ok\nhall demo: was missing in the list of halls, is listed now\n(hall demo: invariant \d: .*\n)+\d+ broken\n`, ``,
		"doctor", "--data", dir)

	// Halls that cannot be read do not hide the others, before or behind them.
	for _, broken := range []string{"a", "zz"} {
		if err := client.HSet(t.Context(), "hallcall:{"+broken+"}:hall", "layout", "{").Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Set(t.Context(), "hallcall:{b}:hall", "no hall", 0).Err(); err != nil {
		t.Fatal(err)
	}
	want(t, 1, `connection: ok\n(hall \w+: was missing in the list of halls, is listed now\n){3}hall a: cannot be read: [^\n]+\n`+
		`hall b: cannot be read: [^\n]+\n(hall demo: invariant \d: [^\n]*\n)+hall zz: cannot be read: [^\n]+\n\d+ broken\n`, ``, "doctor", "--data", dir)
}

func TestMetricsRebuild(t *testing.T) {
	t.Parallel()
	dir := demo(t)
	want(t, 0, `hall demo: figures made anew from \d+ events, 0 things set aside\n`, ``, "metrics", "rebuild", "demo", "--data", dir)
	want(t, 1, ``, `hallcall: There is no such hall.\n`, "metrics", "rebuild", "none", "--data", dir)
}

func TestDoctorStartsStoreItself(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	want(t, 0, `connection: ok\n`, ``, "doctor", "--data", dir)
}
