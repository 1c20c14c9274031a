package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/hallcall/hallcall/internal/app"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// importer reads a roster.
type importer struct {
	storeFlags

	Hall   string `arg:"" help:"Id of the hall."`
	File   string `arg:"" type:"existingfile" help:"Roster: CSV, TSV or Excel workbook (xlsx)."`
	DryRun bool   `env:"HALLCALL_DRY_RUN" help:"Say what would change, and change nothing."`
}

// Run reads the roster and says what became of each row that was not taken.
func (i *importer) Run(c *console) error {
	return i.with(c, func(store *app.Attached) error {
		result, err := i.read(c, store)
		if err != nil {
			return err
		}
		would := ""
		if i.DryRun {
			would = " (dry run: nothing was changed)"
		}
		_, err = fmt.Fprintf(c.out, "%d rows: %d created, %d updated, %d unchanged, %d rejected%s\n",
			result.Rows, result.Created, result.Updated, result.Unchanged, len(result.Rejected), would)
		for _, r := range result.Rejected {
			_, _ = fmt.Fprintf(c.out, "row %d: %s %q: %s (%s)\n", r.Row, r.Column, r.Value, r.Message, r.Code)
		}
		return err
	})
}

func (i *importer) read(c *console, store hall.Store) (hall.RosterResult, error) {
	h, err := store.Hall(c.ctx, i.Hall)
	if err != nil {
		return hall.RosterResult{}, err
	}
	file, err := os.Open(i.File)
	if err != nil {
		return hall.RosterResult{}, err
	}
	defer func() { _ = file.Close() }()
	rows, rejected, total, err := roster.Read(file, &h.Layout)
	if err != nil {
		return hall.RosterResult{}, fmt.Errorf("%s: %w", i.File, err)
	}
	result, err := store.PutRoster(c.ctx, i.Hall, rows, i.DryRun, hall.System)
	if err != nil {
		return result, err
	}
	result.Rows = total
	result.Rejected = append(result.Rejected, rejected...)
	slices.SortStableFunc(result.Rejected, func(a, b hall.RejectedRow) int { return a.Row - b.Row })
	return result, nil
}
