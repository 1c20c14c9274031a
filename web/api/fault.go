package api

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/hallcall/hallcall/internal/hall"
)

// faultOf makes what huma says about an input say it of the very field: huma
// reports a missing and an unknown field with the whole object as the value.
func faultOf(detail *huma.ErrorDetail) hall.Fault {
	fault := hall.Fault{Location: detail.Location, Message: detail.Message, Value: detail.Value}
	object, ok := detail.Value.(map[string]any)
	if !ok {
		return fault
	}
	fault.Value = nil
	if name, ok := requiredField(detail.Message); ok {
		fault.Location += "." + name
		fault.Message = "is missing"
		return fault
	}
	if detail.Message == validation.MsgUnexpectedProperty {
		fault.Message = "is not a known field"
		fault.Value = member(object, detail.Location)
	}
	return fault
}

// requiredField is the name of the field that huma misses.
func requiredField(message string) (name string, ok bool) {
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	name, ok = strings.CutPrefix(message, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, after)
}

// member is the value of the object's field that a location ends with; of
// several such fields the one with the longest name.
func member(object map[string]any, location string) any {
	for i := range len(location) {
		if location[i] != '.' {
			continue
		}
		if value, ok := object[location[i+1:]]; ok {
			return value
		}
	}
	return nil
}
