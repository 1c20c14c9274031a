package hallredis_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hallfile"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

// BenchmarkBackup makes a backup of a hall with 100,000 people in line and restores it, and
// measures what others feel of it: the longest that Redis let another client
// wait (stall), and the memory of the program. busy is a hall with commands in between.
func BenchmarkBackup(b *testing.B) {
	client, prefix := redistest.Client(b)
	store := longHall(b, client, prefix)
	idle := watched(b, client, func() { <-time.After(time.Second) })
	for range b.N {
		file, err := os.CreateTemp(b.TempDir(), "")
		fatalIf(b, err)
		busy := watched(b, client, func() { fatalIf(b, store.BackupBusyHall(context.Background(), "h", file)) })
		quiet := watched(b, client, func() {
			_, err := store.BackupHall(context.Background(), "h", "bench", file)
			fatalIf(b, err)
		})
		there := hallredis.New(client, hallredis.Options{Prefix: prefix + "there:"})
		back := watched(b, client, func() {
			_, _, err := there.RestoreHall(context.Background(), file, "")
			fatalIf(b, err)
		})
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(idle.stall.Seconds()*1000, "idle-stall-ms")
		for name, m := range map[string]measured{"busy": busy, "quiet": quiet, "restore": back} {
			b.ReportMetric(m.took.Seconds(), name+"-s")
			b.ReportMetric(m.stall.Seconds()*1000, name+"-stall-ms")
			b.ReportMetric(m.redis, name+"-redis-s")
			b.ReportMetric(float64(m.heap>>20), name+"-MB")
		}
		b.StopTimer()
		fatalIf(b, file.Close())
		left, err := client.Keys(context.Background(), prefix+"there:*").Result()
		fatalIf(b, err)
		fatalIf(b, client.Unlink(context.Background(), left...).Err())
		b.StartTimer()
	}
}

// longHall is a short hall of which everything is there a thousand times, under
// other names: a backup takes as long, and it need not check in 100,000 people.
func longHall(b *testing.B, client redis.UniversalClient, prefix string) *hallredis.Store {
	b.Helper()
	short := backup(b, newBenchHall(b, client, prefix+"short:", shortLine).store, "h")
	store := hallredis.New(client, hallredis.Options{Prefix: prefix})
	restore(b, store, rewritten(b, short, func(key hallfile.Key, element []string) (hallfile.Key, [][]string) {
		if len(element) == 0 || !grows[key.Name] {
			return key, [][]string{element}
		}
		var all [][]string
		for i := range longLine / shortLine {
			one := slices.Clone(element)
			if key.Kind == hallfile.Stream {
				ms, sequence, _ := strings.Cut(one[0], "-")
				n, err := strconv.Atoi(sequence)
				fatalIf(b, err)
				one[0] = fmt.Sprintf("%s-%d", ms, n*longLine+i)
			} else {
				one[0] += strconv.Itoa(i)
			}
			all = append(all, one)
		}
		return key, all
	}), "")
	return store
}

// grows are the keys that grow with the people.
var grows = map[string]bool{
	"people": true, "candidates": true, "roster": true, "phones": true, "wait": true, "index": true, "since:normal": true, "target": true, "events": true,
}

// measured is what something took.
type measured struct {
	took, stall time.Duration
	heap        uint64  // bytes at most
	redis       float64 // seconds of a processor, without other clients but the one that measures
}

// busySeconds is how long the thread of Redis has worked.
func busySeconds(b *testing.B, client redis.UniversalClient) float64 {
	b.Helper()
	text, err := client.Info(context.Background(), "cpu").Result()
	fatalIf(b, err)
	sum := 0.0
	for line := range strings.Lines(text) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); strings.HasSuffix(name, "_main_thread") {
			seconds, err := strconv.ParseFloat(value, 64)
			fatalIf(b, err)
			sum += seconds
		}
	}
	return sum
}

// watched does something and measures meanwhile.
func watched(b *testing.B, client redis.UniversalClient, do func()) measured {
	b.Helper()
	runtime.GC()
	var m measured
	quit, done := make(chan struct{}), make(chan struct{}, 2)
	go func() {
		for running(quit) {
			begin := time.Now()
			_ = client.Ping(context.Background()).Err()
			m.stall = max(m.stall, time.Since(begin))
			<-time.After(time.Millisecond)
		}
		done <- struct{}{}
	}()
	go func() {
		for running(quit) {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			m.heap = max(m.heap, stats.HeapInuse)
			<-time.After(20 * time.Millisecond)
		}
		done <- struct{}{}
	}()
	begin, busy := time.Now(), busySeconds(b, client)
	do()
	m.took, m.redis = time.Since(begin), busySeconds(b, client)-busy
	close(quit)
	<-done
	<-done
	return m
}

func running(quit <-chan struct{}) bool {
	select {
	case <-quit:
		return false
	default:
		return true
	}
}
