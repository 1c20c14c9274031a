package contract

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// location is the address by which schemas refer to each other; it is nowhere.
const location = "contract:openapi.json"

// schemas are those of a document, by JSON pointer.
type schemas struct {
	mu       sync.Mutex // the compiler is for one at a time
	compiler *jsonschema.Compiler
}

func newSchemas(document []byte) (*schemas, error) {
	value, err := decode(document)
	if err != nil {
		return nil, fmt.Errorf("contract: parse the document: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020) // that of OpenAPI 3.1
	compiler.AssertFormat()                     // a date-time must be one
	if err := compiler.AddResource(location, value); err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	return &schemas{compiler: compiler}, nil
}

// at returns the schema at a place of the document.
func (s *schemas) at(place string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	address := location + "#" + (&url.URL{Fragment: place}).EscapedFragment()
	return s.compiler.Compile(address) // which remembers
}

// check holds a value against the schema at a place of the document.
func (s *schemas) check(place string, value any) error {
	schema, err := s.at(place)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// decode reads one JSON value and nothing behind it, with exact numbers.
func decode(data []byte) (any, error) { return jsonschema.UnmarshalJSON(bytes.NewReader(data)) }

// pointer is a JSON pointer (RFC 6901) to a place.
func pointer(names ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var place strings.Builder
	for _, name := range names {
		place.WriteString("/" + escape.Replace(name))
	}
	return place.String()
}
