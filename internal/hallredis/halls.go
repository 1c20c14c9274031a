package hallredis

import (
	"context"
	"crypto/sha1" //nolint:gosec // see hallOf
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// PutHall implements hall.Halls.
func (s *Store) PutHall(ctx context.Context, id string, layout hall.Layout, expected string, by hall.Caller) (hall.Hall, bool, error) {
	faults := layout.Faults()
	if fault := hall.IDFault(id); fault != "" {
		faults = append(faults, hall.Fault{Location: "path.hall", Message: fault, Value: id})
	}
	if len(faults) > 0 {
		return hall.Hall{}, false, &hall.Error{Code: hall.CodeInvalid, Message: "The layout has faults.", Faults: faults}
	}
	args, err := layoutArgs(&layout, expected)
	if err != nil {
		return hall.Hall{}, false, err
	}
	o, r, err := s.again(func() (outcome, reply, error) { return s.putHall(ctx, id, &layout, args, by) })
	if err != nil {
		return hall.Hall{}, false, err
	}
	// The list lives in another slot: a hall is written first and listed then.
	if err := s.client.ZAdd(ctx, hallsKey(s.prefix), redis.Z{Member: id}).Err(); err != nil {
		return hall.Hall{}, false, s.failed("list of halls", err)
	}
	h, err := hallOf(id, r.pairs(0), r.pairs(1))
	return h, o == outcomeFirst, err
}

// putHall writes a layout once; outcomeReadAgain if another day is present than it was made for.
func (s *Store) putHall(ctx context.Context, id string, layout *hall.Layout, args []any, by hall.Caller) (outcome, reply, error) {
	present, err := s.Hall(ctx, id)
	if err != nil && hall.CodeOf(err) != hall.CodeUnknownHall {
		return 0, nil, err
	}
	creating := err != nil
	now, err := s.Now(ctx)
	if err != nil {
		return 0, nil, err
	}
	var opened time.Time
	switch {
	case creating:
		opened = now
	case present.Day.State == hall.DayOpen:
		opened = present.Day.OpenedAt
	}
	zone := (&hall.Hall{Layout: *layout}).Location()
	windows, err := windowsOf(layout, opened, zone)
	if err != nil {
		return 0, nil, err
	}
	return s.runCommand(ctx, hallPut, id, by, &command{now: now.UnixMilli(), args: args, own: []any{
		hall.DayDate(now, zone), hall.BaseBefore.Milliseconds(), windows, millisOf(opened),
	}})
}

// layoutArgs are the arguments of hall_put.lua that the caller says.
func layoutArgs(layout *hall.Layout, expected string) ([]any, error) {
	type machine struct {
		ID       string `json:"id"`
		Room     string `json:"room"`
		Model    string `json:"model"`
		Subjects string `json:"subjects"`
		Count    int    `json:"count"`
		Spare    bool   `json:"spare"`
	}
	type subject struct {
		Code    string  `json:"code"`
		Minutes float64 `json:"minutes"`
	}
	machines := make([]machine, 0, len(layout.Machines))
	for _, spec := range layout.Machines {
		model, _ := layout.Model(spec.Model)
		machines = append(machines, machine{
			spec.ID, spec.Room, spec.Model, subjectSet(model.Subjects), len(model.Subjects), spec.Spare,
		})
	}
	subjects := make([]subject, 0, len(layout.Subjects))
	for _, sub := range layout.Subjects {
		subjects = append(subjects, subject{sub.Code, sub.Minutes})
	}
	rooms := map[string]bool{}
	for _, room := range layout.Rooms {
		rooms[room.ID] = true
	}
	args := make([]any, 0, 8)
	for _, part := range []any{layout, layout.Rules, subjects, machines, rooms} {
		text, err := json.Marshal(part)
		if err != nil {
			return nil, fmt.Errorf("encode layout: %w", err)
		}
		args = append(args, string(text))
	}
	return append(args, expected), nil
}

// Hall implements hall.Halls.
func (s *Store) Hall(ctx context.Context, id string) (hall.Hall, error) {
	return s.hallBy(ctx, id, keysOf(s.prefix, id))
}

// hallBy reads the hall as it is, or as it was on a closed day, by the keys of the day.
func (s *Store) hallBy(ctx context.Context, id string, k keys) (hall.Hall, error) {
	var fields, pauses *redis.MapStringStringCmd
	if _, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		fields, pauses = p.HGetAll(ctx, k.hall()), p.HGetAll(ctx, k.pauses())
		return nil
	}); err != nil {
		return hall.Hall{}, s.failed("hall", err)
	}
	return hallOf(id, fields.Val(), pauses.Val())
}

