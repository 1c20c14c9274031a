package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hallcall/hallcall/internal/app"
	"github.com/hallcall/hallcall/internal/enrol"
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

// Run reads the roster, and says what it was understood as and what became, or
// would become, of its rows.
func (i *importer) Run(c *console) error {
	return i.with(c, func(store *app.Attached) error {
		data, err := i.readFile()
		if err != nil {
			return err
		}
		plan, err := i.plan(c.ctx, store, data)
		if err != nil {
			return i.named(err)
		}
		i.printUnderstood(c.out, &plan.Understood)
		if i.DryRun {
			return printResult(c.out, &plan.Result, " (dry run: nothing was changed)")
		}
		result, err := plan.Take(c.ctx, store, i.Hall, plan.Begin(), hall.System, func(now enrol.Progress) error {
			if now.Good > enrol.Step {
				_, _ = fmt.Fprintf(c.err, "%d of %d rows taken\n", now.Taken, now.Good)
			}
			return nil
		})
		if err != nil {
			_, _ = fmt.Fprintf(c.err, "broken off after %d rows; send the file again to complete it\n", result.Created+result.Updated+result.Unchanged)
			return err
		}
		return printResult(c.out, &result, "")
	})
}

// plan reads the file; a dry run also finds out what it would do.
func (i *importer) plan(ctx context.Context, store hall.Store, data []byte) (enrol.Plan, error) {
	if i.DryRun {
		return enrol.Look(ctx, store, i.Hall, data)
	}
	return enrol.Read(ctx, store, i.Hall, data)
}

// named names the file in what is wrong with it.
func (i *importer) named(err error) error {
	if hall.CodeOf(err) == hall.CodeInvalid {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	return err
}

// readFile reads the file, which may be anything.
func (i *importer) readFile() ([]byte, error) {
	file, err := os.Open(i.File)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, roster.MaxBytes+1)) // what is longer is refused
}

// printUnderstood says what kind of file it is, and what its columns are.
func (i *importer) printUnderstood(out io.Writer, u *roster.Understood) {
	_, _ = fmt.Fprintf(out, "%s: %s\n", filepath.Base(i.File), u.Words())
	var columns, ignored []string
	for _, h := range u.Headers {
		if h.Column == "" {
			ignored = append(ignored, fmt.Sprintf("%s %q", h.Place, h.Text))
			continue
		}
		columns = append(columns, fmt.Sprintf("%s %q is %s", h.Place, h.Text, h.Column))
	}
	_, _ = fmt.Fprintf(out, "header in row %d: %s\n", u.HeaderRow, strings.Join(columns, ", "))
	if len(ignored) > 0 {
		_, _ = fmt.Fprintf(out, "ignored: %s\n", strings.Join(ignored, ", "))
	}
}

// printResult says what became of the rows; remark is added to the counts.
func printResult(out io.Writer, result *hall.RosterResult, remark string) error {
	_, err := fmt.Fprintf(out, "%d rows: %d created, %d updated, %d unchanged, %d rejected%s\n",
		result.Rows, result.Created, result.Updated, result.Unchanged, len(result.Rejected), remark)
	for _, change := range result.Changes {
		for _, column := range change.Columns {
			_, _ = fmt.Fprintf(out, "row %d: %q: %s: %q → %q\n", change.Row, change.Candidate, column.Column, column.Before, column.After)
		}
	}
	if more := result.Updated - len(result.Changes); len(result.Changes) > 0 && more > 0 {
		_, _ = fmt.Fprintf(out, "and %d more would change\n", more)
	}
	for _, r := range result.Rejected {
		_, _ = fmt.Fprintf(out, "row %d: %s %q: %s (%s)\n", r.Row, r.Column, r.Value, r.Message, r.Code)
	}
	return err
}
