package hallredis

// reply is what a script answers after its outcome.
type reply []any

// text is element i as a string, "" if it is not there.
func (r reply) text(i int) string {
	if i >= len(r) {
		return ""
	}
	s, _ := r[i].(string)
	return s
}

// number is element i as an integer, 0 if it is not there.
func (r reply) number(i int) int64 {
	if i >= len(r) {
		return 0
	}
	n, _ := r[i].(int64)
	return n
}

// list is element i as a list, empty if it is not there.
func (r reply) list(i int) reply {
	if i >= len(r) {
		return nil
	}
	l, _ := r[i].([]any)
	return l
}

// texts is element i as a list of strings.
func (r reply) texts(i int) []string {
	l := r.list(i)
	list := make([]string, len(l))
	for j := range l {
		list[j] = l.text(j)
	}
	return list
}

// pairs reads element i, a flat list of names and values, as a map.
func (r reply) pairs(i int) map[string]string {
	flat := r.list(i)
	m := make(map[string]string, len(flat)/2)
	for j := 0; j+1 < len(flat); j += 2 {
		m[flat.text(j)] = flat.text(j + 1)
	}
	return m
}
