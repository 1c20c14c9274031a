package hall

import (
	"slices"
	"strings"
)

// OutageCode says in one word why a machine is out of service. Unlike the
// reason in words it names nobody, so events and figures have it.
type OutageCode string

// Why a machine is out of service. OutageCheck is a machine that is looked at,
// or not to be used until somebody has.
const (
	OutageHardware OutageCode = "hardware"
	OutageSoftware OutageCode = "software"
	OutageNetwork  OutageCode = "network"
	OutagePower    OutageCode = "power"
	OutageCleaning OutageCode = "cleaning"
	OutageCheck    OutageCode = "check"
	OutageOther    OutageCode = "other"
)

// OutageCodes lists every code; OutageOther stands for none.
var OutageCodes = []OutageCode{
	OutageHardware, OutageSoftware, OutageNetwork, OutagePower, OutageCleaning, OutageCheck, OutageOther,
}

// OutageReason is why a machine goes out of service: a code, and free text that
// stands with the machine only.
type OutageReason struct {
	Code OutageCode
	Text string
}

// Clean returns the code as it is kept: OutageOther if there is none.
// CodeInvalid if it is not one of OutageCodes.
func (c OutageCode) Clean() (OutageCode, error) {
	if c == "" {
		return OutageOther, nil
	}
	if slices.Contains(OutageCodes, c) {
		return c, nil
	}
	var words []string
	for _, known := range OutageCodes {
		words = append(words, string(known))
	}
	var f faults
	f.add("body.code", string(c), "must be one of %s", strings.Join(words, ", "))
	return "", f.refusal("There is no such reason for a machine to be out of service.")
}
