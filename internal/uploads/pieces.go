package uploads

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/enrol"
	"github.com/hallcall/hallcall/internal/hall"
)

// pieceBytes is how much of a part is one value in Redis.
const pieceBytes = 512 << 10

// pieceWriter writes a part in sealed pieces. The pieces count once their number is written.
type pieceWriter struct {
	ctx    context.Context //nolint:containedctx // of one write, which ends with it
	client redis.Cmdable
	key    string
	part   string
	seal   seal
	buffer []byte
	n      int
}

func (w *pieceWriter) Write(data []byte) (int, error) {
	total := len(data)
	for len(data) > 0 {
		fits := min(len(data), pieceBytes-len(w.buffer))
		w.buffer, data = append(w.buffer, data[:fits]...), data[fits:]
		if len(w.buffer) == pieceBytes {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	return total, nil
}

// flush writes what is in the buffer; the first piece sets when all of it ends.
func (w *pieceWriter) flush() error {
	field := pieceField(w.part, w.n)
	_, err := w.client.TxPipelined(w.ctx, func(p redis.Pipeliner) error {
		p.HSet(w.ctx, w.key, field, w.seal.close(field, w.buffer))
		p.Expire(w.ctx, w.key, lifetime)
		return nil
	})
	w.n, w.buffer = w.n+1, w.buffer[:0]
	return failed("upload", err)
}

func pieceField(part string, n int) string { return part + ":" + strconv.Itoa(n) }

// writePart compresses, seals and writes a part.
func (u *Uploads) writePart(ctx context.Context, key, part string, s seal, data []byte) error {
	w := &pieceWriter{ctx: ctx, client: u.client, key: key, part: part, seal: s}
	packed, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	if _, err := packed.Write(data); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	return failed("upload", u.client.HSet(ctx, key, part, w.n).Err())
}

// pieceReader reads a part piece by piece.
type pieceReader struct {
	ctx    context.Context //nolint:containedctx // of one read, which ends with it
	client redis.Cmdable
	key    string
	part   string
	seal   seal
	rest   []byte
	n, all int
}

func (r *pieceReader) Read(data []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.n == r.all {
			return 0, io.EOF
		}
		field := pieceField(r.part, r.n)
		sealed, err := r.client.HGet(r.ctx, r.key, field).Bytes()
		if errors.Is(err, redis.Nil) {
			return 0, enrol.ErrGone
		}
		if err != nil {
			return 0, failed("upload", err)
		}
		if r.rest, err = r.seal.open(field, sealed); err != nil {
			return 0, err
		}
		r.n++
	}
	n := copy(data, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// readPart reads a part as it was written; enrol.ErrGone if it is not there.
func (u *Uploads) readPart(ctx context.Context, key, part string, s seal) ([]byte, error) {
	all, err := u.client.HGet(ctx, key, part).Int()
	if errors.Is(err, redis.Nil) {
		return nil, enrol.ErrGone
	}
	if err != nil {
		return nil, failed("upload", err)
	}
	packed, err := gzip.NewReader(&pieceReader{ctx: ctx, client: u.client, key: key, part: part, seal: s, all: all})
	if err != nil {
		return nil, fmt.Errorf("upload: %w", err)
	}
	data, err := io.ReadAll(packed)
	if err != nil {
		return nil, fmt.Errorf("upload: %w", err)
	}
	return data, nil
}

// failed wraps an error of Redis.
func failed(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %w: %w", what, hall.ErrUnavailable, err)
}
