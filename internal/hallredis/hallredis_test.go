package hallredis_test

import (
	"os"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

// servers are the kinds of Redis that every store test runs on.
var servers = map[string]func(testing.TB) (redis.UniversalClient, string){
	"redis":  redistest.Client,
	"memory": redistest.Memory,
}

func factory(server string) halltest.Factory {
	return func(tb testing.TB) (hall.Store, *halltest.Clock) {
		tb.Helper()
		client, prefix := servers[server](tb)
		clock := halltest.NewClock()
		return hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now}), clock
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	for server := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			halltest.Exercise(t, factory(server))
		})
	}
}
