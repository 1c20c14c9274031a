// Package web serves the pages of hallcall and what makes them change by
// themselves. Each resource has a file with its handlers; the mapping from the
// domain to what a page shows stands in a file of the same name with _view.
package web
