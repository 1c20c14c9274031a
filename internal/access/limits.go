package access

// Limit is what there may be only so many requests for in a time.
type Limit string

// What is limited, and what is counted: everything of one device, account,
// token or address.
const (
	LimitDevice    Limit = "device"    // check-in at one paired kiosk
	LimitKiosks    Limit = "kiosks"    // check-in from one address or account, where several kiosks may stand
	LimitPairing   Limit = "pairing"   // new codes of devices by address, and codes that are entered by account
	LimitLogin     Limit = "login"     // sign-in from one address, beside the waits after wrong passwords
	LimitToken     Limit = "token"     // the API with one token
	LimitAnonymous Limit = "anonymous" // the API from one address, without a token that is one
	LimitPhone     Limit = "phone"     // phone pages from one address
	LimitSocket    Limit = "socket"    // websockets that are opened from one address
)

// DevicePrefix begins the names of paired devices; no account's has it.
const DevicePrefix = "device:"
