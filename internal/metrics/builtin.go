package metrics

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// builtInVersion grows with every change of builtin.json and of the keys: figures made by an
// older one are made anew.
const builtInVersion = 4

//go:embed builtin.json
var builtInFile []byte

// readBuiltIn reads the built-in definitions, in the order of their names.
func readBuiltIn() ([]*definition, error) {
	var file struct{ Metrics []hall.Metric }
	if err := json.Unmarshal(builtInFile, &file); err != nil {
		return nil, fmt.Errorf("metrics: built-in definitions: %w", err)
	}
	var all []*definition
	for _, m := range file.Metrics {
		d, faults := compile(m)
		if len(faults) > 0 {
			return nil, fmt.Errorf("metrics: built-in definition %s: %s %s (%v)", m.MetricsName, faults[0].Location, faults[0].Message, faults[0].Value)
		}
		if other := d.clash(all); other != "" {
			return nil, fmt.Errorf("metrics: built-in definition %s: has the keys of %s and another type", m.MetricsName, other)
		}
		all = append(all, d)
	}
	slices.SortFunc(all, byName)
	return all, nil
}
