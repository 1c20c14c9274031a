package metrics

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// slotFormat tells the ten minutes of two days, and of the hour that comes
// twice when summer time ends, apart.
const slotFormat = "2006-01-02T15:04Z07:00"

// tenMinutes is the begin of the ten minutes of a time, by the clock on the
// hall's wall.
func tenMinutes(at time.Time, zone *time.Location) string {
	local := at.In(zone)
	past := time.Duration(local.Minute()%10)*time.Minute + time.Duration(local.Second())*time.Second + time.Duration(local.Nanosecond())
	return local.Add(-past).Format(slotFormat)
}

// WaitingThen is how many waited at the end of ten minutes. Until the next
// ones in a list nothing changed.
type WaitingThen struct {
	From    string `json:"from"`
	Waiting int    `json:"waiting"`
}

// waitingOverDay sums the changes up.
func waitingOverDay() *derivation {
	return derive("waitingOverDay", "How many waited at the end of every ten minutes in which that changed", "waitingChanges",
		func(hash, _ map[string]string, _ *hall.Hall) any {
			list := []WaitingThen{}
			waiting := 0
			for _, slot := range slotsIn(hash) {
				change, _ := strconv.Atoi(hash[slot])
				waiting += change
				list = append(list, WaitingThen{slot, waiting})
			}
			return list
		})
}

// WaitsThen are the waits that ended with calls of the same ten minutes; see
// Spread for how near median and p95 are.
type WaitsThen struct {
	From          string  `json:"from"`
	Count         int     `json:"count"`
	MedianSeconds float64 `json:"medianSeconds"`
	P95Seconds    float64 `json:"p95Seconds"`
}

func waitsOverDay() *derivation {
	return derive("waitsOverDay", "Waits by the ten minutes of their call", "waitsOverDay",
		func(hash, _ map[string]string, _ *hall.Hall) any {
			bySlot := map[string]map[string]string{}
			eachBucket(hash, func(slot, bucket, n string) {
				if bySlot[slot] == nil {
					bySlot[slot] = map[string]string{}
				}
				bySlot[slot][bucket] = n
			})
			list := []WaitsThen{}
			for _, slot := range slotsIn(bySlot) {
				waits := bySlot[slot]
				n := countIn(waits)
				list = append(list, WaitsThen{slot, n, quantile(waits, n, 0.5), quantile(waits, n, 0.95)})
			}
			return list
		})
}

// AllWaits says how the waits for all subjects together were distributed.
type AllWaits struct {
	Count         int     `json:"count"`
	MedianSeconds float64 `json:"medianSeconds"`
	P95Seconds    float64 `json:"p95Seconds"`
	WithinTarget  float64 `json:"withinTarget"`
	TargetSeconds int     `json:"targetSeconds"`
}

func allWaits() *derivation {
	return derive("allWaits", "Waits until the calls for all subjects", "waitsOverDay", func(hash, _ map[string]string, h *hall.Hall) any {
		sums := map[string]int{}
		eachBucket(hash, func(_, bucket, n string) {
			count, _ := strconv.Atoi(n)
			sums[bucket] += count
		})
		waits := make(map[string]string, len(sums))
		for bucket, n := range sums {
			waits[bucket] = strconv.Itoa(n)
		}
		n, target := countIn(waits), h.Layout.Rules.WaitTargetSeconds
		return AllWaits{n, quantile(waits, n, 0.5), quantile(waits, n, 0.95), shareWithin(waits, float64(target)), target}
	})
}

func countIn(waits map[string]string) int {
	n := 0
	for _, b := range bucketsIn(waits) {
		n += b.count
	}
	return n
}

// together undoes what keeps the parts of a field apart.
var together = strings.NewReplacer("%3A", ":", "%25", "%")

// eachBucket goes through fields of ten minutes and a bucket.
func eachBucket(hash map[string]string, take func(slot, bucket, n string)) {
	for field, n := range hash {
		if slot, bucket, ok := strings.Cut(field, " "); ok {
			take(together.Replace(slot), bucket, n)
		}
	}
}

func slotTime(slot string) time.Time {
	t, _ := time.Parse(slotFormat, slot)
	return t
}

// slotsIn are the ten minutes that have something, in order of time.
func slotsIn[V any](of map[string]V) []string {
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int { return slotTime(a).Compare(slotTime(b)) })
}
