package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"testing"
)

var assetAddress = regexp.MustCompile(`/static/[0-9a-f]+/[A-Za-z0-9.-]+`)

// What a screen loads at first, compressed: a kiosk in bad reception starts in
// seconds, and a board with the clips of a language, too.
func TestScreensAreSmall(t *testing.T) {
	t.Parallel()
	b := setup(t, languages("zh"))
	for address, most := range map[string]int{kioskPath: 60_000, "/halls/h/board": 250_000} {
		page := b.get(address, "Accept-Encoding", "gzip").expect(t, http.StatusOK)
		total := len(page.body)
		assets := assetAddress.FindAllString(b.get(address).body, -1)
		slices.Sort(assets)
		for _, asset := range slices.Compact(assets) {
			size := len(b.get(asset, "Accept-Encoding", "gzip").expect(t, http.StatusOK).body)
			t.Logf("%s: %s has %d bytes", address, asset, size)
			total += size
		}
		if total > most || len(assets) < 3 {
			t.Errorf("%s loads %d bytes, in %d assets; want at most %d", address, total, len(assets), most)
		}
	}
}
