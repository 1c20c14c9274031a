package dispatch

import (
	"container/heap"
	"time"
)

// appointment says when a hall is looked at next.
type appointment struct {
	hall  string
	at    time.Time
	index int // in the heap
}

// queue holds one appointment a hall, the earliest on top.
type queue struct {
	heap   earliest
	byHall map[string]*appointment
}

func newQueue() *queue { return &queue{byHall: map[string]*appointment{}} }

// earliest sorts appointments for container/heap.
type earliest []*appointment

func (e earliest) Len() int           { return len(e) }
func (e earliest) Less(i, j int) bool { return e[i].at.Before(e[j].at) }
func (e earliest) Swap(i, j int) {
	e[i], e[j] = e[j], e[i]
	e[i].index, e[j].index = i, j
}

// Push implements heap.Interface.
func (e *earliest) Push(x any) {
	a, _ := x.(*appointment) // nothing else is pushed
	a.index = len(*e)
	*e = append(*e, a)
}

// Pop implements heap.Interface.
func (e *earliest) Pop() any {
	last := len(*e) - 1
	a := (*e)[last]
	(*e)[last] = nil
	*e = (*e)[:last]
	return a
}

// set makes the appointment of a hall, or moves it.
func (q *queue) set(hall string, at time.Time) {
	if a, ok := q.byHall[hall]; ok {
		a.at = at
		heap.Fix(&q.heap, a.index)
		return
	}
	a := &appointment{hall: hall, at: at}
	q.byHall[hall] = a
	heap.Push(&q.heap, a)
}

// bring makes the appointment of a hall no later than at.
func (q *queue) bring(hall string, at time.Time) {
	if a, ok := q.byHall[hall]; !ok || at.Before(a.at) {
		q.set(hall, at)
	}
}

// next is the earliest time that a hall is to be looked at.
func (q *queue) next() (at time.Time, ok bool) {
	if len(q.heap) == 0 {
		return time.Time{}, false
	}
	return q.heap[0].at, true
}

// due takes a hall out whose time has come by now, the earliest first.
func (q *queue) due(now time.Time) (hall string, ok bool) {
	if len(q.heap) == 0 || q.heap[0].at.After(now) {
		return "", false
	}
	a, _ := heap.Pop(&q.heap).(*appointment)
	delete(q.byHall, a.hall)
	return a.hall, true
}
