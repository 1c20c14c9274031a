package web

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

const (
	// uploadTimeout is how long a file may take to come: the longest one on a
	// line of two megabits.
	uploadTimeout = 5 * time.Minute

	// readingTimeout is how long reading it may take, waiting for others included.
	readingTimeout = time.Minute

	// maxRest is how much of a file that is too long is waited for: a browser
	// shows no answer before it has sent everything.
	maxRest = 512 << 20

	maxFileName = 100 // characters
	fileField   = "file"
)

var (
	errUploadTooLong = errors.New("web: the file is too long")
	errNoFile        = &hall.Error{Code: hall.CodeInvalid, Message: "Choose a file first."}
)

// isUpload reports whether a request brings a file.
func isUpload(c echo.Context) bool {
	return c.Path() == pathHall+pathRoster && c.Request().Method == http.MethodPost
}

// readUpload reads the file of a form. It is kept in memory once, and never on
// disk: there are names in it.
func readUpload(c echo.Context) (name string, data []byte, err error) {
	giveTime(c)
	r := c.Request()
	defer func() {
		if err != nil {
			_, _ = io.CopyN(io.Discard, r.Body, maxRest) // whatever happens, the answer is sent
		}
	}()
	if r.ContentLength > roster.MaxBytes+maxFormAround {
		return "", nil, errUploadTooLong
	}
	form, err := r.MultipartReader()
	if err != nil {
		return "", nil, errNoFile
	}
	for {
		part, err := form.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return "", nil, errNoFile
		case err != nil:
			return "", nil, echo.ErrBadRequest.SetInternal(err)
		case part.FormName() == fileField:
			return readPart(part, r.ContentLength)
		}
	}
}

// maxFormAround is how much a form has beside its file.
const maxFormAround = 64 << 10

// readPart reads the file itself.
func readPart(part *multipart.Part, expected int64) (name string, data []byte, err error) {
	var file bytes.Buffer
	file.Grow(int(min(max(expected, 0), roster.MaxBytes)) + bytes.MinRead) // so that it need not grow
	_, err = file.ReadFrom(io.LimitReader(part, roster.MaxBytes+1))
	switch {
	case err != nil:
		return "", nil, echo.ErrBadRequest.SetInternal(err)
	case file.Len() > roster.MaxBytes:
		return "", nil, errUploadTooLong
	case file.Len() == 0 && part.FileName() == "":
		return "", nil, errNoFile
	}
	return fileName(part.FileName()), file.Bytes(), nil
}

// quoted are the characters that browsers write differently in the name of a file.
var quoted = strings.NewReplacer("%22", `"`, "%0D", "", "%0A", "")

// fileName is what a page calls a file: without folders, and without what
// cannot be seen.
func fileName(sent string) string {
	sent = quoted.Replace(sent[strings.LastIndexAny(sent, `/\`)+1:])
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(sent, "")))
	switch runes := []rune(name); {
	case name == "":
		return "(without a name)"
	case len(runes) > maxFileName:
		return string(runes[:maxFileName]) + "…"
	}
	return name
}

// giveTime lets a request take longer than others. Not every connection can.
func giveTime(c echo.Context) {
	now := time.Now() //nolint:forbidigo // deadlines are by the node's clock
	connection := http.NewResponseController(c.Response())
	_ = connection.SetReadDeadline(now.Add(uploadTimeout))
	_ = connection.SetWriteDeadline(now.Add(uploadTimeout + 2*readingTimeout))
}
