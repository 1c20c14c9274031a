// Package static holds what pages load: style sheets, our small scripts, and
// the scripts of others, which are put into vendor at build. Files that a page
// needs together are joined to one, named by their content and compressed
// once, so that a browser asks for little and never asks twice.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"path"
	"strings"
	"sync"
)

//go:embed css js img all:vendor all:voice
var files embed.FS

// bundles says which files make up each asset, in order.
var bundles = map[string][]string{
	"page.css":    {"css/tokens.css", "css/base.css", "css/page.css"},
	"admin.css":   {"css/tokens.css", "css/base.css", "css/page.css", "css/admin.css"},
	"staff.css":   {"css/tokens.css", "css/base.css", "css/page.css", "css/staff.css", "css/tile.css", "css/panel.css", "css/remarks.css"},
	"monitor.css": {"css/tokens.css", "css/base.css", "css/page.css", "css/staff.css", "css/monitor.css", "css/curve.css", "css/monitor-print.css"},
	"pairing.css": {"css/tokens.css", "css/base.css", "css/pairing.css"},
	"roster.css":  {"css/tokens.css", "css/base.css", "css/page.css", "css/roster.css"},
	"records.css": {"css/tokens.css", "css/base.css", "css/page.css", "css/staff.css", "css/remarks.css", "css/records.css"},
	"kiosk.css":   {"css/tokens.css", "css/base.css", "css/kiosk.css"},
	"phone.css":   {"css/tokens.css", "css/base.css", "css/phone.css"},
	"board.css":   {"css/tokens.css", "css/base.css", "css/board.css"},
	"kiosk.js":    {"js/text.js", "js/scan.js", "js/kiosk.js", "js/device.js"},
	"phone.js":    {"js/text.js", "js/clock.js", "js/chime.js", "js/phone.js"},
	"board.js":    {"vendor/htmx.min.js", "vendor/hx-ws.min.js", "js/text.js", "js/clock.js", "js/live.js", "js/ticks.js", "js/board.js", "js/chime.js", "js/voice.js", "js/device.js"},
	"proctor.js":  {"vendor/htmx.min.js", "vendor/hx-ws.min.js", "js/text.js", "js/clock.js", "js/live.js", "js/ticks.js", "js/twice.js", "js/panel.js", "js/keys.js"},
	"monitor.js":  {"vendor/htmx.min.js", "vendor/hx-ws.min.js", "js/text.js", "js/clock.js", "js/live.js", "js/ticks.js"},
	"roster.js":   {"vendor/htmx.min.js", "js/twice.js"},
	"pairing.js":  {"js/pairing.js"},
	"printer.js":  {"js/device.js"},
	"devices.js":  {"vendor/htmx.min.js"},
	"docs.css":    {"css/tokens.css", "css/base.css", "css/page.css", "vendor/swagger-ui.css", "css/docs.css"},
	"docs.js":     {"vendor/swagger-ui-bundle.js", "js/docs.js"},
	"icon.svg":    {"img/icon.svg"},
}

// Asset is one file as it is served.
type Asset struct {
	Name, Hash, Type string
	Plain            []byte

	gzip func() []byte
}

// Gzip is the asset compressed. The first call does it: a large asset costs
// time that a server's start, and one that nobody asks for, can do without.
func (a Asset) Gzip() []byte { return a.gzip() }

// URL is where the asset is served: it changes with the content.
func (a Asset) URL() string { return "/static/" + a.Hash + "/" + a.Name }

// Assets are all files that pages load, by name.
type Assets struct {
	byName  map[string]Asset
	version string
}

// Load joins, names and compresses the embedded files.
func Load() (*Assets, error) {
	bundles := withVoices()
	assets := &Assets{byName: make(map[string]Asset, len(bundles))}
	all := sha256.New()
	for name, parts := range bundles {
		asset, err := load(name, parts)
		if err != nil {
			return nil, err
		}
		assets.byName[name] = asset
	}
	for _, name := range sortedNames(bundles) {
		_, _ = all.Write([]byte(assets.byName[name].Hash))
	}
	assets.version = hex.EncodeToString(all.Sum(nil))[:12]
	return assets, nil
}

func load(name string, parts []string) (Asset, error) {
	var plain bytes.Buffer
	for _, part := range parts {
		data, err := files.ReadFile(part)
		if err != nil {
			return Asset{}, fmt.Errorf("static: %s is not there (make generate fetches vendor files): %w", part, err)
		}
		if path.Ext(part) == ".mp3" {
			plain.Write(data)
			continue
		}
		plain.Write(withoutSourceMap(data))
		plain.WriteByte('\n')
	}
	sum := sha256.Sum256(plain.Bytes())
	return Asset{
		Name: name, Hash: hex.EncodeToString(sum[:])[:12], Type: typeOf(name),
		Plain: plain.Bytes(), gzip: sync.OnceValue(func() []byte { return pack(plain.Bytes()) }),
	}, nil
}

// withoutSourceMap drops the reference to a file that is not served.
func withoutSourceMap(data []byte) []byte {
	text := string(data)
	for _, comment := range []string{"//# sourceMappingURL=", "/*# sourceMappingURL="} {
		text, _, _ = strings.Cut(text, comment)
	}
	return []byte(strings.TrimSpace(text))
}

// withVoices are all bundles: the clips of each language are assets too,
// voice-LANG.mp3 and voice-LANG.json.
func withVoices() map[string][]string {
	all := maps.Clone(bundles)
	for _, pattern := range []string{"voice/*.mp3", "voice/*.json"} {
		found, _ := fs.Glob(files, pattern) // its only error is a pattern that is none
		for _, name := range found {
			all["voice-"+path.Base(name)] = []string{name}
		}
	}
	return all
}

func typeOf(name string) string {
	if path.Ext(name) == ".mp3" { // which not every machine knows
		return "audio/mpeg"
	}
	if path.Ext(name) == ".js" {
		return "text/javascript; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// pack compresses; to memory that cannot fail.
func pack(data []byte) []byte {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, _ = w.Write(data)
	_ = w.Close()
	return packed.Bytes()
}
