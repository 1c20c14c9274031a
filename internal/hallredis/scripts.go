package hallredis

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

//go:embed lua
var luaFiles embed.FS

// The parts that every script consists of: the shared ones before and after
// the operation itself.
var (
	luaBefore = []string{"lib/day", "lib/undo", "lib/alerts", "lib/order", "lib/line", "lib/machines", "lib/dispatch", "lib/days", "lib/incidents", "lib/sittings", "lib/reading"}
	luaAfter  = []string{"lib/answer"}
)

// script is one operation.
type script struct {
	name string
	lua  *redis.Script
}

// newScript has parts that only this operation needs.
func newScript(name string, parts ...string) *script {
	return &script{name: name, lua: redis.NewScript(luaSource(name, parts...))}
}

// luaSource puts a script together. The operation stands in a function of its
// own, since Lua allows 200 local names in one.
func luaSource(name string, parts ...string) string {
	var source strings.Builder
	add := func(parts ...string) {
		for _, part := range parts {
			text, err := luaFiles.ReadFile("lua/" + part + ".lua")
			if err != nil {
				panic(err) // the files are embedded: a wrong name cannot pass the first test
			}
			source.Write(text)
			source.WriteByte('\n')
		}
	}
	add(luaBefore...)
	source.WriteString("local operation = (function()\n")
	add(append(parts, name)...)
	source.WriteString("return operation end)()\n")
	add(luaAfter...)
	return source.String()
}

var (
	dayClose         = newScript("day_close")
	dayOpen          = newScript("day_open")
	dayErase         = newScript("day_erase")
	hallBackup       = newScript("hall_backup")
	hallPut          = newScript("hall_put")
	hallPause        = newScript("hall_pause")
	hallRestore      = newScript("hall_restore")
	hallResume       = newScript("hall_resume")
	hallCheckIn      = newScript("hall_check_in")
	rosterPut        = newScript("roster_put")
	candidateCheckIn = newScript("candidate_check_in")
	candidateEntry   = newScript("candidate_entry")
	candidateLeave   = newScript("candidate_leave")
	candidateHold    = newScript("candidate_hold")
	candidateReturn  = newScript("candidate_return")
	candidateRestore = newScript("candidate_restore")
	candidateClass   = newScript("candidate_class")
	candidateNote    = newScript("candidate_note")
	incidentOpen     = newScript("incident_open")
	recordCorrect    = newScript("record_correct")
	phoneEntries     = newScript("phone_entries")
	queueNext        = newScript("queue_next")
	queueCall        = newScript("queue_call")
	queueRead        = newScript("queue_read")
	queueEntries     = newScript("queue_entries")
	queueStatistics  = newScript("queue_statistics")
	sittingSeat      = newScript("sitting_seat")
	sittingEnd       = newScript("sitting_end")
	sittingRecall    = newScript("sitting_recall")
	sittingNoShow    = newScript("sitting_no_show")
	sittingAbort     = newScript("sitting_abort")
	sittingTransfer  = newScript("sitting_transfer")
	machineState     = newScript("machine_state")
	undo             = newScript("undo")
	elapse           = newScript("elapse", "lib/watch")
	eventAppend      = newScript("event_append")
	screensReport    = newScript("screens_report")
	outageRecord     = newScript("outage_record")
	snapshot         = newScript("snapshot")
)

// run executes a script for a hall and returns what follows the outcome in its
// reply. Outcomes below zero become domain errors.
func (s *Store) run(ctx context.Context, sc *script, hallID string, by hall.Caller, args ...any) (outcome, reply, error) {
	return s.runAt(ctx, s.nowMillis(), sc, hallID, by, args...)
}

// runAt runs a script at a time in milliseconds, 0 for that of Redis.
func (s *Store) runAt(ctx context.Context, now int64, sc *script, hallID string, by hall.Caller, args ...any) (outcome, reply, error) {
	return s.runCommand(ctx, sc, hallID, by, &command{now: now, args: args})
}

// command is one run of a script.
type command struct {
	now  int64    // milliseconds, 0 for the time of Redis
	args []any    // what the caller said: the same again is the same command
	own  []any    // what the store adds to it, which may be another the second time
	keys []string // declared beside those that every script gets
}

func (s *Store) runCommand(ctx context.Context, sc *script, hallID string, by hall.Caller, c *command) (outcome, reply, error) {
	k := keysOf(s.prefix, hallID)
	once, fingerprint := k.once("", ""), ""
	if by.Key != "" {
		once, fingerprint = k.once(by.By, by.Key), fingerprintOf(sc.name, c.args)
	}
	argv := slices.Concat([]any{c.now, by.By, "PUBLISH", fingerprint}, c.args, c.own)
	answer, err := sc.lua.Run(ctx, s.client, append(k.scripted(once), c.keys...), argv...).Slice()
	if err != nil {
		return 0, nil, s.failed(sc.name, err)
	}
	code, ok := answer[0].(int64)
	if !ok {
		return 0, nil, fmt.Errorf("script %s: answered %v", sc.name, answer)
	}
	if code < 0 {
		return 0, nil, outcome(code).refusal(sc.name, answer[1:])
	}
	return outcome(code), answer[1:], nil
}

// fingerprintOf tells commands with the same idempotency key apart.
func fingerprintOf(name string, args []any) string {
	sum := sha256.Sum256([]byte(name + fmt.Sprintf("%q", args)))
	return hex.EncodeToString(sum[:16])
}

// passing lists the beginnings of error replies that say "not now".
var passing = []string{"LOADING", "MASTERDOWN", "READONLY", "CLUSTERDOWN", "TRYAGAIN", "MISCONF", "NOREPLICAS", "OOM", "BUSY"}

// failed wraps an error of the client or of Redis: what may pass by itself is
// hall.ErrUnavailable, a bug is not.
func (s *Store) failed(what string, err error) error {
	var fromRedis redis.Error
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: %w", what, err)
	}
	if errors.As(err, &fromRedis) {
		for _, beginning := range passing {
			if strings.HasPrefix(err.Error(), beginning) {
				return fmt.Errorf("%s: %w: %w", what, hall.ErrUnavailable, err)
			}
		}
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %w: %w", what, hall.ErrUnavailable, err)
}
