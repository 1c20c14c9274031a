package uploads

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/enrol"
)

const (
	// lifetime is how long an upload is kept after the last that was done with it.
	lifetime        = time.Hour
	lifetimeSeconds = int64(lifetime / time.Second)

	// kept is how many uploads a hall has at a time: the oldest that is not
	// being taken makes room for a new one.
	kept = 5
)

// Uploads are the files that this site has for a while.
type Uploads struct {
	client redis.UniversalClient
	prefix string
}

var _ enrol.Uploads = (*Uploads)(nil)

// New returns the uploads of the site whose keys begin with prefix.
func New(client redis.UniversalClient, prefix string) *Uploads {
	return &Uploads{client: client, prefix: cmp.Or(prefix, DefaultPrefix)}
}

//go:embed lua
var luaFiles embed.FS

var (
	keepScript   = newScript("keep")
	claimScript  = newScript("claim")
	renewScript  = newScript("renew")
	finishScript = newScript("finish")
	dropScript   = newScript("drop")
)

func newScript(name string) *redis.Script {
	text, err := luaFiles.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // the files are embedded: a wrong name cannot pass the first test
	}
	return redis.NewScript(string(text))
}

// upload is one of them, by its id.
type upload struct {
	keys
	name string
	seal seal
}

func (o upload) key() string { return o.upload(o.name) }

// find works out where an upload is; enrol.ErrGone for an id that is none.
func (u *Uploads) find(hallID, id string) (upload, error) {
	if !ids.MatchString(id) {
		return upload{}, enrol.ErrGone
	}
	s, err := newSeal(hallID, id)
	return upload{keysOf(u.prefix, hallID), nameOf(hallID, id), s}, err
}

// The parts of an upload.
const (
	partFile  = "file"
	partAbout = "about"
	partOver  = "over" // in place of both, once it is over
)

// Keep implements enrol.Uploads.
func (u *Uploads) Keep(ctx context.Context, hallID string, file, about, progress []byte) (id string, err error) {
	id = rand.Text()
	o, err := u.find(hallID, id)
	if err != nil {
		return "", err
	}
	if err := u.writePart(ctx, o.key(), partFile, o.seal, file); err != nil {
		return "", err
	}
	if err := u.writePart(ctx, o.key(), partAbout, o.seal, about); err != nil {
		return "", err
	}
	err = keepScript.Run(ctx, u.client, []string{o.list(), o.key()}, o.name, progress, kept, lifetimeSeconds, o.upload("")).Err()
	return id, failed("keep upload", err)
}

// Status implements enrol.Uploads.
func (u *Uploads) Status(ctx context.Context, hallID, id string) (enrol.Status, error) {
	o, err := u.find(hallID, id)
	if err != nil {
		return enrol.Status{}, err
	}
	var found *redis.SliceCmd
	var now *redis.TimeCmd
	_, err = u.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		found, now = p.HMGet(ctx, o.key(), "state", "progress", "until"), p.Time(ctx)
		return nil
	})
	if err != nil {
		return enrol.Status{}, failed("upload", err)
	}
	return statusOf(found.Val(), now.Val())
}

func statusOf(fields []any, now time.Time) (enrol.Status, error) {
	state, ok := fields[0].(string)
	if !ok {
		return enrol.Status{}, enrol.ErrGone
	}
	status := enrol.Status{State: enrol.State(state)}
	if progress, ok := fields[1].(string); ok {
		status.Progress = []byte(progress)
	}
	if until, _ := fields[2].(string); status.State == enrol.Taken && expired(until, now) {
		status.State = enrol.Left
	}
	return status, nil
}

// expired reports whether a time in milliseconds is over.
func expired(until string, now time.Time) bool {
	var ms int64
	_, err := fmt.Sscan(until, &ms)
	return err != nil || ms <= now.UnixMilli()
}

// File implements enrol.Uploads.
func (u *Uploads) File(ctx context.Context, hallID, id string) ([]byte, error) {
	return u.part(ctx, hallID, id, partFile)
}

// About implements enrol.Uploads.
func (u *Uploads) About(ctx context.Context, hallID, id string) ([]byte, error) {
	about, err := u.part(ctx, hallID, id, partAbout)
	if errors.Is(err, enrol.ErrGone) {
		return u.part(ctx, hallID, id, partOver)
	}
	return about, err
}

func (u *Uploads) part(ctx context.Context, hallID, id, part string) ([]byte, error) {
	o, err := u.find(hallID, id)
	if err != nil {
		return nil, err
	}
	return u.readPart(ctx, o.key(), part, o.seal)
}

// Take implements enrol.Uploads.
func (u *Uploads) Take(ctx context.Context, hallID, id, node string, length time.Duration) (mine bool, err error) {
	return u.run(ctx, "take upload", claimScript, hallID, id, node, length.Milliseconds(), lifetimeSeconds)
}

// Renew implements enrol.Uploads.
func (u *Uploads) Renew(ctx context.Context, hallID, id, node string, length time.Duration, progress []byte) (mine bool, err error) {
	return u.run(ctx, "renew upload", renewScript, hallID, id, node, length.Milliseconds(), lifetimeSeconds, progress)
}

// Finish implements enrol.Uploads. What became of it is written first: until the
// last step says that it counts, it is only more of what will be erased.
func (u *Uploads) Finish(ctx context.Context, hallID, id, node string, about, progress []byte) (mine bool, err error) {
	o, err := u.find(hallID, id)
	if err != nil {
		return false, err
	}
	if err := u.writePart(ctx, o.key(), partOver, o.seal, about); err != nil {
		return false, err
	}
	return u.run(ctx, "finish upload", finishScript, hallID, id, node, lifetimeSeconds, progress)
}

// Drop implements enrol.Uploads.
func (u *Uploads) Drop(ctx context.Context, hallID, id string) error {
	_, err := u.run(ctx, "drop upload", dropScript, hallID, id)
	return err
}

// run runs a script on one upload. It answers 1, 0, or -1 for one that is gone.
func (u *Uploads) run(ctx context.Context, what string, script *redis.Script, hallID, id string, args ...any) (bool, error) {
	o, err := u.find(hallID, id)
	if err != nil {
		return false, err
	}
	answer, err := script.Run(ctx, u.client, []string{o.list(), o.key()}, append([]any{o.name}, args...)...).Int()
	switch {
	case err != nil:
		return false, failed(what, err)
	case answer < 0:
		return false, enrol.ErrGone
	}
	return answer == 1, nil
}