// hallOf reads the hash of a hall and its pauses.
func hallOf(id string, fields, pauses map[string]string) (hall.Hall, error) {
	if fields["layout"] == "" {
		return hall.Hall{}, outcomeUnknownHall.refusal("hall", nil)
	}
	layout, err := decode[hall.Layout]("layout", fields["layout"])
	if err != nil {
		return hall.Hall{}, err
	}
	number := func(field string) int64 {
		n, _ := strconv.ParseInt(fields[field], 10, 64)
		return n
	}
	message, paused := pauses["hall"]
	tag := sha1.Sum([]byte(fields["layout"])) //nolint:gosec // tells layouts apart, as the script does; no secret
	h := hall.Hall{ID: id, Layout: layout, LayoutTag: hex.EncodeToString(tag[:]), Version: number("version"), Day: hall.Day{
		ID: fields["day"], State: hall.DayState(fields["state"]), OpenedAt: atMillis(number("openedAt")),
		ClosedAt: atMillis(number("closedAt")), ErasedAt: atMillis(number("erasedAt")),
		Base: atMillis(number("base")), CheckInOpen: fields["checkIn"] == "open", Paused: paused, PauseMessage: message,
		PausedRooms: map[string]string{},
	}}
	for field, message := range pauses {
		if room, ok := strings.CutPrefix(field, "room "); ok {
			h.Day.PausedRooms[room] = message
		}
	}
	return h, nil
}

// exists answers CodeUnknownHall for a hall that is not there.
func (s *Store) exists(ctx context.Context, k keys) error {
	n, err := s.client.HExists(ctx, k.hall(), "layout").Result()
	if err != nil {
		return s.failed("hall", err)
	}
	if !n {
		return outcomeUnknownHall.refusal("hall", nil)
	}
	return nil
}

// HallIDs implements hall.Halls.
func (s *Store) HallIDs(ctx context.Context) ([]string, error) {
	ids, err := s.client.ZRange(ctx, hallsKey(s.prefix), 0, -1).Result()
	if err != nil {
		return nil, s.failed("list of halls", err)
	}
	return ids, nil
}

// Pause implements hall.Halls.
func (s *Store) Pause(ctx context.Context, id, room, message string, by hall.Caller) (hall.Hall, error) {
	return s.pauseOrResume(ctx, hallPause, id, room, by, message)
}

// Resume implements hall.Halls.
func (s *Store) Resume(ctx context.Context, id, room string, by hall.Caller) (hall.Hall, error) {
	return s.pauseOrResume(ctx, hallResume, id, room, by)
}

// OpenCheckIn implements hall.Halls.
func (s *Store) OpenCheckIn(ctx context.Context, id string, open bool, by hall.Caller) (hall.Hall, error) {
	door := "closed"
	if open {
		door = "open"
	}
	_, r, err := s.run(ctx, hallCheckIn, id, by, door)
	if err != nil {
		return hall.Hall{}, err
	}
	return hallOf(id, r.pairs(0), r.pairs(1))
}

func (s *Store) pauseOrResume(ctx context.Context, sc *script, id, room string, by hall.Caller, args ...any) (hall.Hall, error) {
	h, err := s.Hall(ctx, id)
	if err != nil {
		return hall.Hall{}, err
	}
	if _, known := h.Layout.Room(room); room != "" && !known {
		return hall.Hall{}, outcomeUnknownRoom.refusal(sc.name, nil)
	}
	_, r, err := s.run(ctx, sc, id, by, append([]any{room}, args...)...)
	if err != nil {
		return hall.Hall{}, err
	}
	return hallOf(id, r.pairs(0), r.pairs(1))
}

// MendHallList adds halls that exist but are not listed: their creation was
// cut off between the two steps. It returns those it added.
func (s *Store) MendHallList(ctx context.Context) ([]string, error) {
	listed, err := s.HallIDs(ctx)
	if err != nil {
		return nil, err
	}
	var added []string
	scan := s.client.Scan(ctx, 0, s.prefix+"{*}:hall", chunk).Iterator()
	for scan.Next(ctx) {
		id := unescape.Replace(strings.TrimSuffix(strings.TrimPrefix(scan.Val(), s.prefix+"{"), "}:hall"))
		if contains(listed, id) {
			continue
		}
		if err := s.client.ZAdd(ctx, hallsKey(s.prefix), redis.Z{Member: id}).Err(); err != nil {
			return added, s.failed("list of halls", err)
		}
		added = append(added, id)
	}
	if err := scan.Err(); err != nil {
		return added, s.failed("list of halls", err)
	}
	return added, nil
}

// Elapse implements hall.Clock.
func (s *Store) Elapse(ctx context.Context, id string) (time.Time, error) {
	_, r, err := s.run(ctx, elapse, id, hall.System, elapseLimit, s.watch)
	if err != nil {
		return time.Time{}, err
	}
	return atMillis(r.number(0)), nil
}

// elapseLimit is how much one step of Elapse does; the rest is due at once again.
const elapseLimit = 100
