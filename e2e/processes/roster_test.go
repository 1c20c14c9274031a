package processes_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// pages is a browser that has signed in; its cookies are good for every server of a data folder.
type pages struct {
	*testing.T

	http *http.Client
}

func signIn(s *server) *pages {
	s.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.Fatal(err)
	}
	transport := &http.Transport{}
	s.Cleanup(transport.CloseIdleConnections)
	p := &pages{T: s.T, http: &http.Client{Jar: jar, Transport: transport, Timeout: 30 * time.Second}}
	if status, _ := p.send(s.url+"/login", url.Values{"user": {"admin"}, "password": {"a password for tests"}}); status != http.StatusOK {
		s.Fatalf("signed in: %d", status)
	}
	return p
}

// send sends a form, or asks for a page if there is none. The status is 0 if no answer came.
func (p *pages) send(address string, form url.Values) (status int, body string) {
	var response *http.Response
	var err error
	if form == nil {
		response, err = p.http.Get(address)
	} else {
		response, err = p.http.PostForm(address, form)
	}
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	read, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(read)
}

var uploadField = regexp.MustCompile(`name="upload" value="([A-Z2-7]{26})"`)

// preview sends a roster and returns the name of the upload.
func (p *pages) preview(address, text string) string {
	p.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "long.csv")
	if err != nil {
		p.Fatal(err)
	}
	_, _ = io.WriteString(part, text)
	_ = form.Close()
	response, err := p.http.Post(address, form.FormDataContentType(), &body)
	if err != nil {
		p.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	read, _ := io.ReadAll(response.Body)
	found := uploadField.FindSubmatch(read)
	if found == nil {
		p.Fatalf("the preview is %d %s", response.StatusCode, read)
	}
	return string(found[1])
}

// TestKilledInAnImport kills the server in the middle of a long roster: the page
// says what was taken, and going on completes it.
func TestKilledInAnImport(t *testing.T) {
	t.Parallel()
	const rows = 20_000
	data := shortDir(t)
	s := serve(t, "--data", data, "--demo")
	before := len(s.candidates("demo"))
	var text strings.Builder
	text.WriteString("candidate_id,name,subjects\n")
	for i := range rows {
		fmt.Fprintf(&text, "long%06d,Candidate %d,1|2\n", i, i)
	}
	const roster = "/halls/demo/staff/roster"
	p := signIn(s)
	id := p.preview(s.url+roster, text.String())
	pressed := make(chan struct{})
	go func() {
		defer close(pressed)
		_, _ = p.send(s.url+roster+"/import", url.Values{"upload": {id}})
	}()
	onRoster := func(s *server) int {
		var list struct{ Total int }
		s.must("GET", api+"demo/candidates?size=1", nil, &list)
		return list.Total - before
	}
	s.await("the first step", func() bool { return onRoster(s) > 0 })
	s.kill()
	<-pressed

	s = serve(t, "--data", data)
	taken := onRoster(s)
	if taken == 0 || taken >= rows {
		t.Fatalf("the server was killed after %d rows", taken)
	}
	s.await("the page to say so", func() bool {
		_, body := p.send(s.url+roster+"/"+id, nil)
		return strings.Contains(body, "The server stopped after ") && uploadField.MatchString(body)
	})
	doctor(t, "demo", "--data", data)
	if status, _ := p.send(s.url+roster+"/import", url.Values{"upload": {id}}); status != http.StatusOK {
		t.Fatalf("going on: %d", status)
	}
	s.await("the end", func() bool {
		_, body := p.send(s.url+roster+"/"+id, nil)
		return strings.Contains(body, `data-testid="count-created">20,000<`)
	})
	if n := onRoster(s); n != rows {
		t.Errorf("%d rows are on the roster", n)
	}
	doctor(t, "demo", "--data", data)
}
