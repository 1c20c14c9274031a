package hall

// heap gives what was put in, the least first.
type heap[T interface{ compare(other T) int }] struct{ items []T }

func (h *heap[T]) put(item T) {
	h.items = append(h.items, item)
	for i := len(h.items) - 1; i > 0; {
		parent := (i - 1) / 2
		if h.items[i].compare(h.items[parent]) >= 0 {
			return
		}
		h.items[i], h.items[parent] = h.items[parent], h.items[i]
		i = parent
	}
}

// take removes the least; there must be one.
func (h *heap[T]) take() T {
	least, last := h.items[0], len(h.items)-1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	h.sink(0)
	return least
}

// sink moves an item that has grown to its place.
func (h *heap[T]) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			return
		}
		if child+1 < len(h.items) && h.items[child+1].compare(h.items[child]) < 0 {
			child++
		}
		if h.items[i].compare(h.items[child]) <= 0 {
			return
		}
		h.items[i], h.items[child] = h.items[child], h.items[i]
		i = child
	}
}
