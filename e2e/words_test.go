package e2e_test

import (
	"regexp"
	"testing"
	"time"
)

// TestTimesSayWhatTheyAreOver has somebody wait beyond the target, and sit for
// longer than it should take.
func TestTimesSayWhatTheyAreOver(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	playMorning(t, r, "demo", demoLayout(t), 300, 2*time.Hour, time.Minute)
	h := &testHall{server: newServer(t, r.url()), t: t, id: "demo"}
	m := openMonitor(t, h)
	must(t, expect.Locator(m.id("figure-longest")).ToHaveText(regexp.MustCompile(`[0-9:]+,[^a-z]+over[^a-z]+target`)))
	p := openProctor(t, h)
	must(t, expect.Locator(p.Locator("#queue .elapsed.over").First()).ToHaveText(regexp.MustCompile(`[0-9:]+,[^a-z]+over[^a-z]+target`)))
	must(t, expect.Locator(p.Locator("#tiles .elapsed.over").First()).ToHaveText(regexp.MustCompile(`[0-9:]+,[^a-z]+over[^a-z]+time`)))
}
