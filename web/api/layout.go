package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/hall"
)

// layoutSchema describes a layout as it may be sent: a rule that is left out
// has its default, which the description tells.
func (r *routes) layoutSchema() *huma.Schema {
	registry := r.api.OpenAPI().Components.Schemas
	schema := registry.Schema(reflect.TypeFor[hall.Layout](), true, "")
	optional(registry, reflect.TypeFor[hall.Layout](), "rules")
	optional(registry, reflect.TypeFor[hall.MachineSpec](), "spare")
	rules := definition(registry, reflect.TypeFor[hall.Rules]())
	rules.Required = nil
	defaults := reflect.ValueOf(hall.DefaultRules())
	for field, value := range defaults.Fields() {
		rules.Properties[field.Tag.Get("json")].Default = value.Interface()
	}
	rules.PrecomputeMessages()
	return schema
}

// definition is the schema of a type, not the reference to it.
func definition(registry huma.Registry, t reflect.Type) *huma.Schema {
	return registry.SchemaFromRef(registry.Schema(t, true, "").Ref)
}

// optional says that a field of a type may be left out.
func optional(registry huma.Registry, t reflect.Type, field string) {
	schema := definition(registry, t)
	schema.Required = slices.DeleteFunc(schema.Required, func(name string) bool { return name == field })
	schema.PrecomputeMessages()
}

// readLayout reads a layout and lists everything that is wrong with it: what
// does not fit the schema, and what does not fit together.
func (r *routes) readLayout(data []byte) (hall.Layout, []hall.Fault) {
	faults := r.schemaFaults(data, reflect.TypeFor[hall.Layout]())
	layout, err := decodeLayout(data)
	if err != nil && len(faults) == 0 {
		faults = append(faults, hall.Fault{Location: "body", Message: err.Error()})
	}
	if len(faults) > maxFaults {
		return layout, faults
	}
	known := faults
	for _, fault := range layout.Faults() {
		if !covered(fault.Location, known) {
			faults = append(faults, fault)
		}
	}
	return layout, faults
}

// decodeLayout reads a layout as far as the types of its fields allow; err is
// the first that does not fit.
func decodeLayout(data []byte) (layout hall.Layout, err error) {
	// Rules read by their own method would end the reading of the rest with an error in them.
	var document struct {
		hall.Layout
		Rules json.RawMessage `json:"rules"`
	}
	type plainRules hall.Rules
	rules := plainRules(hall.DefaultRules())
	err = json.Unmarshal(data, &document)
	if document.Rules != nil {
		err = cmp.Or(err, json.Unmarshal(document.Rules, &rules))
	}
	layout = document.Layout
	layout.Rules = hall.Rules(rules)
	return layout, err
}

// schemaFaults lists what does not fit the schema of a type.
func (r *routes) schemaFaults(data []byte, t reflect.Type) []hall.Fault {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return []hall.Fault{{Location: "body", Message: err.Error()}}
	}
	registry := r.api.OpenAPI().Components.Schemas
	path := huma.NewPathBuffer(nil, 0)
	path.Push("body")
	var result huma.ValidateResult
	huma.Validate(registry, definition(registry, t), path, huma.ModeWriteToServer, value, &result)
	var faults []hall.Fault
	for _, err := range result.Errors[:min(len(result.Errors), maxFaults+1)] {
		var detail huma.ErrorDetailer
		if errors.As(err, &detail) {
			faults = append(faults, faultOf(detail.ErrorDetail()))
		}
	}
	return faults
}

// covered reports whether one of the faults concerns this location or what it lies in.
func covered(location string, faults []hall.Fault) bool {
	return slices.ContainsFunc(faults, func(f hall.Fault) bool {
		rest, ok := strings.CutPrefix(location, f.Location)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}
