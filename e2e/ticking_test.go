package e2e_test

import (
	"regexp"
	"testing"
	"time"
)

// running is a time that a page counts.
var running = regexp.MustCompile(`[0-9]+:[0-9]{2}`)

// changesSaid answers what changes for three seconds where a screen reader
// says changes by itself.
const changesSaid = `() => new Promise((done) => {
	const regions = '[aria-live], [role=status], [role=alert], [role=log], [role=timer]';
	const said = (node) => {
		const region = (node.closest ? node : node.parentElement)?.closest(regions);
		if (!region) return false;
		const how = region.getAttribute('aria-live');
		return how ? how !== 'off' : region.getAttribute('role') !== 'timer';
	};
	const changed = [];
	const observer = new MutationObserver((changes) => {
		for (const {target} of changes) if (said(target)) changed.push(target.parentElement.outerHTML.slice(0, 120));
	});
	observer.observe(document.body, {subtree: true, childList: true, characterData: true});
	setTimeout(() => { observer.disconnect(); done(changed.slice(0, 5).join('\n')); }, 3000);
})`

// TestNothingIsSaidWhileNothingHappens has alerts, waits and sittings whose
// times run on the pages, and a board, so that none of the alerts is new.
func TestNothingIsSaidWhileNothingHappens(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	playMorning(t, r, "demo", demoLayout(t), 60, 40*time.Minute, time.Minute)
	s := newServer(t, r.url())
	h := &testHall{server: s, t: t, id: "demo"}
	h.want(200, "POST", "/pause", object{"message": "Back soon"}, nil) // nobody is called meanwhile
	m := openMonitor(t, h)
	must(t, expect.Locator(m.Locator(".alert .elapsed").First()).ToHaveText(running))
	p := openProctor(t, h)
	must(t, expect.Locator(p.Locator("#queue .elapsed").First()).ToHaveText(running))
	for _, page := range []struct {
		name string
		*screen
	}{{"monitor", m.screen}, {"proctor", p.screen}} {
		if changed, _ := page.evaluate(changesSaid).(string); changed != "" {
			t.Errorf("on the %s page a screen reader says:\n%s", page.name, changed)
		}
	}
}
