package main

import (
	"fmt"

	"github.com/hallcall/hallcall/internal/app"
)

// figures are the commands about metrics.
type figures struct {
	Rebuild rebuild `cmd:"" help:"Make the figures of a hall's present day anew from its events."`
}

// rebuild makes figures anew.
type rebuild struct {
	storeFlags

	Hall string `arg:"" help:"Id of the hall."`
}

// Run makes the figures anew, beside those in use, and says of how many events.
func (r *rebuild) Run(c *console) error {
	return r.with(c, func(store *app.Attached) error {
		made, err := store.Metrics.Rebuild(c.ctx, r.Hall)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "hall %s: figures made anew from %d events, %d things set aside\n", r.Hall, made.Events, made.Aside)
		return err
	})
}
