package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// versionCmd shows the version.
type versionCmd struct{}

// Run shows version, commit and Go.
func (versionCmd) Run(c *console) error {
	b := build()
	_, err := fmt.Fprintf(c.out, "hallcall %s\ncommit %s\n%s %s/%s\n", b.Version, b.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// buildInfo says what this program was built from.
type buildInfo struct{ Version, Commit string }

// build is what the linker was told, else what the Go tool has noted.
func build() buildInfo {
	b := buildInfo{Version: version, Commit: commit}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = cmp.Or(b.Version, info.Main.Version)
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				b.Commit = cmp.Or(b.Commit, setting.Value)
			}
		}
	}
	return buildInfo{Version: cmp.Or(b.Version, "unknown"), Commit: cmp.Or(b.Commit, "unknown")}
}
