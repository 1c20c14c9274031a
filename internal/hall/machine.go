package hall

import "time"

// MachineState says what a machine is doing.
type MachineState string

// The states of a machine.
const (
	MachineIdle         MachineState = "idle"
	MachineCalled       MachineState = "called"
	MachineInUse        MachineState = "in_use"
	MachineSpare        MachineState = "spare"
	MachineOutOfService MachineState = "out_of_service"
)

// MachineStates lists every state of a machine.
var MachineStates = []MachineState{MachineIdle, MachineCalled, MachineInUse, MachineSpare, MachineOutOfService}

// InService reports whether people may be called to a machine in this state.
func (s MachineState) InService() bool {
	return s == MachineIdle || s == MachineCalled || s == MachineInUse
}

// Machine is one computer as it stands now.
type Machine struct {
	ID       string
	Label    string
	Room     string
	Model    string
	Subjects []string // that its model serves, in the model's order
	State    MachineState
	Since    time.Time  // begin of the state
	Reason   string     // why it is out of service, in words
	Code     OutageCode // the same in one word, empty while it is not
	Sitting  string     // id of the open sitting
	Subject  string     // being sat on it
	Current  *Sitting   // the open sitting, where a reader asked for it
}

// MachineCount is a number of machines, in all and by what they serve. A
// machine of several subjects counts for each of them while idle, for the one
// being sat while used.
type MachineCount struct {
	Total     int
	BySubject map[string]int
	ByModel   map[string]int
}

// MachineStatistics counts idle and used machines.
type MachineStatistics struct {
	Idle, Used MachineCount
}
