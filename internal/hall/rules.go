package hall

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Rules are the settings of a hall. Durations are in the unit of their name.
type Rules struct {
	Mode               string `json:"mode" enum:"auto,manual" doc:"manual: nobody is called unless a proctor calls the next"`
	Order              string `json:"order" enum:"fifo,strict,ageing" doc:"order among those waiting"`
	Requeue            string `json:"requeue" enum:"tail,keep" doc:"where a candidate with subjects left comes back: at the tail, or at the time of the first check-in"`
	SubjectChoice      string `json:"subjectChoice" enum:"listed,bottleneck" doc:"which subject is taken when several are free"`
	ConfirmSeat        bool   `json:"confirmSeat" doc:"false: calls are not confirmed, so none of them times out"`
	CallTimeoutSeconds int    `json:"callTimeoutSeconds" minimum:"5" maximum:"3600" doc:"an unanswered call is announced again after this"`
	RecallLimit        int    `json:"recallLimit" minimum:"0" maximum:"10" doc:"how often a call is announced again before it counts as a no-show"`
	MaxNoShows         int    `json:"maxNoShows" minimum:"1" maximum:"20" doc:"after so many no-shows the candidate is absent"`
	NoShow             string `json:"noShow" pattern:"^(tail|absent|after:[1-9][0-9]{0,3})$" doc:"where a no-show goes: tail, absent, or after:N"`
	RestSeconds        int    `json:"restSeconds" minimum:"0" maximum:"86400" doc:"rest between two subjects; 0 is none"`
	MaxHoldSeconds     int    `json:"maxHoldSeconds" minimum:"0" maximum:"86400" doc:"a hold ends by itself after this; 0 is never"`
	LateMinutes        int    `json:"lateMinutes" minimum:"0" maximum:"1440" doc:"check-in is refused later than this after the session's start, by the time of the place; 0 is no limit"`
	WaitTargetSeconds  int    `json:"waitTargetSeconds" minimum:"1" maximum:"86400" doc:"a wait should be shorter than this; who has waited longer is marked once, until that wait ends, also if this is raised then"`
	CallShowSeconds    int    `json:"callShowSeconds" minimum:"1" maximum:"120" doc:"a call is shown on the board at least this long"`
	CallRepeats        int    `json:"callRepeats" minimum:"1" maximum:"10" doc:"how often one announcement is spoken"`
	BoardNames         string `json:"boardNames" enum:"none,masked" doc:"what the board shows beside the number"`
	OpenScreens        bool   `json:"openScreens" doc:"kiosks and boards may be used without pairing"`
	KioskSecondFactor  string `json:"kioskSecondFactor" enum:"none,id4" doc:"id4: the kiosk asks for the last four characters of the ID number"`
	KeepDays           int    `json:"keepDays" minimum:"1" maximum:"36500" doc:"names are erased from closed days after this"`
}

// Values of the rules that are words.
const (
	ModeAuto         = "auto"
	ModeManual       = "manual"
	OrderFIFO        = "fifo"
	OrderStrict      = "strict"
	OrderAgeing      = "ageing"
	RequeueTail      = "tail"
	RequeueKeep      = "keep"
	ChoiceListed     = "listed"
	ChoiceBottleneck = "bottleneck"
	NoShowTail       = "tail"
	NoShowAbsent     = "absent"
	NamesNone        = "none"
	NamesMasked      = "masked"
)

// DefaultRules are the rules of a hall that sets none.
func DefaultRules() Rules {
	return Rules{
		Mode: ModeAuto, Order: OrderFIFO, Requeue: RequeueTail, SubjectChoice: ChoiceBottleneck, ConfirmSeat: true,
		CallTimeoutSeconds: 180, RecallLimit: 2, MaxNoShows: 2, NoShow: NoShowTail,
		WaitTargetSeconds: 1800, CallShowSeconds: 8, CallRepeats: 1,
		BoardNames: NamesNone, KioskSecondFactor: "none", KeepDays: 90,
	}
}

// UnmarshalJSON reads rules over the defaults, so that a rule left out has its default.
func (r *Rules) UnmarshalJSON(data []byte) error {
	type plain Rules
	p := plain(DefaultRules())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = Rules(p)
	return nil
}

// CallTimeout is CallTimeoutSeconds as a duration.
func (r Rules) CallTimeout() time.Duration { return time.Duration(r.CallTimeoutSeconds) * time.Second }

// Rest is RestSeconds as a duration.
func (r Rules) Rest() time.Duration { return time.Duration(r.RestSeconds) * time.Second }

// NoShowAfter is the N of a NoShow rule "after:N"; ok is false for the other rules.
func (r Rules) NoShowAfter() (n int, ok bool) {
	digits, ok := strings.CutPrefix(r.NoShow, "after:")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0
}
