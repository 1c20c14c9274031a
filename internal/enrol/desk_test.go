package enrol_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/enrol"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/internal/uploads"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

const (
	hallID   = "h"
	patience = 30 * time.Second
)

// steps is a store in which something happens at the steps of an import.
type steps struct {
	hall.Store

	n  atomic.Int32
	at func(ctx context.Context, n int, take func() (hall.RosterResult, error)) (hall.RosterResult, error)
}

func (s *steps) PutRosterOf(ctx context.Context, id string, day int, rows []hall.RosterRow, by hall.Caller) (hall.RosterResult, error) {
	n := int(s.n.Add(1))
	take := func() (hall.RosterResult, error) { return s.Store.PutRosterOf(ctx, id, day, rows, by) }
	if s.at == nil {
		return take()
	}
	return s.at(ctx, n, take)
}

type bundle struct {
	*testing.T

	store   *steps
	uploads *uploads.Uploads
	desk    *enrol.Desk
	layout  hall.Layout
}

func setup(t *testing.T) *bundle {
	t.Helper()
	client, prefix := redistest.Client(t)
	b := &bundle{T: t, store: &steps{Store: hallredis.New(client, hallredis.Options{Prefix: prefix})}, uploads: uploads.New(client, prefix)}
	b.layout = halltest.Layout("one", "two", "three")
	if _, _, err := b.store.PutHall(t.Context(), hallID, b.layout, "", hall.System); err != nil {
		t.Fatal(err)
	}
	b.desk = b.newDesk()
	return b
}

func (b *bundle) newDesk() *enrol.Desk {
	b.Helper()
	desk := enrol.NewDesk(b.store, b.uploads, slog.New(slog.DiscardHandler))
	b.Cleanup(func() { b.stop(desk) })
	return desk
}

func (b *bundle) stop(desk *enrol.Desk) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := desk.Stop(ctx); err != nil {
		b.Error(err)
	}
}

// receive sends a file of n rows, of which each has subject 1.
func (b *bundle) receive(n int) (id string) {
	b.Helper()
	var text strings.Builder
	text.WriteString("candidate_id,subjects\n")
	for i := range n {
		fmt.Fprintf(&text, "%06d,1\n", i)
	}
	return b.receiveText(text.String())
}

func (b *bundle) receiveText(text string) (id string) {
	b.Helper()
	id, err := b.desk.Receive(b.Context(), hallID, "roster.csv", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	return id
}

// imports runs an import to its end.
func (b *bundle) imports(desk *enrol.Desk, id string) enrol.Paper {
	b.Helper()
	done, err := desk.Import(b.Context(), hallID, id, "anna")
	if err != nil {
		b.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(patience):
		b.Fatal("the import does not end")
	}
	return b.paper(id)
}

func (b *bundle) paper(id string) enrol.Paper {
	b.Helper()
	paper, err := b.desk.Paper(b.Context(), hallID, id)
	if err != nil {
		b.Fatal(err)
	}
	return paper
}

// is checks the state of an upload, how many rows are taken, and the numbers of its result.
func (b *bundle) is(paper enrol.Paper, state enrol.State, taken, created, unchanged int) {
	b.Helper()
	r := paper.Result
	if paper.State != state || paper.Progress.Taken != taken || r.Created != created || r.Unchanged != unchanged {
		b.Errorf("%s, %d rows taken, %d created, %d unchanged; want %s, %d, %d, %d",
			paper.State, paper.Progress.Taken, r.Created, r.Unchanged, state, taken, created, unchanged)
	}
}

func (b *bundle) onRoster(want int) {
	b.Helper()
	list, err := b.store.Candidates(b.Context(), hallID, hall.CandidateFilter{}, hall.Page{Number: 1, Size: 1})
	if err != nil || list.Total != want {
		b.Errorf("%d candidates on the roster (%v), want %d", list.Total, err, want)
	}
}

func TestImportInSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.receive(11_000)
	b.is(b.paper(id), enrol.Waiting, 0, 11_000, 0)
	b.onRoster(0)
	b.is(b.imports(b.desk, id), enrol.Over, 11_000, 11_000, 0)
	b.onRoster(11_000)
	if n := b.store.n.Load(); n != 3 {
		t.Errorf("%d steps", n)
	}
	b.is(b.imports(b.newDesk(), id), enrol.Over, 11_000, 11_000, 0) // pressed again, on another node
	if n := b.store.n.Load(); n != 3 {
		t.Errorf("%d steps after the second time", n)
	}
}

