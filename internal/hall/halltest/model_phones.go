package halltest

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// GivePhone notes the secret that a check-in gave and returns the one that
// counts: a candidate's first.
func (m *Model) GivePhone(id, secret string) string {
	if _, given := m.Secrets[id]; !given {
		m.Secrets[id] = secret
	}
	return m.Secrets[id]
}

// comparePhones opens the phone pages of everybody, and some that nobody has.
func (p *play) comparePhones(r *rapid.T, st *hall.State) {
	if !maps.Equal(st.Secrets, p.model.Secrets) {
		r.Fatal("the secrets of phone pages are not those that check-in gave")
	}
	asked := append(slices.Sorted(maps.Values(p.model.Secrets)), hall.NewPhoneSecret(), "", "*")
	entries, err := p.store.PhoneEntries(p.ctx, p.id, asked)
	if err != nil || len(entries) != len(p.model.Secrets) {
		r.Fatalf("%d phone pages, want %d (%v)", len(entries), len(p.model.Secrets), err)
	}
	for id, secret := range p.model.Secrets {
		e, c := entries[secret], p.model.Candidates[id]
		ahead := 0
		if c.State == hall.Waiting {
			ahead = p.model.Ahead(id)
		}
		if e.ID != id || e.State != c.State || e.Ahead != ahead || e.Sitting != c.Sitting || (e.Current != nil) != (c.Sitting != "") {
			r.Fatalf("the phone page of %s shows %s, %s with %d ahead, want %s with %d", id, e.ID, e.State, e.Ahead, c.State, ahead)
		}
	}
}
