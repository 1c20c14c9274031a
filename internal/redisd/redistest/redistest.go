// Package redistest gives tests a Redis: one private redis-server for the whole
// test binary, with a prefix of its own for every test, or an in-process
// server. Tests may run in parallel.
package redistest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"go.uber.org/goleak"
)

// shared is the redis-server of this test binary, started by the first test that wants one.
var shared struct {
	once   sync.Once
	server *server
	err    error
}

// Run runs the tests of a package, ends the shared redis-server and looks for
// goroutines left behind. It is called in TestMain and returns the exit code:
//
//	func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }
func Run(m *testing.M) int {
	code := m.Run()
	shared.once.Do(func() {})
	if shared.server != nil {
		shared.server.stop()
	}
	if code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Client returns a client of the shared redis-server and a prefix for the keys
// of this test, such as "test:TestName:x7f…:". The client is closed when the
// test ends. Without a redis-server on PATH the test is skipped, in CI it fails.
// REDIS_SERVER names another program than redis-server.
func Client(tb testing.TB) (client redis.UniversalClient, prefix string) {
	tb.Helper()
	shared.once.Do(func() { shared.server, shared.err = start() })
	switch err := shared.err; {
	case err == nil:
	case os.Getenv("CI") != "":
		tb.Fatalf("redistest: %v", err)
	default:
		tb.Skipf("redistest: %v", err)
	}
	return open(tb, &redis.Options{Network: "unix", Addr: shared.server.socket}), newPrefix(tb)
}

// Memory returns a client of an in-process server made for this test, and a prefix.
func Memory(tb testing.TB) (client redis.UniversalClient, prefix string) {
	tb.Helper()
	return open(tb, &redis.Options{Addr: miniredis.RunT(tb).Addr()}), newPrefix(tb)
}

func open(tb testing.TB, o *redis.Options) redis.UniversalClient {
	tb.Helper()
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DialTimeout = 2 * time.Second
	o.ReadTimeout = 30 * time.Second // two busy cores and the race detector
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	client := redis.NewClient(o)
	tb.Cleanup(func() {
		if err := client.Close(); err != nil {
			tb.Errorf("redistest: close client: %v", err)
		}
	})
	if err := client.Ping(context.WithoutCancel(tb.Context())).Err(); err != nil {
		tb.Fatalf("redistest: %v", err)
	}
	return client
}

// newPrefix makes a prefix without braces, so that the hash tag of a hall stays the first.
func newPrefix(tb testing.TB) string {
	tb.Helper()
	name := strings.NewReplacer("{", "(", "}", ")", " ", "_").Replace(tb.Name())
	return "test:" + name + ":" + rand.Text()[:8] + ":"
}
