package static_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/static"
)

func load(t *testing.T) *static.Assets {
	t.Helper()
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	return assets
}

func find(t *testing.T, assets *static.Assets, name string) static.Asset {
	t.Helper()
	parts := strings.Split(assets.URL(name), "/")
	if len(parts) != 4 {
		t.Fatalf("address of %s: %q", name, assets.URL(name))
	}
	asset, current := assets.Find(parts[2], parts[3])
	if !current {
		t.Fatalf("%s is not found by its own address", name)
	}
	return asset
}

// A kiosk or board weighs at most 60 kB, a phone page 40 kB, all assets, compressed.
func TestPagesAreLight(t *testing.T) {
	t.Parallel()
	assets := load(t)
	most := map[string]int{"phone": 30_000} // 10 kB are left for the page itself
	for page, names := range map[string][]string{
		"kiosk":   {"kiosk.css", "kiosk.js", "icon.svg"},
		"phone":   {"phone.css", "phone.js", "icon.svg"},
		"board":   {"board.css", "board.js", "icon.svg"},
		"proctor": {"staff.css", "proctor.js", "icon.svg"},
	} {
		weight := 0
		for _, name := range names {
			weight += len(find(t, assets, name).Gzip())
		}
		t.Logf("%s: %d bytes", page, weight)
		if weight > cmp.Or(most[page], 50_000) {
			t.Errorf("%s weighs %d bytes", page, weight)
		}
	}
}

func TestAssetsAreWhole(t *testing.T) {
	t.Parallel()
	assets := load(t)
	for name, kind := range map[string]string{
		"page.css": "text/css; charset=utf-8", "staff.css": "text/css; charset=utf-8", "kiosk.css": "text/css; charset=utf-8",
		"phone.css": "text/css; charset=utf-8", "phone.js": "text/javascript; charset=utf-8",
		"board.css": "text/css; charset=utf-8", "kiosk.js": "text/javascript; charset=utf-8", "board.js": "text/javascript; charset=utf-8",
		"proctor.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
		"docs.css": "text/css; charset=utf-8", "docs.js": "text/javascript; charset=utf-8",
	} {
		asset := find(t, assets, name)
		if asset.Type != kind {
			t.Errorf("%s is %s, want %s", name, asset.Type, kind)
		}
		if bytes.Contains(asset.Plain, []byte("sourceMappingURL")) {
			t.Errorf("%s names a source map, which is not served", name)
		}
		r, err := gzip.NewReader(bytes.NewReader(asset.Gzip()))
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := io.ReadAll(r); err != nil || !bytes.Equal(plain, asset.Plain) {
			t.Errorf("%s: compressed it is something else (%v)", name, err)
		}
	}
}

func TestUnknownAssets(t *testing.T) {
	t.Parallel()
	assets := load(t)
	if got := assets.URL("nothing.css"); got != "" {
		t.Errorf("address of an unknown asset: %q", got)
	}
	if _, current := assets.Find("0123456789ab", "page.css"); current {
		t.Error("another hash counts as current")
	}
	if asset, _ := assets.Find("0123456789ab", "page.css"); asset.Name != "page.css" {
		t.Error("an older address does not lead to the asset")
	}
	if assets.Version() != load(t).Version() {
		t.Error("the same files have two versions")
	}
}
