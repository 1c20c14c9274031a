package api_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// unreachable is a client of a Redis that is not there.
func unreachable(t *testing.T) redis.UniversalClient {
	t.Helper()
	client := redis.NewClient(&redis.Options{
		Network: "unix", Addr: filepath.Join(t.TempDir(), "no.sock"),
		MaxRetries: -1, DialerRetries: 1, DialTimeout: time.Second,
	})
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}
