// Package device keeps in Redis the kiosks, boards and printers of the halls:
// those that show a code and wait to be let in, and those that somebody let in.
package device

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// Codes are read from a screen and typed by people, so they have no letters
// and digits that are taken for one another. 7 of 31 are 2.7 × 10¹⁰.
const (
	codeLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
	codeLength  = 7
	codeValid   = 10 * time.Minute
)

// How many there may be, and how exactly the last contact is kept.
const (
	askingAtMost = 2000 // of the site at once
	hallAtMost   = 200  // devices of a hall
	seenEvery    = 5 * time.Second
)

// The scripts, one for each step.
var (
	//go:embed lua/clock.lua
	clockText string
	//go:embed lua/device_ask.lua
	askText string
	//go:embed lua/device_pair.lua
	pairText string
	//go:embed lua/device_find.lua
	findText string
	//go:embed lua/device_change.lua
	changeText string
	//go:embed lua/device_revoke.lua
	revokeText string

	ask    = redis.NewScript(clockText + askText)
	pair   = redis.NewScript(clockText + pairText)
	find   = redis.NewScript(clockText + findText)
	change = redis.NewScript(changeText)
	revoke = redis.NewScript(revokeText)
)

// Devices keeps devices, a hash each. All their keys are in one slot, so that
// letting one in is one step.
type Devices struct {
	client redis.Cmdable
	prefix string
	now    func() time.Time // nil for that of Redis
}

// New returns the devices of the site whose keys begin with prefix.
func New(client redis.Cmdable, prefix string) *Devices {
	return &Devices{client: client, prefix: prefix + "{devices}:"}
}

// At is the same with another clock than that of Redis, for tests.
func (d *Devices) At(now func() time.Time) *Devices {
	other := *d
	other.now = now
	return &other
}

func (d *Devices) endsKey() string            { return d.prefix + "ends" }
func (d *Devices) codesKey() string           { return d.prefix + "codes" }
func (d *Devices) secretsKey() string         { return d.prefix + "secrets" }
func (d *Devices) deviceKey(id string) string { return d.prefix + "device:" + id }
func (d *Devices) hallKey(id string) string   { return d.prefix + "hall:" + id }

// Code returns the code that a device with a secret shows; ErrNoCode if it has none.
func (d *Devices) Code(ctx context.Context, secret string, kind access.Role) (access.Asking, error) {
	return d.ask(ctx, secret, kind, "")
}

// Ask gives a device with a secret a code to show, or the one that it has;
// ErrTooMany.
func (d *Devices) Ask(ctx context.Context, secret string, kind access.Role) (access.Asking, error) {
	for {
		code, err := newCode()
		if err != nil {
			return access.Asking{}, err
		}
		asking, err := d.ask(ctx, secret, kind, code)
		if !errors.Is(err, access.ErrTaken) {
			return asking, err
		}
	}
}

func (d *Devices) ask(ctx context.Context, secret string, kind access.Role, fresh string) (access.Asking, error) {
	found, err := ask.Run(ctx, d.client, []string{d.endsKey(), d.codesKey()},
		hashOf(secret), string(kind), fresh, codeValid.Milliseconds(), askingAtMost, d.millis()).Slice()
	if err != nil {
		return access.Asking{}, failed(ctx, "ask for a code", err)
	}
	switch n, _ := found[0].(int64); n {
	case 0:
		return access.Asking{}, access.ErrNoCode
	case -1:
		return access.Asking{}, access.ErrTooMany
	case -2:
		return access.Asking{}, access.ErrTaken
	}
	code, _ := found[1].(string)
	ends, _ := found[2].(string)
	return access.Asking{Code: code, Kind: kind, Ends: timeOf(ends)}, nil
}

// Pair lets the device in that shows a code: name, hall, rooms and by whom are
// given. The same form sent again makes no second one. ErrNoCode, ErrTaken if another
// device of the hall has this name, ErrOneRoom, ErrTooMany.
func (d *Devices) Pair(ctx context.Context, code string, given access.Device, form string) (access.Device, error) {
	rooms, err := json.Marshal(given.Rooms)
	if err != nil {
		return access.Device{}, fmt.Errorf("rooms: %w", err)
	}
	id := hashOf(given.Hall + "\x00" + form)[:12]
	n, err := pair.Run(ctx, d.client,
		[]string{d.endsKey(), d.codesKey(), d.secretsKey(), d.deviceKey(id), d.hallKey(given.Hall)},
		plainCode(code), id, d.deviceKey(""), given.Hall, given.Name, string(rooms), len(given.Rooms), given.By, hallAtMost, d.millis()).Int()
	if err != nil {
		return access.Device{}, failed(ctx, "let a device in", err)
	}
	if err := outcome(n, access.ErrNoCode); err != nil {
		return access.Device{}, err
	}
	return d.Device(ctx, given.Hall, id)
}

// outcome is what the answer of a script says, where 0 is an error of its own.
func outcome(n int, zero error) error {
	switch n {
	case 0:
		return zero
	case -1:
		return access.ErrOneRoom
	case -2:
		return access.ErrTaken
	case -3:
		return access.ErrTooMany
	}
	return nil
}

