package e2e_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// morning is a day that has gone on for a while when a server first sees it:
// its commands were given at times of its own.
type morning struct {
	t      *testing.T
	store  *hallredis.Store
	id     string
	at     time.Time
	random *rand.Rand
	come   []string // who has not checked in
	until  map[string]time.Time
	layout hall.Layout
}

var tester = hall.Caller{By: "test"}

// playMorning makes a hall on a Redis that no server uses yet, which opened so
// long ago.
func playMorning(t *testing.T, r *redisServer, id string, layout hall.Layout, people int, length, step time.Duration) *morning {
	t.Helper()
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: r.socket()})
	defer func() { _ = client.Close() }()
	now, err := client.Time(t.Context()).Result()
	must(t, err)
	m := &morning{t: t, id: id, at: now.Add(-length), random: rand.New(rand.NewPCG(1, uint64(people))), until: map[string]time.Time{}, layout: layout}
	m.store = hallredis.New(client, hallredis.Options{Now: func() time.Time { return m.at }})
	_, _, err = m.store.PutHall(t.Context(), id, layout, "", tester)
	must(t, err)
	m.roster(people)
	for m.at.Add(step).Before(now) {
		m.at = m.at.Add(step)
		// More come at the begin, and some not at all.
		share := 0.85 * math.Pow(1-now.Sub(m.at).Seconds()/length.Seconds(), 0.8)
		for float64(people-len(m.come)) < share*float64(people) {
			m.checkIn()
		}
		m.sittings()
	}
	return m
}

func (m *morning) roster(people int) {
	m.t.Helper()
	rows := make([]hall.RosterRow, people)
	for i := range rows {
		var subjects []string
		for _, s := range m.random.Perm(len(m.layout.Subjects))[:1+m.random.IntN(2)] {
			subjects = append(subjects, m.layout.Subjects[s].Code)
		}
		rows[i] = hall.RosterRow{Row: i + 2, Candidate: fmt.Sprintf("%04d", i), Person: hall.Person{Name: fmt.Sprint("Candidate ", i)}, Subjects: subjects}
		m.come = append(m.come, rows[i].Candidate)
	}
	_, err := m.store.PutRoster(m.t.Context(), m.id, rows, false, tester)
	must(m.t, err)
}

func (m *morning) checkIn() {
	m.t.Helper()
	if len(m.come) == 0 {
		return
	}
	_, _, err := m.store.CheckIn(m.t.Context(), m.id, m.come[0], hall.CheckIn{}, tester)
	must(m.t, err)
	m.come = m.come[1:]
}

// sittings has people come to their machines and go when they are ready.
func (m *morning) sittings() {
	m.t.Helper()
	machines, err := m.store.Machines(m.t.Context(), m.id, hall.MachineFilter{}, hall.Page{})
	must(m.t, err)
	for i := range machines.Items {
		s := machines.Items[i].Current
		if s == nil {
			continue
		}
		key := s.ID + string(s.State)
		if m.until[key].IsZero() {
			subject, _ := m.layout.Subject(s.Subject)
			takes := time.Duration((0.5 + m.random.Float64()) * subject.Minutes * float64(time.Minute))
			if s.State == hall.SittingCalled {
				takes = time.Duration(20+m.random.IntN(90)) * time.Second
			}
			m.until[key] = m.at.Add(takes)
		}
		if m.at.Before(m.until[key]) {
			continue
		}
		switch {
		case s.State == hall.SittingSeated:
			_, err = m.store.End(m.t.Context(), m.id, s.ID, tester)
		case m.random.IntN(25) == 0:
			_, err = m.store.NoShow(m.t.Context(), m.id, s.ID, tester)
		default:
			_, err = m.store.Seat(m.t.Context(), m.id, s.ID, tester)
		}
		must(m.t, err)
	}
}

// demoLayout is that of the hall that can be tried at once.
func demoLayout(t *testing.T) hall.Layout {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(rootDir, "internal", "app", "demo", "hall.json"))
	must(t, err)
	var layout hall.Layout
	must(t, json.Unmarshal(text, &layout))
	return layout
}

// largeLayout has so many machines in rooms of 15 or more, and so many subjects.
func largeLayout(t *testing.T, machines, subjects int) hall.Layout {
	t.Helper()
	layout := demoLayout(t)
	layout.Name = "Exam centre <b>No. 7</b> & annexe"
	layout.Subjects, layout.Rooms, layout.Models, layout.Machines = nil, nil, nil, nil
	for i := range subjects {
		code := strconv.Itoa(i + 1)
		layout.Subjects = append(layout.Subjects, hall.Subject{Code: code, Name: map[string]string{"en": "Subject " + code + ": dangerous goods <i>and</i> tunnels"}, Minutes: 15})
		layout.Models = append(layout.Models, hall.Model{ID: code, Subjects: []string{code, strconv.Itoa((i+1)%subjects + 1)}})
	}
	inRoom := max(15, machines/40)
	for i := range machines {
		room := strconv.Itoa(i/inRoom + 1)
		if i%inRoom == 0 {
			layout.Rooms = append(layout.Rooms, hall.Room{ID: room, Name: "Room " + room})
		}
		layout.Machines = append(layout.Machines, hall.MachineSpec{
			ID: fmt.Sprintf("%s-%02d", room, i%inRoom+1), Label: fmt.Sprintf("%s-%02d", room, i%inRoom+1), Room: room, Model: strconv.Itoa(i%subjects + 1), Spare: i%40 == 39,
		})
	}
	return layout
}
