package main

import (
	"errors"

	"github.com/hallcall/hallcall/internal/app"
)

// with runs a command on the store of a server that runs, or would run, with the same flags.
func (f storeFlags) with(c *console, do func(*app.Attached) error) error {
	store, err := app.Attach(c.ctx, app.Config{Redis: f.Redis, DataDir: f.Data})
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}
