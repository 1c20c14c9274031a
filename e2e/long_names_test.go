package e2e_test

import (
	"net/http"
	"strings"
	"testing"
)

// widerThanWindow answers what stands beyond the right edge, if the page can be
// scrolled there.
const widerThanWindow = `() => {
	if (document.documentElement.scrollWidth <= innerWidth) return '';
	const beyond = [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1);
	return document.documentElement.scrollWidth + ' pixels: ' + beyond.slice(0, 3).map((e) => e.outerHTML.slice(0, 90)).join(' ');
}`

// TestLongNamesOfHallsFit has a name as exam centres have them, and the longest.
func TestLongNamesOfHallsFit(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 3, nil)
	staff := openMonitor(t, h)
	for _, name := range []string{"Regional Examination Centre, Main Building, Hall 7", strings.Repeat("Examination ", 10) + "Centre 077"} {
		h.want(http.StatusOK, http.MethodPut, "", object{
			"name": name, "timeZone": "Asia/Shanghai", "rules": object{"openScreens": true},
			"subjects": []object{{"code": "1", "name": object{"en": "Road signs"}, "minutes": 20}},
			"rooms":    []object{{"id": "r1", "name": "Room 2"}},
			"models":   []object{{"id": "A", "name": "A", "subjects": []string{"1"}}},
			"machines": []object{{"id": "m1", "label": "1", "room": "r1", "model": "A"}, {"id": "m2", "label": "2", "room": "r1", "model": "A"}},
		}, nil)
		for _, path := range []string{"/", h.path("monitor"), h.path("proctor"), h.path("proctor") + "/incidents", h.path("proctor") + "/machines/m1", h.path("board"), h.path("kiosk")} {
			staff.visit(path)
			for _, width := range []int{390, 768, 1366} {
				must(t, staff.SetViewportSize(width, 800))
				if beyond, _ := staff.evaluate(widerThanWindow).(string); beyond != "" {
					t.Errorf("%s of %q is wider than %d: %s", path, name[:12], width, beyond)
				}
			}
		}
	}
}
