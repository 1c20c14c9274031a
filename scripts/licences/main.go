// Command licences prints the list of other people's work that hallcall is
// made with: what goes into the binary, with the texts of the licences, and
// what is used for development and tests only.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	modules, err := goParts(ctx)
	if err != nil {
		return err
	}
	packages, err := npmParts()
	if err != nil {
		return err
	}
	var list strings.Builder
	write(&list, append(modules, packages...))
	_, err = io.WriteString(w, list.String())
	return err
}

// part is one module or package of other people.
type part struct {
	Name, Version string
	Kind          string // short name of the licence
	Text          string // of licence and notice
	Shipped       bool   // goes into the binary
}

// finish fills in what the texts in the part's folder say.
func (p *part) finish(dir string) error {
	text, err := licenceText(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	p.Text = text
	if p.Kind == "" {
		p.Kind = kindOf(text)
	}
	if p.Kind == "" {
		return fmt.Errorf("%s: %w", p.Name, errUnknownLicence)
	}
	return nil
}

var errUnknownLicence = errors.New("no licence that this list knows: read it and decide whether we may use it")

func write(w *strings.Builder, parts []part) {
	w.WriteString("# Third-party work\n\nWritten by `make licences`; do not edit.\n")
	shipped, others := divide(parts)
	w.WriteString("\n## In the binary\n\n")
	table(w, shipped)
	w.WriteString("\n## For development and tests only\n\n")
	table(w, others)
	w.WriteString("\n## Licences of what is in the binary\n")
	for _, group := range byText(shipped) {
		names := make([]string, 0, len(group))
		for _, p := range group {
			names = append(names, p.Name)
		}
		fmt.Fprintf(w, "\n### %s\n\n```text\n%s\n```\n", strings.Join(names, ", "), group[0].Text)
	}
}

func table(w *strings.Builder, parts []part) {
	w.WriteString("| name | version | licence |\n|---|---|---|\n")
	for _, p := range parts {
		fmt.Fprintf(w, "| %s | %s | %s |\n", p.Name, p.Version, p.Kind)
	}
}

func divide(parts []part) (shipped, others []part) {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.Name, b.Name) })
	for _, p := range parts {
		if p.Shipped {
			shipped = append(shipped, p)
		} else {
			others = append(others, p)
		}
	}
	return shipped, others
}

// byText groups parts with the same text, in order of the first of each group.
func byText(parts []part) [][]part {
	var groups [][]part
	at := map[string]int{}
	for _, p := range parts {
		i, known := at[p.Text]
		if !known {
			i = len(groups)
			at[p.Text] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// tidy makes a text fit for a code block.
func tidy(text []byte) string {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("```"), []byte("'''"))
	lines := strings.Split(strings.Trim(string(text), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return strings.Join(lines, "\n")
}
