package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// misfits answers what leaves its tile, and what something else lies upon.
const misfits = `async () => {
	await Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})));
	const faults = [];
	for (const tile of document.querySelectorAll('[data-testid=tile]')) {
		const name = tile.dataset.machine.slice(0, 8);
		for (const button of tile.querySelectorAll('button, a')) {
			button.scrollIntoView({block: 'center', inline: 'nearest'});
			const b = button.getBoundingClientRect();
			for (const [x, y] of [[0.5, 0.5], [0.05, 0.2], [0.95, 0.8]]) {
				const hit = document.elementFromPoint(b.left + b.width * x, b.top + b.height * y);
				if (hit?.closest('button, a') !== button) faults.push(name + ': ' + hit?.outerHTML.slice(0, 80) + ' lies on ' + button.textContent);
			}
		}
		const t = tile.getBoundingClientRect();
		for (const part of tile.querySelectorAll('*')) {
			const p = part.getBoundingClientRect();
			const clipped = part.closest('.tile-name, .tile-subject, .tile-reason, h3');
			if (clipped && clipped !== part) continue; // cut off on purpose, by what is measured itself
			if (p.width && (p.left < t.left - 1 || p.right > t.right + 1 || p.top < t.top - 1 || p.bottom > t.bottom + 1)) {
				faults.push(name + ': ' + part.outerHTML.slice(0, 80) + ' leaves the tile');
			}
		}
	}
	if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than its window');
	return faults.slice(0, 10).join('\n');
}`

// fits checks the tiles of the page on screens of all widths.
func (p proctor) fits() {
	p.t.Helper()
	for _, width := range []int{1366, 1440, 1920, 768} {
		must(p.t, p.SetViewportSize(width, 900))
		if faults, _ := p.evaluate(misfits).(string); faults != "" {
			p.t.Errorf("at %d:\n%s", width, faults)
		}
	}
}

func TestNothingLeavesItsTile(t *testing.T) {
	t.Parallel()
	long := func(letter string) string { return strings.Repeat(letter, 60) }
	h := sharedServer(t).newHall(t, 1, 0, nil)
	var machines []object
	for i := range 8 {
		id := fmt.Sprintf("m%d%s", i, strings.Repeat("m", 50))
		machines = append(machines, object{"id": id, "label": long("L"), "room": "r1", "model": "A"})
	}
	h.want(http.StatusOK, http.MethodPut, "", object{
		"name": long("H"), "timeZone": "Asia/Shanghai",
		"subjects": []object{{"code": "1", "name": object{"en": long("S")}, "minutes": 20}},
		"rooms":    []object{{"id": "r1", "name": long("R")}},
		"models":   []object{{"id": "A", "name": "A", "subjects": []string{"1"}}},
		"machines": machines,
		"rules":    object{"openScreens": true},
	}, nil)
	var roster strings.Builder
	roster.WriteString("candidate_id,name,id_number,class,subjects\n")
	for i := range 9 {
		fmt.Fprintf(&roster, "%d,%s,%s,management,1\n", i, long("W"), strings.Repeat("9", 30))
	}
	h.roster(roster.String())
	h.checkIn("0", "1", "2", "3", "4")
	h.want(http.StatusOK, http.MethodPost, "/sittings/"+h.sittingOf("0").ID+"/recall", object{"recall": 2}, nil)
	h.command(h.sittingOf("1"), "seat")
	h.want(http.StatusOK, http.MethodPost, "/machines/m7"+strings.Repeat("m", 50)+"/out-of-service", object{"reason": long("O")}, nil)
	h.want(http.StatusOK, http.MethodPost, "/pause", object{"room": "r1", "message": long("P")}, nil)
	openProctor(t, h).fits()
}

func TestTheTilesOfTheDemoHallFit(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	s := makeServer(shortDir(t), "", os.Stderr)
	s.config.Demo = true
	s.start(t)
	t.Cleanup(func() { s.stop(t) })
	h := &testHall{server: s, t: t, id: "demo"}
	h.liveliness()
	openProctor(t, h).fits()
}
