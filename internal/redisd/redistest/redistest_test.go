package redistest_test

import (
	"os"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

func TestServers(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) (redis.UniversalClient, string){
		"redis-server": redistest.Client,
		"in-process":   redistest.Memory,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := open(t)
			if err := client.Set(t.Context(), prefix+"k", "v", 0).Err(); err != nil {
				t.Fatal(err)
			}
			got, err := client.Get(t.Context(), prefix+"k").Result()
			if err != nil || got != "v" {
				t.Fatalf("Get = %q, %v; want v", got, err)
			}
			_, other := open(t)
			if other == prefix {
				t.Fatalf("prefix %q given twice", prefix)
			}
		})
	}
}
