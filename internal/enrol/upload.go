package enrol

import (
	"context"
	"errors"
	"time"
)

// ErrGone says that there is no such upload, or no more.
var ErrGone = errors.New("enrol: there is no such upload")

// State says what happens to an upload.
type State string

// The states of an upload.
const (
	Waiting State = "waiting" // for somebody to say that it shall be taken
	Taken   State = "taken"   // a node is at it
	Left    State = "left"    // the node that was at it is not any more
	Over    State = "over"    // its file is erased; what became of it is kept for a while
)

// Status is an upload without what is in it. Progress is what whoever takes it
// says about it: nothing about people.
type Status struct {
	State    State
	Progress []byte
}

// Uploads keep files for a while where every node finds them. Methods return
// ErrGone for an id that nobody was given, for another hall's, and for what is erased.
type Uploads interface {
	// Keep keeps a file for a hall with what is to be said about it, and returns
	// an id that nobody can guess.
	Keep(ctx context.Context, hallID string, file, about, progress []byte) (id string, err error)
	// Status says how an upload stands.
	Status(ctx context.Context, hallID, id string) (Status, error)
	// File returns the file, About what is to be said about it: what Keep was
	// told, once it is over what Finish was told.
	File(ctx context.Context, hallID, id string) ([]byte, error)
	About(ctx context.Context, hallID, id string) ([]byte, error)
	// Take gives an upload to a node for a while, if it is Waiting or Left.
	Take(ctx context.Context, hallID, id, node string, length time.Duration) (mine bool, err error)
	// Renew keeps it for the node that has it and, unless progress is empty, what
	// it says. A length of 0 leaves it to another node.
	Renew(ctx context.Context, hallID, id, node string, length time.Duration, progress []byte) (mine bool, err error)
	// Finish erases the file and what was to be said about it, and keeps what
	// became of it.
	Finish(ctx context.Context, hallID, id, node string, about, progress []byte) (mine bool, err error)
	// Drop erases an upload, unless a node is at it.
	Drop(ctx context.Context, hallID, id string) error
}