// TestImportGoesOn loses the answer of a step, and the node with it: another
// node goes on, and says what was done in all.
func TestImportGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.receive(11_000)
	b.store.at = func(_ context.Context, n int, take func() (hall.RosterResult, error)) (hall.RosterResult, error) {
		r, err := take()
		if n == 2 {
			return hall.RosterResult{}, hall.ErrUnavailable // it was done all the same
		}
		return r, err
	}
	left := b.imports(b.desk, id)
	if left.State != enrol.Left || left.Progress.Taken != 5000 {
		t.Fatalf("%s after %d rows", left.State, left.Progress.Taken)
	}
	b.onRoster(10_000)
	b.is(b.imports(b.newDesk(), id), enrol.Over, 11_000, 11_000, 0)
	b.onRoster(11_000)
}

// TestStopLeavesTheRest stops the node between two steps.
func TestStopLeavesTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.receive(11_000)
	reached := make(chan struct{})
	b.store.at = func(ctx context.Context, n int, take func() (hall.RosterResult, error)) (hall.RosterResult, error) {
		if n == 2 {
			close(reached)
			<-ctx.Done()
			return hall.RosterResult{}, ctx.Err()
		}
		return take()
	}
	done, err := b.desk.Import(t.Context(), hallID, id, "anna")
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	if paper := b.paper(id); paper.State != enrol.Taken || paper.Progress.Taken != 5000 {
		t.Errorf("meanwhile: %s, %d rows", paper.State, paper.Progress.Taken)
	}
	b.stop(b.desk)
	<-done
	if paper := b.paper(id); paper.State != enrol.Left || paper.Progress.Taken != 5000 {
		t.Errorf("afterwards: %s, %d rows", paper.State, paper.Progress.Taken)
	}
	if _, err := b.desk.Import(t.Context(), hallID, id, "anna"); !errors.Is(err, hall.ErrUnavailable) {
		t.Errorf("a node that stopped imports: %v", err)
	}
	b.is(b.imports(b.newDesk(), id), enrol.Over, 11_000, 11_000, 0)
}

func TestDayClosedInBetween(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.receive(3), b.receive(11_000)
	b.store.at = func(_ context.Context, n int, take func() (hall.RosterResult, error)) (hall.RosterResult, error) {
		if n == 2 {
			if _, err := b.store.CloseDay(t.Context(), hallID, "", hall.System); err != nil {
				t.Error(err)
			}
		}
		return take()
	}
	paper := b.imports(b.desk, second)
	b.is(paper, enrol.Over, 5000, 5000, 0)
	if !strings.Contains(paper.Progress.Stopped, "has been closed") {
		t.Errorf("it stopped: %q", paper.Progress.Stopped)
	}
	b.onRoster(0)
	if _, err := b.desk.Import(t.Context(), hallID, first, "anna"); !errors.Is(err, enrol.ErrOtherDay) {
		t.Errorf("a roster of yesterday: %v", err)
	}
	if _, err := b.desk.Paper(t.Context(), hallID, first); !errors.Is(err, enrol.ErrOtherDay) {
		t.Errorf("a roster of yesterday: %v", err)
	}
}

// TestDayOpenedInBetween loads a roster while its day is prepared.
func TestDayOpenedInBetween(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.store.CloseDay(t.Context(), hallID, "", hall.System); err != nil {
		t.Fatal(err)
	}
	id := b.receive(3)
	if _, err := b.store.OpenDay(t.Context(), hallID, hall.System); err != nil {
		t.Fatal(err)
	}
	b.is(b.imports(b.desk, id), enrol.Over, 3, 3, 0)
	b.onRoster(3)
}

// TestLayoutChangedInBetween has a subject more by the time of the import: the
// result says what was done, not what was foreseen.
func TestLayoutChangedInBetween(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.receiveText("candidate_id,subjects\n1,1\n2,9\n")
	if paper := b.paper(id); paper.Result.Created != 1 || len(paper.Result.Rejected) != 1 {
		t.Errorf("foreseen: %+v", paper.Result)
	}
	b.layout.Subjects = append(b.layout.Subjects, hall.Subject{Code: "9", Minutes: 1})
	b.layout.Models[0].Subjects = append(b.layout.Models[0].Subjects, "9")
	if _, _, err := b.store.PutHall(t.Context(), hallID, b.layout, "", hall.System); err != nil {
		t.Fatal(err)
	}
	paper := b.imports(b.desk, id)
	b.is(paper, enrol.Over, 2, 2, 0)
	if len(paper.Result.Rejected) != 0 || paper.By != "anna" {
		t.Errorf("done: %+v", paper.About)
	}
}

// TestManyPressImport has the same file imported by many at once.
func TestManyPressImport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.receive(6000)
	var ended []<-chan struct{}
	for range 4 {
		desk := b.newDesk()
		for range 3 {
			done, err := desk.Import(t.Context(), hallID, id, "anna")
			if err != nil {
				t.Fatal(err)
			}
			ended = append(ended, done)
		}
	}
	for _, done := range ended {
		<-done
	}
	b.is(b.paper(id), enrol.Over, 6000, 6000, 0)
	if n := b.store.n.Load(); n != 2 {
		t.Errorf("%d steps", n)
	}
}
