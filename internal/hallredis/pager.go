package hallredis

import (
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// pager collects one page of a list that is read in chunks.
type pager[T any] struct {
	list       hall.List[T]
	skip, size int // size 0: all
}

func newPager[T any](page hall.Page) *pager[T] {
	p := &pager[T]{size: max(page.Size, 0)}
	p.list.Items = []T{}
	p.skip = (max(page.Number, 1) - 1) * p.size
	return p
}

// skipAll says how many items the reader shall leave out by itself.
func (p *pager[T]) skipAll() int {
	n := p.skip
	p.skip = 0
	return n
}

func (p *pager[T]) full() bool { return p.size > 0 && len(p.list.Items) >= p.size }

// room is how many items of the page are still missing, at most n.
func (p *pager[T]) room(n int) int {
	if p.size == 0 {
		return n
	}
	return min(n, p.size-len(p.list.Items))
}

// add takes the next item of the list: it counts, and is kept if it is on the page.
func (p *pager[T]) add(item T) {
	p.list.Total++
	if p.skip > 0 {
		p.skip--
	} else if !p.full() {
		p.list.Items = append(p.list.Items, item)
	}
}

func contains(list []string, item string) bool { return slices.Contains(list, item) }
