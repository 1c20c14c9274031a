package web

import (
	"testing"
	"time"
)

func TestAbout(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]string{
		0: "a few minutes", 9*time.Minute + 59*time.Second: "a few minutes", 10 * time.Minute: "about 10\u00a0min",
		12*time.Minute + 29*time.Second: "about 10\u00a0min", 12*time.Minute + 30*time.Second: "about 15\u00a0min",
		57 * time.Minute: "about 55\u00a0min", 58 * time.Minute: "about 1\u00a0h", 123 * time.Minute: "about 2\u00a0h\u00a05\u00a0min",
	} {
		if got := about(english, &wait); got != want {
			t.Errorf("%s is %q, want %q", wait, got, want)
		}
	}
	if got := about(english, nil); got != "" {
		t.Errorf("no estimate is %q", got)
	}
}

func TestTopicNames(t *testing.T) {
	t.Parallel()
	for _, want := range []topic{
		{hall: "h", view: viewBoard}, {hall: "a/b {}", view: viewProctor, room: "Room 1"}, {hall: "", view: "", room: ""},
	} {
		if got := topicOf(want.name()); got != want {
			t.Errorf("topic %v becomes %v", want, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		hallURL("a/b", "board"):                                     "/halls/a%2Fb/board",
		hallURL("100%", "proctor", "queue", "c d"):                  "/halls/100%25/proctor/queue/c%20d",
		withRoom("/x", ""):                                          "/x",
		withRoom("/x", "a&b"):                                       "/x?room=a%26b",
		liveURL(topic{hall: "h", view: viewBoard}):                  "/halls/h/live?view=board",
		liveURL(topic{hall: "h", view: viewProctor, room: "a b#c"}): "/halls/h/live?room=a+b%23c&view=proctor",
	} {
		if got != want {
			t.Errorf("address %q, want %q", got, want)
		}
	}
}
