package roster

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// maxToken is how many bytes a tag or a text may have: no more is ever kept.
const maxToken = 4 * maxCell

// markup reads the XML of a part, tag by tag.
type markup struct {
	part    string
	body    io.ReadCloser
	decoder *xml.Decoder
	left    int    // bytes that may come for this token
	buffer  []byte // of the text that is put together
}

func newMarkup(part string, body io.ReadCloser) *markup {
	m := &markup{part: part, body: body}
	m.decoder = xml.NewDecoder(m)
	return m
}

// Read implements io.Reader for the decoder.
func (m *markup) Read(data []byte) (int, error) {
	if m.left <= 0 {
		return 0, m.tooLong()
	}
	n, err := m.body.Read(data)
	m.left -= n
	return n, err
}

// next returns the next tag or text, nil at the end of the part. Names are
// without their prefix in Local; a text is only good until the next call.
func (m *markup) next() (xml.Token, error) {
	m.left = maxToken
	token, err := m.decoder.RawToken()
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil //nolint:nilnil // the end is no error
	case hall.CodeOf(err) == hall.CodeInvalid:
		return nil, err
	case err != nil:
		return nil, damaged(m.part)
	}
	return token, nil
}

func (m *markup) tooLong() error {
	return invalid("The workbook has a cell of more than %d bytes: it is no roster.", maxCell)
}

// keep adds to the text that is put together.
func (m *markup) keep(text []byte) error {
	if len(m.buffer)+len(text) > maxCell {
		return m.tooLong()
	}
	m.buffer = append(m.buffer, text...)
	return nil
}

// close closes a part that is not read further.
func (m *markup) close() error { return m.body.Close() }

// finish reads what is left, so that damage there is found, and closes the part.
func (m *markup) finish() error {
	defer func() { _ = m.body.Close() }()
	_, err := io.Copy(io.Discard, m.body)
	if err != nil && hall.CodeOf(err) != hall.CodeInvalid {
		return damaged(m.part)
	}
	return err
}

// each calls f with every tag that opens, up to the end of the part.
func (m *markup) each(f func(tag xml.StartElement) error) error {
	for {
		token, err := m.next()
		if err != nil {
			return err
		}
		if token == nil {
			return m.finish()
		}
		if tag, ok := token.(xml.StartElement); ok {
			if err := f(tag); err != nil {
				return err
			}
		}
	}
}

// attribute returns the value of an attribute, "" without it.
func attribute(tag *xml.StartElement, name string) string {
	for i := range tag.Attr {
		if tag.Attr[i].Name.Local == name {
			return tag.Attr[i].Value
		}
	}
	return ""
}

// isSet reports whether an attribute says yes.
func isSet(tag *xml.StartElement, name string) bool {
	value := attribute(tag, name)
	return value == "1" || strings.EqualFold(value, "true")
}
