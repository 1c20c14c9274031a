package web_test

import (
	"fmt"
	"image"
	"image/draw"
	"net/http"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

// drawn says that a picture is no photograph: the reader need not guess, which
// it does wrongly now and then.
var drawn = map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true}

// code reads the QR code of a kiosk's answer, "" if there is none.
func (p *page) code(t *testing.T) string {
	t.Helper()
	svg := p.part("qr").Find("svg")
	if svg.Length() == 0 {
		return ""
	}
	var side, other int
	if _, err := fmt.Sscanf(svg.AttrOr("viewbox", svg.AttrOr("viewBox", "")), "0 0 %d %d", &side, &other); err != nil || side != other {
		t.Fatalf("the code measures %d by %d (%v)", side, other, err)
	}
	const scale = 4
	picture := image.NewGray(image.Rect(0, 0, side*scale, side*scale))
	draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
	for _, run := range strings.Split(strings.Trim(svg.Find("path").AttrOr("d", ""), "Mz"), "zM") {
		var x, y, width, back int
		if _, err := fmt.Sscanf(run, "%d %dh%dv1h%d", &x, &y, &width, &back); err != nil || back != -width {
			t.Fatalf("run %q: %v", run, err)
		}
		if x < 4 || y < 4 || x+width > side-4 || y >= side-4 {
			t.Errorf("run %q is in the quiet zone", run)
		}
		draw.Draw(picture, image.Rect(x*scale, y*scale, (x+width)*scale, (y+1)*scale), image.Black, image.Point{}, draw.Src)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	read, err := qrcode.NewQRCodeReader().Decode(bitmap, drawn)
	if err != nil {
		t.Fatal(err)
	}
	if got := read.GetResultMetadata()[gozxing.ResultMetadataType_ERROR_CORRECTION_LEVEL]; got != "M" {
		t.Errorf("error correction %v", got)
	}
	return read.GetText()
}

func TestTheKioskLeadsToThePhonePageOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, candidate := range []string{"c1", "c2", "c3"} { // two are called at once
		answer := b.post(kioskPath, typed(candidate), htmx...).expect(t, http.StatusOK)
		path, ours := strings.CutPrefix(answer.code(t), b.server.URL)
		if !ours || answer.part("note").Length() != 0 || answer.part("qr").Find(`[role=img][aria-label]`).Length() != 1 {
			t.Fatalf("%s: the code says %q", candidate, path)
		}
		if got := b.get(path).expect(t, http.StatusOK).text("ticket"); got != answer.text("ticket") {
			t.Errorf("%s has %s and the page of %s", candidate, answer.text("ticket"), got)
		}
		if strings.Contains(answer.body, path) {
			t.Errorf("%s: the address stands in the answer as text", candidate)
		}
		again := b.post(kioskPath, typed(candidate), htmx...).expect(t, http.StatusOK)
		if again.code(t) != "" || again.text("note") == "" || again.text("ticket") != answer.text("ticket") {
			t.Errorf("%s: the second answer is %s", candidate, again.body)
		}
	}
	for _, nobody := range []string{"nobody", ""} {
		if answer := b.post(kioskPath, typed(nobody), htmx...); answer.part("qr").Length() != 0 {
			t.Errorf("%q gets a code", nobody)
		}
	}
}

func TestACheckInSentAgainGetsTheSameCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := typed("c1")
	form.Set("try", strings.Repeat("0123456789abcdef", 2))
	first := b.post(kioskPath, form, htmx...).expect(t, http.StatusOK).code(t)
	if again := b.post(kioskPath, form, htmx...).expect(t, http.StatusOK).code(t); first == "" || again != first {
		t.Errorf("first %q, then %q", first, again)
	}
	form.Set("try", strings.Repeat("fedcba9876543210", 2))
	if other := b.post(kioskPath, form, htmx...).expect(t, http.StatusOK).code(t); other != "" {
		t.Errorf("another attempt gets %q", other)
	}
	form.Set("try", "*")
	if odd := b.post(kioskPath, form, htmx...).expect(t, http.StatusOK).code(t); odd != "" {
		t.Errorf("an odd attempt gets %q", odd)
	}
}

func TestWherePhonesReachTheServer(t *testing.T) {
	t.Parallel()
	public := func(cfg *web.Config, _ *hall.Layout) {
		cfg.PublicURL, cfg.OwnHost = "https://hall.example", "192.0.2.7"
	}
	own := func(cfg *web.Config, _ *hall.Layout) { cfg.OwnHost = "192.0.2.7" }
	own6 := func(cfg *web.Config, _ *hall.Layout) { cfg.OwnHost = "2001:db8::7" }
	secure := func(cfg *web.Config, _ *hall.Layout) { cfg.SecureCookies = true }
	none := func(*web.Config, *hall.Layout) {}
	for name, test := range map[string]struct {
		set        option
		host, want string
	}{
		"the public address":               {public, "10.0.0.1:8080", "https://hall.example/t/"},
		"the one that the kiosk asks":      {none, "10.0.0.1:8080", "http://10.0.0.1:8080/t/"},
		"by name":                          {none, "kiosk-server.local", "http://kiosk-server.local/t/"},
		"IPv6":                             {none, "[2001:db8::1]:8080", "http://[2001:db8::1]:8080/t/"},
		"only this machine":                {none, "localhost:8080", "http://localhost:8080/t/"},
		"a kiosk on the server":            {own, "localhost:8080", "http://192.0.2.7:8080/t/"},
		"by number":                        {own, "127.0.0.1", "http://192.0.2.7/t/"},
		"by number of IPv6":                {own6, "[::1]:8080", "http://[2001:db8::7]:8080/t/"},
		"without a port":                   {own6, "localhost", "http://[2001:db8::7]/t/"},
		"another kiosk of such a server":   {own, "10.0.0.1:8080", "http://10.0.0.1:8080/t/"},
		"behind a proxy that ends TLS":     {secure, "hall.example", "https://hall.example/t/"},
		"a host that is none":              {none, "a b/c?", ""},
		"a host that is much too long":     {none, strings.Repeat("a", 300), ""},
		"a host with a user":               {none, "user@elsewhere.example", ""},
		"a port that is none":              {none, "10.0.0.1:99999999", ""},
		"characters that are not of hosts": {none, "hall.example\"><b>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, test.set)
			request := b.request(http.MethodPost, kioskPath, typed("c1"), htmx...)
			request.Host = test.host
			answer := b.do(request)
			if answer.status == http.StatusBadRequest && test.want == "" {
				return // refused before it came to us
			}
			got := answer.expect(t, http.StatusOK).code(t)
			if (test.want == "") != (got == "") || !strings.HasPrefix(got, test.want) {
				t.Errorf("the code says %q, want %q", got, test.want)
			}
		})
	}
}
