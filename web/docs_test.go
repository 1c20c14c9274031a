package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestDocs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if address := b.get("/").part("docs").AttrOr("href", ""); address != "/api/docs" {
		t.Errorf("the home page leads to %q", address)
	}
	p := b.get("/api/docs").expect(t, http.StatusOK) // nobody has signed in
	if got := p.part("docs").AttrOr("data-document", ""); got != "/api/openapi.json" {
		t.Errorf("it shows %q", got)
	}
	if got := p.Find(`a[href="/api/openapi.json"]`).Length(); got != 1 {
		t.Errorf("%d links lead to the document", got)
	}
	if got := p.Find("style, [style], script:not([src])").Length(); got != 0 {
		t.Errorf("%d elements are against the policy", got)
	}
	p.Find("[src], link[href]").Each(func(_ int, part *goquery.Selection) {
		address := part.AttrOr("src", "") + part.AttrOr("href", "")
		if !strings.HasPrefix(address, "/static/") {
			t.Errorf("it loads %s", address)
		}
		b.get(address).expect(t, http.StatusOK)
	})
}

// huma has pages of its own, which load from other hosts.
func TestNoOtherDocs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, address := range []string{"/docs", "/openapi", "/openapi.json", "/openapi.yaml", "/schemas/Entry.json", "/api/v1/docs"} {
		b.get(address).expect(t, http.StatusNotFound)
	}
}
