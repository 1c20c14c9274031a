package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goParts lists the modules of the program and of its tests, and Go itself.
func goParts(ctx context.Context) ([]part, error) {
	shipped, err := goModules(ctx, "./cmd/hallcall")
	if err != nil {
		return nil, err
	}
	all, err := goModules(ctx, "-test", "./...")
	if err != nil {
		return nil, err
	}
	root, err := output(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	standard := part{Name: "Go standard library", Version: "as built", Shipped: true}
	if err := standard.finish(strings.TrimSpace(root)); err != nil {
		return nil, err
	}
	parts := []part{standard}
	for path, m := range all {
		_, inBinary := shipped[path]
		p := part{Name: path, Version: m.version, Shipped: inBinary}
		if err := p.finish(m.dir); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

type module struct{ version, dir string }

// goModules returns the modules that the named packages are built from.
func goModules(ctx context.Context, packages ...string) (map[string]module, error) {
	const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}`
	text, err := output(ctx, append([]string{"list", "-deps", "-f", format}, packages...)...)
	if err != nil {
		return nil, err
	}
	modules := map[string]module{}
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(fields) == 3 {
			modules[fields[0]] = module{version: fields[1], dir: fields[2]}
		}
	}
	return modules, nil
}

// output runs the go command for the platform that the list is made for, so
// that it is the same on every machine.
func output(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(text), nil
}

// npmParts lists the packages of package-lock.json. The texts are read for
// those that pages load; the others need not be installed.
func npmParts() ([]part, error) {
	data, err := os.ReadFile("package-lock.json")
	if err != nil {
		return nil, fmt.Errorf("read npm lock: %w", err)
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dependencies     map[string]string
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("read npm lock: %w", err)
	}
	loaded := lock.Packages[""].Dependencies // what these need in turn, scripts/setup leaves out
	var parts []part
	for path, entry := range lock.Packages {
		name, ok := strings.CutPrefix(path, "node_modules/")
		if !ok {
			continue
		}
		_, shipped := loaded[name]
		p := part{Name: name + " (npm)", Version: entry.Version, Kind: entry.License, Shipped: shipped}
		if p.Shipped {
			if err := p.finish(filepath.FromSlash(path)); err != nil {
				return nil, err
			}
		}
		parts = append(parts, p)
	}
	return parts, nil
}
