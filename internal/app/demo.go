package app

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// demoHall is the id of the hall that can be tried at once.
const demoHall = "demo"

var (
	//go:embed demo/hall.json
	demoLayout []byte
	//go:embed demo/roster.csv
	demoRoster []byte
)

// ensureDemo makes the demo hall if there is no hall. One that has no people is
// given them: the first start may have been cut off between the two steps.
func ensureDemo(ctx context.Context, store hall.Store) error {
	ids, err := store.HallIDs(ctx)
	if err != nil || len(ids) > 1 || (len(ids) == 1 && ids[0] != demoHall) {
		return err
	}
	layout, err := readDemo()
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		if _, _, err := store.PutHall(ctx, demoHall, layout, "", hall.System); err != nil {
			return fmt.Errorf("make hall: %w", err)
		}
	}
	people, err := store.Candidates(ctx, demoHall, hall.CandidateFilter{}, hall.Page{Number: 1, Size: 1})
	if err != nil || people.Total > 0 {
		return err
	}
	rows, _, _, err := roster.Read(bytes.NewReader(demoRoster), &layout)
	if err != nil {
		return err
	}
	if _, err := store.PutRoster(ctx, demoHall, rows, false, hall.System); err != nil {
		return fmt.Errorf("put roster: %w", err)
	}
	return nil
}

func readDemo() (hall.Layout, error) {
	var layout hall.Layout
	decoder := json.NewDecoder(bytes.NewReader(demoLayout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&layout); err != nil {
		return layout, fmt.Errorf("read layout: %w", err)
	}
	return layout, nil
}
