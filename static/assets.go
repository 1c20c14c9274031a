package static

import (
	"maps"
	"slices"
)

// Find returns the asset of that name and hash.
func (a *Assets) Find(hash, name string) (Asset, bool) {
	asset, ok := a.byName[name]
	return asset, ok && asset.Hash == hash
}

// URL is where the asset of that name is served, "" for an unknown name.
func (a *Assets) URL(name string) string {
	asset, ok := a.byName[name]
	if !ok {
		return ""
	}
	return asset.URL()
}

// Version changes whenever any asset does: pages that stay open for days know
// by it that they are outdated.
func (a *Assets) Version() string { return a.version }

func sortedNames(bundles map[string][]string) []string { return slices.Sorted(maps.Keys(bundles)) }
