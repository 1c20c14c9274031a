package templates

// DocsPage describes the API to people.
type DocsPage struct {
	Page

	Document string // address of the OpenAPI document
}
