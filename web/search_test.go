package web_test

import (
	"net/http"
	"net/url"
	"testing"
)

const searchPath = "/halls/h/proctor/search"

func TestFindSomebody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	for name, test := range map[string]struct{ text, ticket, where, link string }{
		"ticket, called":        {"n001", "N001", "c1 · called: A, machine m1", "/halls/h/proctor/machines/m1"},
		"number, in line":       {"c3", "N003", "c3 · in line", "/halls/h/proctor/queue/c3"},
		"name, not here":        {"name OF c4", "–", "c4 · not here yet", "/halls/h/proctor/check-in?candidate=c4"},
		"full-width, in blanks": {" ｃ３\u3000", "N003", "c3 · in line", "/halls/h/proctor/queue/c3"},
	} {
		p := b.post(searchPath, url.Values{"q": {test.text}}, htmx...).expect(t, http.StatusOK)
		row := p.part("found")
		if got := squeezed(row.Find(".row-ticket").Text()); got != test.ticket {
			t.Errorf("%s: found %q, want %q", name, got, test.ticket)
		}
		if got := squeezed(row.Find(".row-more").Text()); got != test.where {
			t.Errorf("%s: it says %q, want %q", name, got, test.where)
		}
		if got := p.part("found").Find("a").AttrOr("href", ""); got != test.link {
			t.Errorf("%s: leads to %q", name, got)
		}
	}
	if p := b.post(searchPath, url.Values{"q": {"c"}}); p.part("found").Length() < 4 { // as a page of its own
		t.Errorf("%d found", p.part("found").Length())
	}
	if p := b.post(searchPath, url.Values{"q": {"<b>"}}, htmx...); p.part("found-none").Length() != 1 || p.part("found").Length() != 0 {
		t.Error("found somebody")
	}
	if p := b.get(searchPath, htmx...); p.part("found-none").Length() != 0 {
		t.Error("an empty form has looked for somebody")
	}
	if p := b.get(searchPath+"?q=c1", htmx...); p.part("found").Length() != 0 {
		t.Error("what somebody looks for can stand in an address")
	}
	if got := b.get("/halls/h/proctor/check-in?candidate=c4", htmx...).Find("#check-in-candidate").AttrOr("value", ""); got != "c4" {
		t.Errorf("the check-in is for %q", got)
	}
}
