package api

import (
	"bufio"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// patience is how long a client may take for each part of a long answer.
const patience = time.Minute

// Stream answers a request with what write writes, however long that takes, as
// long as the client goes on reading. An error before anything was sent is
// returned, so that it can be answered; after that the connection is broken
// off, so that nobody takes a part for the whole.
func Stream(c echo.Context, write func(io.Writer) error) error {
	response := c.Response()
	out := bufio.NewWriterSize(&patient{response, http.NewResponseController(response)}, 32<<10)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil && response.Committed {
		panic(http.ErrAbortHandler) // what net/http takes as the wish to break off
	}
	return err
}

// patient gives the client more time with each part.
type patient struct {
	io.Writer

	control *http.ResponseController
}

func (p *patient) Write(data []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(patience)) //nolint:forbidigo // connections go by this node's clock; some have no deadlines
	return p.Writer.Write(data)
}
