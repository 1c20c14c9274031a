package uploads_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/enrol"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/internal/uploads"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

// each runs a test on a real Redis and on the in-process one.
func each(t *testing.T, test func(b *bundle)) {
	t.Helper()
	for name, open := range map[string]func(testing.TB) (redis.UniversalClient, string){"redis": redistest.Client, "memory": redistest.Memory} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := open(t)
			test(&bundle{T: t, Uploads: uploads.New(client, prefix), client: client, prefix: prefix})
		})
	}
}

type bundle struct {
	*testing.T
	*uploads.Uploads

	client redis.UniversalClient
	prefix string
}

func (b *bundle) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bundle) keep(file string) string {
	b.Helper()
	id, err := b.Keep(b.Context(), "h {1}", []byte(file), []byte("about "+file), []byte("0 of "+file))
	b.must(err)
	return id
}

// is checks how an upload stands; "" for one that is gone.
func (b *bundle) is(id string, state enrol.State, progress string) {
	b.Helper()
	status, err := b.Status(b.Context(), "h {1}", id)
	if state == "" && errors.Is(err, enrol.ErrGone) {
		return
	}
	if err != nil || status.State != state || string(status.Progress) != progress {
		b.Errorf("%s is %+v (%v), want %s, %q", id, status, err, state, progress)
	}
}

// stored are all keys of the test with all that is in them.
func (b *bundle) stored() string {
	b.Helper()
	var all strings.Builder
	names, err := b.client.Keys(b.Context(), strings.NewReplacer("[", `\[`, "(", `\(`).Replace(b.prefix)+"*").Result()
	b.must(err)
	for _, name := range names {
		fmt.Fprintln(&all, name)
		if fields, err := b.client.HGetAll(b.Context(), name).Result(); err == nil {
			for field, value := range fields {
				fmt.Fprintln(&all, field, value)
			}
		}
	}
	return all.String()
}

func TestUploads(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle) {
		ctx := b.Context()
		big := make([]byte, 3<<20) // of several pieces, and nothing can be packed
		_, _ = rand.Read(big)
		id := b.keep(string(big))
		b.is(id, enrol.Waiting, "0 of "+string(big))
		file, err := b.File(ctx, "h {1}", id)
		b.must(err)
		about, err := b.About(ctx, "h {1}", id)
		b.must(err)
		if !bytes.Equal(file, big) || !bytes.Equal(about, append([]byte("about "), big...)) {
			b.Error("the file is another one")
		}
		take := func(node string, want bool) {
			b.Helper()
			if mine, err := b.Take(ctx, "h {1}", id, node, time.Minute); err != nil || mine != want {
				b.Errorf("%s takes it: %v, %v, want %v", node, mine, err, want)
			}
		}
		renew := func(node string, length time.Duration, want bool) {
			b.Helper()
			if mine, err := b.Renew(ctx, "h {1}", id, node, length, []byte("5")); err != nil || mine != want {
				b.Errorf("%s renews it: %v, %v, want %v", node, mine, err, want)
			}
		}
		take("a", true)
		take("a", false) // a double click
		take("b", false)
		b.must(b.Drop(ctx, "h {1}", id)) // not while a node is at it
		renew("b", time.Minute, false)
		renew("a", time.Minute, true)
		b.is(id, enrol.Taken, "5")
		renew("a", 0, true) // given back
		b.is(id, enrol.Left, "5")
		take("b", true)
		renew("a", time.Minute, false)
		finish := func(node string, want bool) {
			b.Helper()
			if mine, err := b.Finish(ctx, "h {1}", id, node, []byte("it is done"), []byte("9")); err != nil || mine != want {
				b.Errorf("%s finishes it: %v, %v, want %v", node, mine, err, want)
			}
		}
		finish("a", false)
		finish("b", true)
		finish("b", false)
		take("a", false)
		b.is(id, enrol.Over, "9")
		if _, err := b.File(ctx, "h {1}", id); !errors.Is(err, enrol.ErrGone) {
			b.Errorf("the file is still there: %v", err)
		}
		if about, err = b.About(ctx, "h {1}", id); err != nil || string(about) != "it is done" {
			b.Errorf("what became of it: %q, %v", about, err)
		}
		if left := len(b.stored()); left > 2000 {
			b.Errorf("%d bytes are left", left)
		}
		b.must(b.Drop(ctx, "h {1}", id))
		b.is(id, "", "")
	})
}

// TestNobodyReadsWhatIsStored has only the id open an upload, and only for its hall.
func TestNobodyReadsWhatIsStored(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle) {
		ctx := b.Context()
		text := []byte(strings.Repeat("Ann Lee, 999999196609016033\n", 1000))
		id, err := b.Keep(ctx, "h {1}", text, text, []byte("nothing of it"))
		b.must(err)
		stored := b.stored()
		if !strings.Contains(stored, "nothing of it") {
			b.Fatalf("Redis has %q", stored)
		}
		for _, secret := range []string{"Ann Lee", "196609016033", id, strings.ToLower(id)} {
			if strings.Contains(stored, secret) {
				b.Errorf("Redis has %q", secret)
			}
		}
		other := b.keep("other")
		for _, c := range [][2]string{{"h", id}, {"h {1}", "AAAAAAAAAAAAAAAAAAAAAAAAAA"}, {"h {1}", ""}, {"h {1}", strings.ToLower(id)}, {"h {1}", id + "\n"}, {"h {1}", "*"}} {
			if _, err := b.File(ctx, c[0], c[1]); !errors.Is(err, enrol.ErrGone) {
				b.Errorf("%q of %s: %v", c[1], c[0], err)
			}
			if _, err := b.Take(ctx, c[0], c[1], "n", time.Minute); !errors.Is(err, enrol.ErrGone) {
				b.Errorf("%q of %s is taken: %v", c[1], c[0], err)
			}
			if err := b.Drop(ctx, c[0], c[1]); !errors.Is(err, enrol.ErrGone) {
				b.Errorf("%q of %s is dropped: %v", c[1], c[0], err)
			}
		}
		b.is(other, enrol.Waiting, "0 of other")
	})
}

// TestUploadsEndByTime has every key of an upload end by itself.
func TestUploadsEndByTime(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle) {
		b.keep("file")
		names, err := b.client.Keys(b.Context(), "*}:upload*").Result()
		b.must(err)
		own := 0
		for _, name := range names {
			if !strings.HasPrefix(name, b.prefix) {
				continue
			}
			own++
			left, err := b.client.TTL(b.Context(), name).Result()
			if err != nil || left <= 0 || left > 2*time.Hour {
				b.Errorf("%s ends in %s (%v)", name, left, err)
			}
		}
		if own != 2 {
			b.Errorf("%d keys: %v", own, names)
		}
	})
}

// TestAHallKeepsAFew has the oldest make room, but none that a node is at.
func TestAHallKeepsAFew(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle) {
		var ids []string
		for i := range 7 {
			ids = append(ids, b.keep(strconv.Itoa(i)))
			if i == 0 {
				if _, err := b.Take(b.Context(), "h {1}", ids[0], "n", time.Minute); err != nil {
					b.Fatal(err)
				}
			}
		}
		there := 0
		for _, id := range ids {
			if _, err := b.Status(context.Background(), "h {1}", id); err == nil {
				there++
			}
		}
		if there != 5 {
			b.Errorf("%d uploads are kept", there)
		}
		b.is(ids[0], enrol.Taken, "0 of 0")
		b.is(ids[6], enrol.Waiting, "0 of 6")
	})
}
