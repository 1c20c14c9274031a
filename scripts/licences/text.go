package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// licenceText joins the licence and notice files of a folder, "" if it has none.
func licenceText(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("read licence: %w", err)
	}
	var texts []string
	for _, entry := range entries {
		if entry.IsDir() || !isLicenceFile(entry.Name()) && !isVendorLicence(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return "", fmt.Errorf("read licence: %w", err)
		}
		texts = append(texts, tidy(text))
	}
	return strings.Join(texts, "\n\n"), nil
}

func isLicenceFile(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	base, _, _ = strings.Cut(base, "-")
	switch base {
	case "LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE":
		return true
	}
	return false
}

// isVendorLicence reports whether a file is about what others put into a script
// that pages load, such as a.js.LICENSE.txt about a.js.
func isVendorLicence(name string) bool {
	script, ok := strings.CutSuffix(name, ".LICENSE.txt")
	if !ok {
		return false
	}
	_, err := os.Stat(filepath.Join("static", "vendor", script))
	return err == nil
}

// kinds are sentences by which a licence is known, the more telling ones first.
var kinds = []struct{ kind, sentence string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"MPL-2.0", "mozilla public license, version 2.0"},
	{"BSD-3-Clause", "neither the name of"},
	{"BSD-3-Clause", "may not be used to endorse or promote products"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided"},
	{"0BSD", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted."},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
}

// kindOf returns the short name of a licence, "" if it is not known.
func kindOf(text string) string {
	plain := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, k := range kinds {
		if strings.Contains(plain, k.sentence) {
			return k.kind
		}
	}
	return ""
}
