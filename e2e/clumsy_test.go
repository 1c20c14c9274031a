package e2e_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// A day of two rooms with three proctors: two who do their work, a room each,
// and one who has his fingers everywhere. Whatever he does, in the end everybody
// has sat each subject to its end once, and nobody was in two places.
func TestADayWithAClumsyProctor(t *testing.T) {
	t.Parallel()
	acts, people := 24, 6
	if os.Getenv("SOAK") != "" {
		acts, people = 200, 40
	}
	h := sharedServer(t).newHall(t, 6, 0, nil)
	h.twoRooms()
	var roster strings.Builder
	roster.WriteString("candidate_id,name,subjects\n")
	for i := range people {
		fmt.Fprintf(&roster, "%03d,Candidate %d,1|2\n", i+1, i+1)
	}
	h.roster(roster.String())
	for i := range people {
		h.checkIn(fmt.Sprintf("%03d", i+1))
	}

	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	first, second, clumsy := openRoom(h, "r1"), openRoom(h, "r2"), openRoom(h, "")
	pace := make(chan struct{}) // one for whatever the clumsy one does, until he goes home
	var day sync.WaitGroup      // a failure stops the proctor who met it, the others go on
	day.Go(func() { first.works(h, []string{"m1", "m2", "m3"}, people, pace) })
	day.Go(func() { second.works(h, []string{"m4", "m5", "m6"}, people, pace) })
	day.Go(func() {
		defer close(pace)
		clumsy.fumbles(rand.New(rand.NewPCG(seed, 0)), acts, pace)
	})
	day.Wait()
	for _, name := range []string{"undone", "candidate_no_show", "sitting_aborted", "sitting_transferred", "incident_opened"} {
		t.Logf("%s: %d", name, h.countEvents(name))
	}
	h.everybodySatOnce(people)
}

// openRoom opens the proctor page of a room, "" for all.
func openRoom(h *testHall, room string) proctor {
	h.t.Helper()
	p := proctor{openScreen(h.t, h.url, h.path("proctor")+"?room="+room, laptop)}
	p.signIn()
	p.online()
	return p
}

// twoRooms gives a hall of six machines a second room with the last three.
func (h *testHall) twoRooms() {
	h.t.Helper()
	var machines []object
	for i := range 6 {
		machines = append(machines, object{
			"id": "m" + strconv.Itoa(i+1), "label": strconv.Itoa(i + 1), "room": "r" + strconv.Itoa(i/3+1), "model": "A",
		})
	}
	h.want(http.StatusOK, http.MethodPut, "", object{
		"name": "Hall of the test", "timeZone": "Asia/Shanghai",
		"subjects": []object{
			{"code": "1", "name": object{"en": "Road signs"}, "minutes": 20},
			{"code": "2", "name": object{"en": "Safety"}, "minutes": 20},
		},
		"rooms":    []object{{"id": "r1", "name": "Room 1"}, {"id": "r2", "name": "Room 2"}},
		"models":   []object{{"id": "A", "name": "A", "subjects": []string{"1", "2"}}},
		"machines": machines,
		"rules":    object{"openScreens": true, "callTimeoutSeconds": 600},
	}, nil)
}

// tries clicks what may be gone by then, since others work here too.
func (p proctor) tries(what playwright.Locator, twice bool) {
	p.t.Helper()
	soon := playwright.Float(1000)
	if twice {
		_ = what.Dblclick(playwright.LocatorDblclickOptions{Timeout: soon})
	} else {
		_ = what.Click(playwright.LocatorClickOptions{Timeout: soon})
	}
	p.settled()
}

// works seats and ends at the machines of a room until everybody is done, and
// puts right what it finds: machines out of service, people who were sent away.
func (p proctor) works(h *testHall, machines []string, people int, pace <-chan struct{}) {
	p.t.Helper()
	for deadline := time.Now().Add(20 * time.Minute); time.Now().Before(deadline); {
		calm := false
		for _, machine := range machines {
			_, working := <-pace
			calm = !working
			state, err := p.tile(machine).GetAttribute("data-state")
			must(p.t, err)
			switch state {
			case "called":
				p.tries(p.roomButton(machine, "seat"), false)
			case "in_use":
				p.tries(p.roomButton(machine, "end"), false)
			case "out_of_service", "spare":
				h.api(p.t, http.MethodPost, "/halls/"+h.id+"/machines/"+machine+"/in-service", nil, nil)
			}
		}
		h.putsBack()
		if calm && h.total("/candidates?state=done") == people {
			return
		}
	}
	p.t.Fatal("the day has no end")
}

// roomButton is the button of a tile on the page of a room, whose forms say so.
func (p proctor) roomButton(machine, command string) playwright.Locator {
	return p.tile(machine).Locator(`form[action*="/` + command + `?"] button`)
}

