package main

import (
	"errors"
	"fmt"

	"github.com/hallcall/hallcall/internal/app"
	"github.com/hallcall/hallcall/internal/hall"
)

// errBroken says that a command has listed what is broken.
var errBroken = errors.New("broken")

// doctor checks halls.
type doctor struct {
	storeFlags

	Hall string `arg:"" optional:"" help:"Id of the hall; all halls if left out."`
}

// Run checks the connection and the invariants, and lists what is broken.
func (d *doctor) Run(c *console) error {
	return d.with(c, func(store *app.Attached) error {
		if err := store.Ping(c.ctx); err != nil {
			return err
		}
		_, _ = fmt.Fprintln(c.out, "connection: ok")
		for _, id := range store.Mended {
			_, _ = fmt.Fprintf(c.out, "hall %s: was missing in the list of halls, is listed now\n", id)
		}
		ids := []string{d.Hall}
		if d.Hall == "" {
			var err error
			if ids, err = store.HallIDs(c.ctx); err != nil {
				return err
			}
		}
		return examine(c, store, ids)
	})
}

// examine checks halls one after the other; errBroken if any is. A hall that
// cannot be read is broken; the others are checked all the same.
func examine(c *console, store hall.Store, ids []string) error {
	broken := 0
	for _, id := range ids {
		state, err := store.State(c.ctx, id)
		if err != nil {
			if gone := store.Ping(c.ctx); gone != nil {
				return gone // it is not the hall
			}
			broken++
			_, _ = fmt.Fprintf(c.out, "hall %s: cannot be read: %v\n", id, err)
			continue
		}
		faults := hall.Check(&state)
		broken += len(faults)
		for _, fault := range faults {
			_, _ = fmt.Fprintf(c.out, "hall %s: %s\n", id, fault)
		}
		if len(faults) == 0 {
			_, _ = fmt.Fprintf(c.out, "hall %s: ok (%d candidates, %d events)\n", id, len(state.Candidates), len(state.Events))
		}
	}
	if broken > 0 {
		_, _ = fmt.Fprintf(c.out, "%d broken\n", broken)
		return errBroken
	}
	return nil
}
