package web

import (
	"crypto/rand"
	"net/url"
	"regexp"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// formKeys are keys as newFormKey makes them.
var formKeys = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// newFormKey is the key of one rendering of a form.
func newFormKey() string { return rand.Text() }

// withKey gives a command the key of the form that it came with, so that a form
// sent twice is one command.
func withKey(by hall.Caller, values url.Values) (hall.Caller, error) {
	key := values.Get("key")
	if !formKeys.MatchString(key) {
		return by, &hall.Error{Code: hall.CodeInvalid, Message: "The form is not whole. Open it again."}
	}
	by.Key = "form " + key
	return by, nil
}

// sentBefore is said of a form that was sent, gone back to and changed.
const sentBefore = "This form was sent before with something else in it. Send it again to add this, too."

// fieldFault is what an error finds wrong with a field, as a sentence; "" for nothing.
func fieldFault(err error, field string) string {
	for _, f := range hall.FaultsOf(err) {
		if f.Location == "body."+field {
			return "This " + f.Message + "."
		}
	}
	return ""
}

// correctable reports whether a form can be put right and sent again.
func correctable(err error) bool {
	return len(hall.FaultsOf(err)) > 0 ||
		slices.Contains([]hall.Code{hall.CodeKeyReused, hall.CodeTooManyNotes}, hall.CodeOf(err))
}