// putsBack restores whoever did not come or was withdrawn.
func (h *testHall) putsBack() {
	h.t.Helper()
	for _, state := range []string{"absent", "withdrawn"} {
		var list struct{ Items []struct{ ID string } }
		if h.api(h.t, http.MethodGet, "/halls/"+h.id+"/candidates?size=0&state="+state, nil, &list) != http.StatusOK {
			continue
		}
		for _, c := range list.Items {
			h.api(h.t, http.MethodPost, "/halls/"+h.id+"/queue/"+c.ID+"/restore", nil, nil)
		}
	}
}

// fumbles clicks here and there, twice where once is meant, on what was opened
// long before, and takes back what may have been another's.
func (p proctor) fumbles(dice *rand.Rand, times int, pace chan<- struct{}) {
	p.t.Helper()
	some := func(n int) string { return "m" + strconv.Itoa(dice.IntN(n)+1) }
	acts := []func(){
		func() { // the wrong tile, and twice
			p.tries(p.tile(some(6)).Locator(".tile-actions button").Nth(dice.IntN(3)), true)
		},
		func() { // a panel that is looked at for too long
			p.tries(p.tile(some(6)).Locator("a.more"), false)
			p.tries(p.tile(some(6)).Locator(".tile-actions button").First(), false)
			p.tries(p.Locator("#panel form button").Nth(dice.IntN(3)), true)
		},
		func() { // several tiles, some of them others by now
			for range 3 {
				_ = p.box(some(6)).Check(playwright.LocatorCheckOptions{Timeout: playwright.Float(500)})
			}
			p.tries(p.Locator("#marked"), false)
			p.tries(p.Locator("#panel form button").Nth(dice.IntN(2)), true)
		},
		func() { // takes back what comes first
			p.tries(p.Locator(`a:text("Undo")`), false)
			p.tries(p.id("undo-row").Nth(dice.IntN(2)).Locator("button"), true)
		},
		func() { // goes away and comes back
			p.reload()
			_, err := p.GoBack()
			must(p.t, err)
			_, err = p.GoForward()
			must(p.t, err)
		},
	}
	for range times {
		acts[dice.IntN(len(acts))]()
		select { // the others are as fast as this one, so that they meet
		case pace <- struct{}{}:
		case <-time.After(patience * time.Millisecond): // both have failed
		}
		if visible, _ := p.Locator("#panel").IsVisible(); visible {
			must(p.t, p.Keyboard().Press("Escape"))
		}
	}
}

// slip is what has to be right of a sitting in the end.
type slip struct {
	sitting

	Subject           string
	SeatedAt, EndedAt time.Time
}

// everybodySatOnce fails unless each has sat each subject to its end once, with
// nobody at two machines, and no machine with two people, at once.
func (h *testHall) everybodySatOnce(people int) {
	h.t.Helper()
	var list struct{ Items []slip }
	h.want(http.StatusOK, http.MethodGet, "/sittings?size=0", nil, &list)
	finished := map[string]int{}
	for _, s := range list.Items {
		if s.State != "ended" {
			h.t.Errorf("sitting %s is %s", s.ID, s.State)
		}
		if s.Outcome == "finished" {
			finished[s.Candidate+" "+s.Subject]++
		}
	}
	if len(finished) != 2*people {
		h.t.Errorf("%d of %d subjects are finished", len(finished), 2*people)
	}
	for of, n := range finished {
		if n != 1 {
			h.t.Errorf("%s was finished %d times", of, n)
		}
	}
	h.noneAtOnce("candidate", list.Items, func(s slip) string { return s.Candidate })
	var events struct {
		Items []struct{ Event, Sitting string }
	}
	h.want(http.StatusOK, http.MethodGet, "/events?size=0", nil, &events)
	stayed := list.Items
	for _, e := range events.Items {
		if e.Event == "sitting_transferred" { // such a sitting names the machine of its end, and the time of its begin elsewhere
			stayed = slices.DeleteFunc(slices.Clone(stayed), func(s slip) bool { return s.ID == e.Sitting })
		}
	}
	h.noneAtOnce("machine", stayed, func(s slip) string { return s.Machine })
}

// noneAtOnce fails if two sittings of one candidate or machine overlap.
func (h *testHall) noneAtOnce(what string, slips []slip, of func(slip) string) {
	h.t.Helper()
	by := map[string][]slip{}
	for _, s := range slips {
		if !s.SeatedAt.IsZero() { // of mere calls, some were withdrawn by an undo, which gives their time back to whoever sat there before
			by[of(s)] = append(by[of(s)], s)
		}
	}
	var once sync.Once
	for id, list := range by {
		slices.SortFunc(list, func(x, y slip) int { return cmp.Or(x.SeatedAt.Compare(y.SeatedAt), x.EndedAt.Compare(y.EndedAt)) })
		for i := 1; i < len(list); i++ {
			if list[i].SeatedAt.Before(list[i-1].EndedAt) {
				once.Do(func() { h.t.Errorf("%s %s has at once\n%+v\n%+v", what, id, list[i-1], list[i]) })
			}
		}
	}
}
