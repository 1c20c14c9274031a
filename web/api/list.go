package api

import (
	"github.com/hallcall/hallcall/internal/hall"
)

// Paging is how a list is asked for.
type Paging struct {
	Page int `query:"page" default:"1" minimum:"1" maximum:"1000000000" doc:"which page, from 1"`
	Size int `query:"size" default:"50" maximum:"1000000" doc:"items a page; 0 or less means all"`
}

// page is the part of a list that was asked for; all is one page.
func (p Paging) page() hall.Page {
	if p.Size <= 0 {
		return hall.Page{Number: 1}
	}
	return hall.Page{Number: p.Page, Size: p.Size}
}

// list is a page of a list.
type list[T any] struct {
	Items []T `json:"items" nullable:"false"`
	Total int `json:"total" doc:"items in all"`
	Page  int `json:"page"`
	Size  int `json:"size" doc:"items a page as asked for; 0 is all"`
}

// replyList answers a page of a list, each item in its shape.
func replyList[D, S any](l hall.List[D], page hall.Page, shape func(*D) S) *reply[list[S]] {
	items := make([]S, len(l.Items))
	for i := range l.Items {
		items[i] = shape(&l.Items[i])
	}
	return &reply[list[S]]{Body: list[S]{Items: items, Total: l.Total, Page: page.Number, Size: page.Size}}
}

// pageOf cuts a page out of a whole list.
func pageOf[T any](all []T, page hall.Page) hall.List[T] {
	l := hall.List[T]{Items: all, Total: len(all)}
	if page.Size > 0 {
		from := min((page.Number-1)*page.Size, len(all))
		l.Items = all[from:min(from+page.Size, len(all))]
	}
	return l
}
