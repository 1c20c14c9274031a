package roster

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestSharedTextsAreLimited reads texts up to the limit and one byte more; that
// of real workbooks would take long to reach.
func TestSharedTextsAreLimited(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	part, err := w.Create("texts")
	if err == nil {
		_, err = io.WriteString(part, "<sst>"+strings.Repeat("<si><t>12345</t></si>", 4)+"</sst>")
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for limit, fits := range map[int]bool{20: true, 19: false} {
		p, err := openParts(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		p.texts = limit
		texts, err := readShared(p, "texts")
		if last, ok := texts.at("3"); ok != fits || (fits && last != "12345") || (hall.CodeOf(err) == hall.CodeInvalid) == fits {
			t.Errorf("limit %d: %q %t, %v", limit, last, ok, err)
		}
	}
}
