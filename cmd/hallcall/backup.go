package main

import (
	"cmp"
	"fmt"

	"github.com/hallcall/hallcall/internal/app"
	"github.com/hallcall/hallcall/internal/hallfile"
)

// backup writes a hall into a file.
type backup struct {
	storeFlags

	Hall string `arg:"" help:"Id of the hall."`
	File string `arg:"" type:"path" help:"File to be made; one that exists is left alone."`
}

// Run writes the file beside a running server, and says what is in it.
func (b *backup) Run(c *console) error {
	return b.with(c, func(store *app.Attached) error {
		summary, err := store.BackupHall(c.ctx, b.Hall, b.File, build().Version)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "hall %s: %s written\n%s\n", b.Hall, b.File, contents(&summary))
		return err
	})
}

// restore makes a hall of a file.
type restore struct {
	storeFlags

	File string `arg:"" type:"existingfile" help:"File that backup made."`
	As   string `env:"HALLCALL_AS" help:"Id for the hall, where it is to have another one than before." placeholder:"HALL"`
}

// Run makes the hall beside a running server, and says what it has. A hall that
// is there already is left alone.
func (r *restore) Run(c *console) error {
	return r.with(c, func(store *app.Attached) error {
		id, summary, err := store.RestoreHall(c.ctx, r.File, r.As)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "hall %s: restored\n%s\n", id, contents(&summary))
		return err
	})
}

// contents says what a file has.
func contents(s *hallfile.Summary) string {
	return fmt.Sprintf("day %s, %s: %d candidates, %d events; closed days: %d",
		cmp.Or(s.Day, "that has no id yet"), s.State, s.Candidates, s.Events, s.ClosedDays)
}
