package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	router(&fakeStore{}).ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/openapi.json", nil))
	if recorder.Code != http.StatusOK || recorder.Header().Get("Content-Type") != "application/openapi+json" {
		t.Fatalf("answered %d as %q", recorder.Code, recorder.Header().Get("Content-Type"))
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Responses   map[string]struct {
				Description string
				Content     map[string]any
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Enum    []string
					Default any
				}
			}
		}
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for path, operations := range document.Paths {
		if !strings.HasPrefix(path, "/api/v1/halls") && !strings.HasPrefix(path, "/api/v1/metrics") {
			t.Errorf("path %s", path)
		}
		for _, operation := range operations {
			if operation.OperationID == "" || seen[operation.OperationID] {
				t.Errorf("%s: operation id %q is empty or used twice", path, operation.OperationID)
			}
			seen[operation.OperationID] = true
		}
	}
	for _, status := range []string{"400", "401", "408", "413", "422", "500", "503"} {
		for path, operations := range document.Paths {
			for method, operation := range operations {
				if response, ok := operation.Responses[status]; !ok || response.Description == "" || response.Content["application/problem+json"] == nil {
					t.Errorf("%s %s does not describe %s: %+v", method, path, status, response)
				}
			}
		}
	}
	rules := hall.DefaultRules()
	if order := document.Components.Schemas["Rules"].Properties["order"]; !slices.Equal(order.Enum, []string{"fifo", "strict", "ageing"}) || order.Default != rules.Order {
		t.Errorf("rule order is described as %+v", order)
	}
	if len(seen) != 52 {
		t.Errorf("%d operations: %v", len(seen), seen)
	}
	for name := range document.Components.Schemas {
		if strings.Contains(name, "Shape") || strings.Contains(name, "-") {
			t.Errorf("schema name %s", name)
		}
	}
}
