package web

import (
	"cmp"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

var outageWords = map[hall.OutageCode]string{
	hall.OutageHardware: "Hardware", hall.OutageSoftware: "Software", hall.OutageNetwork: "Network", hall.OutagePower: "Power",
	hall.OutageCleaning: "Cleaning", hall.OutageCheck: "Check", hall.OutageOther: "Other",
}

// outageCodes are the codes to choose from; OutageOther unless another one is chosen.
func outageCodes(chosen hall.OutageCode) []templates.Option {
	var options []templates.Option
	for _, code := range hall.OutageCodes {
		options = append(options, templates.Option{
			Value: string(code), Text: outageWords[code], Chosen: code == cmp.Or(chosen, hall.OutageOther),
		})
	}
	return options
}

// outageFault is what is wrong with a code, "" if nothing is.
func outageFault(code hall.OutageCode) string {
	if _, err := code.Clean(); err != nil {
		return "Choose one of these."
	}
	return ""
}

// outageReason says why a machine is out of service, "" while it is not. OutageOther
// says nothing beside words.
func outageReason(m *hall.Machine) string {
	if m.Code == hall.OutageOther && m.Reason != "" {
		return m.Reason
	}
	return dotted(outageWords[m.Code], m.Reason)
}