// Find returns the device with a secret, ErrUnknown if nobody let it in or it
// is shut out, and notes that it was heard of.
func (d *Devices) Find(ctx context.Context, secret string) (access.Device, error) {
	return d.find(ctx, secret, "", access.DeviceReport{})
}

// Report keeps what the device with a secret says of itself; ErrUnknown.
func (d *Devices) Report(ctx context.Context, secret string, report access.DeviceReport) error {
	_, err := d.find(ctx, secret, "report", report)
	return err
}

func (d *Devices) find(ctx context.Context, secret, what string, report access.DeviceReport) (access.Device, error) {
	found, err := find.Run(ctx, d.client, []string{d.secretsKey()}, hashOf(secret), d.deviceKey(""), seenEvery.Milliseconds(),
		what, string(report.Sound), string(report.Paper), d.millis()).StringSlice()
	if err != nil {
		return access.Device{}, failed(ctx, "find device", err)
	}
	if len(found) == 0 {
		return access.Device{}, access.ErrUnknown
	}
	fields := map[string]string{}
	for i := 1; i+1 < len(found); i += 2 {
		fields[found[i]] = found[i+1]
	}
	return deviceOf(found[0], fields)
}

// Device returns a device of a hall; ErrUnknown.
func (d *Devices) Device(ctx context.Context, hallID, id string) (access.Device, error) {
	fields, err := d.client.HGetAll(ctx, d.deviceKey(id)).Result()
	if err != nil {
		return access.Device{}, failed(ctx, "read device", err)
	}
	if fields["hall"] != hallID || fields["hash"] == "" {
		return access.Device{}, access.ErrUnknown
	}
	return deviceOf(id, fields)
}

// List returns the devices of a hall by name.
func (d *Devices) List(ctx context.Context, hallID string) ([]access.Device, error) {
	ids, err := d.client.SMembers(ctx, d.hallKey(hallID)).Result()
	if err != nil {
		return nil, failed(ctx, "list devices", err)
	}
	devices := make([]access.Device, 0, len(ids))
	for _, id := range ids {
		device, err := d.Device(ctx, hallID, id)
		if errors.Is(err, access.ErrUnknown) {
			continue // shut out this moment
		}
		if err != nil {
			return nil, err
		}
		devices = append(devices, device)
	}
	slices.SortFunc(devices, func(x, y access.Device) int { return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID)) })
	return devices, nil
}

// Change gives a device of a hall another name and other rooms; ErrUnknown,
// ErrTaken, ErrOneRoom.
func (d *Devices) Change(ctx context.Context, hallID, id, name string, roomIDs []string) error {
	rooms, err := json.Marshal(roomIDs)
	if err != nil {
		return fmt.Errorf("rooms: %w", err)
	}
	n, err := change.Run(ctx, d.client, []string{d.deviceKey(id), d.hallKey(hallID)}, id, d.deviceKey(""), name, string(rooms), len(roomIDs)).Int()
	if err != nil {
		return failed(ctx, "change device", err)
	}
	return outcome(n, access.ErrUnknown)
}

// Revoke shuts a device of a hall out. One that is not there any more is no error.
func (d *Devices) Revoke(ctx context.Context, hallID, id string) error {
	if err := revoke.Run(ctx, d.client, []string{d.deviceKey(id), d.hallKey(hallID), d.secretsKey()}, id).Err(); err != nil {
		return failed(ctx, "revoke device", err)
	}
	return nil
}

func deviceOf(id string, fields map[string]string) (access.Device, error) {
	device := access.Device{
		ID: id, Name: fields["name"], Kind: access.Role(fields["kind"]), Hall: fields["hall"], By: fields["by"], Made: timeOf(fields["made"]),
		Seen: timeOf(fields["seen"]), Sound: access.Sound(fields["sound"]), Paper: access.Paper(fields["paper"]),
	}
	if err := json.Unmarshal([]byte(fields["rooms"]), &device.Rooms); err != nil {
		return access.Device{}, fmt.Errorf("rooms of device %s: %w", id, err)
	}
	return device, nil
}

func (d *Devices) millis() int64 {
	if d.now == nil {
		return 0
	}
	return d.now().UnixMilli()
}

// newCode is one that nobody guesses in ten minutes.
func newCode() (string, error) {
	var code strings.Builder
	for range codeLength {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(codeLetters))))
		if err != nil {
			return "", fmt.Errorf("random number: %w", err)
		}
		code.WriteByte(codeLetters[n.Int64()])
	}
	return code.String(), nil
}

// plainCode is a code as it is kept, however somebody typed it.
func plainCode(typed string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, typed)
}

// hashOf is how a secret is kept.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func timeOf(millis string) time.Time {
	n, err := strconv.ParseInt(millis, 10, 64)
	if err != nil || n == 0 {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

func failed(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %w: %w", what, hall.ErrUnavailable, err)
}
