// Package templates holds the pages and fragments. Each takes one typed view
// model that is already formatted: strings, numbers to show, addresses. The
// same fragment serves the page and the live message.
package templates

//go:generate go tool templ generate
