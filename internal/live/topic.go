package live

// topic is one subject of interest: its newest state and who watches it. The
// hub's lock guards it.
type topic struct {
	name    string
	message []byte
	version uint64 // of message, 0 while there is none
	clients map[*client]struct{}
}

func newTopic(name string) *topic {
	return &topic{name: name, clients: map[*client]struct{}{}}
}

// notify tells every client that there is something new; none is waited for.
func (t *topic) notify() {
	for c := range t.clients {
		c.wake()
	}
}
