package hallredis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallfile"
)

// backups is how often BackupHall begins anew when a day is closed, or a closed one
// is changed, while it reads.
const backups = 10

// quietBackups is how often it hopes that no command comes in between.
const quietBackups = 2

// patience is how long Redis may take to answer with a whole hall.
const patience = time.Minute

// errChangedMeanwhile says that what was read is not of one instant.
var errChangedMeanwhile = errors.New("changed while it was read")

// BackupHall writes all of a hall as it is at one instant into an empty file: see
// package hallfile. Commands go on meanwhile. Redis is held up as little as may be:
// what does not change any more is read bit by bit, and so is what is large, for as
// long as no command comes in between; then that is read in one transaction with
// the rest. Figures are left out, since they can be made anew from the events;
// program is the version that the file says. CodeUnknownHall.
func (s *Store) BackupHall(ctx context.Context, id, program string, file *os.File) (hallfile.Summary, error) {
	for n := range backups {
		summary, err := s.backup(ctx, id, program, file, n < quietBackups)
		if errors.Is(err, redis.TxFailedErr) || errors.Is(err, errChangedMeanwhile) {
			continue
		}
		return summary, err
	}
	return hallfile.Summary{}, fmt.Errorf("backup of hall %s: %w: again and again", id, errChangedMeanwhile)
}

// patient is the client with more time for an answer.
func (s *Store) patient() redis.UniversalClient {
	if c, ok := s.client.(*redis.Client); ok {
		return c.WithTimeout(patience)
	}
	return s.client
}

// backup writes the file once: errChangedMeanwhile and redis.TxFailedErr ask for
// another time. quiet is for a hall in which nothing happens meanwhile.
func (s *Store) backup(ctx context.Context, id, program string, file *os.File, quiet bool) (hallfile.Summary, error) {
	now, err := s.Now(ctx)
	if err != nil {
		return hallfile.Summary{}, err
	}
	if err := errors.Join(file.Truncate(0), rewind(file)); err != nil {
		return hallfile.Summary{}, err
	}
	w, err := hallfile.NewWriter(file, hallfile.Header{Program: program, Hall: id, At: now})
	if err != nil {
		return hallfile.Summary{}, err
	}
	b := &backup{store: s, keys: keysOf(s.prefix, id), now: now, w: w, quiet: quiet}
	if err := b.find(ctx); err != nil {
		return hallfile.Summary{}, err
	}
	watched := []string{b.keys.days()}
	for _, names := range b.closed {
		watched = append(watched, names...)
	}
	if quiet {
		watched = append(watched, b.keys.large()...)
	}
	// The transaction at the end fails if any of these is another one by then.
	if err := s.patient().Watch(ctx, func(tx *redis.Tx) error { return b.read(ctx, tx) }, watched...); err != nil {
		return hallfile.Summary{}, b.failed(err)
	}
	return b.summary, w.Close(b.summary)
}

func rewind(file io.Seeker) error {
	_, err := file.Seek(0, io.SeekStart)
	return err
}

// backup is one attempt.
type backup struct {
	store  *Store
	keys   keys
	now    time.Time
	w      *hallfile.Writer
	quiet  bool       // what is large is read bit by bit
	number string     // of the present day
	set    string     // of the subjects of the present day
	days   []string   // the closed ones
	closed [][]string // keys of each of them

	summary hallfile.Summary
}

func (b *backup) failed(err error) error {
	if errors.Is(err, redis.TxFailedErr) || errors.Is(err, errChangedMeanwhile) || hall.CodeOf(err) != "" {
		return err
	}
	return b.store.failed("backup", err)
}

// find finds out which days and subjects there are.
func (b *backup) find(ctx context.Context) error {
	client := b.store.client
	fields, err := client.HMGet(ctx, b.keys.hall(), "layout", "dayNumber", "subjects").Result()
	if err != nil {
		return b.store.failed("hall", err)
	}
	if fields[0] == nil {
		return outcomeUnknownHall.refusal("hall", nil)
	}
	b.number, b.set = reply(fields).text(1), reply(fields).text(2)
	if b.days, err = client.ZRange(ctx, b.keys.days(), 0, -1).Result(); err != nil {
		return b.store.failed("days", err)
	}
	for _, day := range b.days {
		set, err := client.HGet(ctx, b.keys.ofDay(day).hall(), "subjects").Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return b.store.failed("days", err)
		}
		b.closed = append(b.closed, b.keys.archive(day, subjectsOf(set)))
	}
	b.summary.ClosedDays = len(b.days)
	return nil
}

// read reads and writes everything: closed days and the events so far bit by
// bit, then the rest in one step, with the events since.
func (b *backup) read(ctx context.Context, tx *redis.Tx) error {
	for _, names := range b.closed {
		for _, name := range names {
			if err := b.copyKey(ctx, tx, name); err != nil {
				return err
			}
		}
	}
	if b.quiet {
		for _, name := range b.keys.large() {
			if err := b.copyKey(ctx, tx, name); err != nil {
				return err
			}
		}
	}
	b.begin(b.keys.events())
	last, err := b.copyStream(ctx, tx, b.keys.events())
	if err != nil {
		return err
	}
	rest, err := b.readRest(ctx, tx, last)
	if err != nil {
		return err
	}
	return b.writeRest(rest)
}
