package prom_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/prom"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

// BenchmarkHalls asks for the figures of 3,000 open halls, and of one of them:
//
//	all-ms   all of them; Prometheus waits 10 s
//	one-ms   one, in full
func BenchmarkHalls(b *testing.B) {
	client, prefix := redistest.Client(b)
	store := hallredis.New(client, hallredis.Options{Prefix: prefix})
	centre, err := metrics.New(client, store, metrics.Options{Prefix: prefix})
	if err != nil {
		b.Fatal(err)
	}
	var making sync.WaitGroup
	for part := range 10 {
		making.Go(func() {
			for i := range 300 {
				if _, _, err := store.PutHall(b.Context(), fmt.Sprintf("h%d-%d", part, i), halltest.Layout("one", "both"), "", tester); err != nil {
					b.Error(err)
				}
			}
		})
	}
	making.Wait()
	handler := prom.New(prom.Config{Store: store, Metrics: centre, Limit: time.Hour}).Handler()
	get := func(query string) time.Duration {
		began := time.Now()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/metrics"+query, nil))
		if w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
		return time.Since(began)
	}
	get("") // follows every hall for the first time
	var all, one time.Duration
	for b.Loop() {
		all += get("")
		one += get("?hall=h3-7")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(all.Milliseconds())/float64(b.N), "all-ms")
	b.ReportMetric(float64(one.Milliseconds())/float64(b.N), "one-ms")
}
