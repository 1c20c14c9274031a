package metrics_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

const fewThings, manyThings = 100, 100_000

// crowd are figures of one thing each, of all kinds of Redis types.
var crowd = []string{
	`{"metricsName": "crowdOf", "metricsQueryMeta": {"keyTemplate": "crowd", "fieldTemplate": "#who#", "queryCommand": "HGET"},
	  "metricsSaveAndDelMeta": {"keyTemplate": "crowd", "fieldTemplate": "#who#", "saveCommand": "HINCRBY"}, "on": [{"event": "x_crowd", "do": "save", "value": "1"}]}`,
	`{"metricsName": "crowdNum", "metricsQueryMeta": {"keyTemplate": "crowd", "queryCommand": "HLEN"}}`,
	`{"metricsName": "crowdSet", "metricsQueryMeta": {"keyTemplate": "crowdSet", "queryCommand": "SCARD"},
	  "metricsSaveAndDelMeta": {"keyTemplate": "crowdSet", "fieldTemplate": "#who#", "saveCommand": "SADD"}, "on": [{"event": "x_crowd", "do": "save"}]}`,
	`{"metricsName": "crowdScore", "metricsQueryMeta": {"keyTemplate": "crowdScores", "fieldTemplate": "#who#", "queryCommand": "ZSCORE"},
	  "metricsSaveAndDelMeta": {"keyTemplate": "crowdScores", "fieldTemplate": "#who#", "saveCommand": "ZADD"}, "on": [{"event": "x_crowd", "do": "save", "value": "#who#"}]}`,
	`{"metricsName": "crowdBetween", "metricsQueryMeta": {"keyTemplate": "crowdScores", "queryCommand": "ZCOUNT"}}`,
	`{"metricsName": "crowdFirst", "metricsQueryMeta": {"keyTemplate": "crowdScores", "queryCommand": "ZRANGE"}}`,
}

var crowdQuestions = []hall.MetricRequest{
	{MetricsName: "crowdOf", Params: map[string]string{"who": "77"}},
	{MetricsName: "crowdNum"},
	{MetricsName: "crowdSet"},
	{MetricsName: "crowdScore", Params: map[string]string{"who": "77"}},
	{MetricsName: "crowdBetween", Params: map[string]string{"min": "10", "max": "50"}},
	{MetricsName: "crowdFirst", Params: map[string]string{"start": "0", "stop": "9"}},
	{MetricsName: "machinesByState"},
	{MetricsName: "waits", Params: map[string]string{"subject": "1"}},
}

// BenchmarkQuery asks for figures of 100 and of 100,000 things, in turn, each
// query with what it takes to know that all events are in them:
//
//	many/few   time by medians; about 1, since no query looks at more than its answer
func BenchmarkQuery(b *testing.B) {
	few, many := crowded(b, fewThings), crowded(b, manyThings)
	times := map[*scene][]time.Duration{}
	for b.Loop() {
		for _, s := range []*scene{few, many} {
			began := time.Now()
			answers, err := s.centre.QueryMetrics(context.Background(), s.id, crowdQuestions)
			times[s] = append(times[s], time.Since(began))
			s.must(err)
			if encode(answers[4].Value) != "41" || encode(answers[0].Value) != "1" {
				b.Fatalf("answered %+v", answers)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(middle(times[many])/middle(times[few]), "many/few")
}

// crowded is a hall that n things were told of.
func crowded(b *testing.B, n int) *scene {
	b.Helper()
	s := newScene(b, redistest.Client)
	for _, document := range crowd {
		s.put(document)
	}
	var sending sync.WaitGroup
	next := make(chan int)
	for range 8 {
		sending.Go(func() {
			for i := range next {
				_, err := s.store.AppendEvent(context.Background(), s.id, hall.OutsideEvent{
					Event: "x_crowd", Fields: map[string]string{"who": strconv.Itoa(i)},
				}, tester)
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	sending.Wait()
	s.must(s.centre.Follow(context.Background(), s.id))
	return s
}
