package hall

// Layout is what an administrator writes about a hall: its rooms, machines,
// subjects and rules. It is a document: stored and sent as this JSON.
type Layout struct {
	Name      string        `json:"name" doc:"name of the hall" example:"Exam Hall 7"`
	TimeZone  string        `json:"timeZone" doc:"IANA name" example:"Asia/Shanghai"`
	Languages []string      `json:"languages,omitempty" nullable:"false" doc:"languages of the boards, first one first"`
	Subjects  []Subject     `json:"subjects" nullable:"false"`
	Rooms     []Room        `json:"rooms" nullable:"false"`
	Models    []Model       `json:"models" nullable:"false"`
	Machines  []MachineSpec `json:"machines" nullable:"false"`
	Sessions  []Session     `json:"sessions,omitempty" nullable:"false"`
	Rules     Rules         `json:"rules"`
	// IncidentCategories are codes; Categories has the ones of a hall without any.
	IncidentCategories []string `json:"incidentCategories,omitempty" nullable:"false" maxItems:"30" doc:"codes of the kinds of incidents that the staff can report; if left out: machine, person, identity, rules, premises, other" example:"[\"machine\",\"power\"]"`
}

// Subject is one paper. Minutes is how long a sitting is expected to take.
type Subject struct {
	Code    string            `json:"code" doc:"short code" example:"1"`
	Name    map[string]string `json:"name,omitempty" doc:"names by language"`
	Minutes float64           `json:"minutes" doc:"expected length of a sitting"`
}

// Room is a room with machines.
type Room struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// Model is a kind of machine and the codes of the subjects it serves.
type Model struct {
	ID       string   `json:"id"`
	Name     string   `json:"name,omitempty"`
	Subjects []string `json:"subjects" nullable:"false"`
}

// MachineSpec is one computer as the layout knows it. Spare says that a new
// machine starts in reserve; a machine that exists keeps its state.
type MachineSpec struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty" doc:"what stands on the machine; the id if left out"`
	Room  string `json:"room"`
	Model string `json:"model"`
	Spare bool   `json:"spare"`
}

// Session is a part of a day with a starting time, as HH:MM in the hall's time zone.
type Session struct {
	Code        string `json:"code"`
	Name        string `json:"name,omitempty"`
	StartsAt    string `json:"startsAt,omitempty" example:"08:30" doc:"of the day, nearest to when it is opened; rules.lateMinutes count from here"`
	CheckInFrom string `json:"checkInFrom,omitempty" example:"07:45" doc:"nobody of the session is checked in before; no limit if left out"`
}

// Session returns the session with that code.
func (l *Layout) Session(code string) (Session, bool) {
	for _, s := range l.Sessions {
		if s.Code == code {
			return s, true
		}
	}
	return Session{}, false
}

// Limits of a layout.
const (
	MaxSubjects = 12
	MaxMachines = 1000
	MaxIDLength = 64
)

// Subject returns the subject with that code.
func (l *Layout) Subject(code string) (Subject, bool) {
	for _, s := range l.Subjects {
		if s.Code == code {
			return s, true
		}
	}
	return Subject{}, false
}

// Room returns the room with that id.
func (l *Layout) Room(id string) (Room, bool) {
	for _, r := range l.Rooms {
		if r.ID == id {
			return r, true
		}
	}
	return Room{}, false
}

// Model returns the model with that id.
func (l *Layout) Model(id string) (Model, bool) {
	for _, m := range l.Models {
		if m.ID == id {
			return m, true
		}
	}
	return Model{}, false
}

// Machine returns the machine with that id.
func (l *Layout) Machine(id string) (MachineSpec, bool) {
	for _, m := range l.Machines {
		if m.ID == id {
			return m, true
		}
	}
	return MachineSpec{}, false
}

// Title is the subject's name in the first of the given languages it has, else its code.
func (s Subject) Title(languages ...string) string {
	for _, l := range append(languages, "en") {
		if name := s.Name[l]; name != "" {
			return name
		}
	}
	return s.Code
}

// Title is the room's name, else its id.
func (r Room) Title() string {
	if r.Name != "" {
		return r.Name
	}
	return r.ID
}
