package templates

// PairingPage is what a screen shows until the staff let it in.
type PairingPage struct {
	Page
	Kind   string // kiosk, board or printer
	Hall   string // id of the hall whose page was asked for
	Code   string
	Spoken string // the same letter by letter
	SignIn string
}

// DevicesPage lists the devices of a hall and lets more in.
type DevicesPage struct {
	Page
	HallName              string
	Open                  bool // screens need not be let in
	List                  DeviceList
	Form                  DeviceForm
	Back                  string
	Kiosk, Board, Printer string // addresses to be opened on the devices
}

// DeviceList are the devices of a hall, which change by themselves.
type DeviceList struct {
	URL  string
	Rows []DeviceRow
}

// DeviceRow is one device.
type DeviceRow struct {
	Key       string
	Name      string
	Kind      string
	Where     string
	URL       string
	State     string
	StateKind string
	Seen      string // last contact of one that is online
	Troubles  []string
	Made, By  string
}

// DeviceForm lets a device in, or changes one.
type DeviceForm struct {
	URL       string
	Key       string // of a form that lets one in
	Device    string // name of the one that is changed, "" for a new one
	Revoke    string // where the one that is changed is shut out
	Code      string
	Name      string
	Rooms     []Option
	CodeError string
	NameError string
	RoomError string
}

// OneDevicePage changes a device.
type OneDevicePage struct {
	Page
	HallName string
	Form     DeviceForm
	Back     string
}

// PrinterPage is what stands on a printer's screen.
type PrinterPage struct {
	Page
	Name     string
	HallName string
	Out      bool // of paper
	URL      string
}
