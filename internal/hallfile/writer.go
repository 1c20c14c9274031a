package hallfile

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"io"
)

// format is the number of this format. One that reads otherwise has another.
const format = 1

const magic = "hallcall backup "

// Writer writes a file. An error lasts: it is enough to look at that of Close.
type Writer struct {
	to   io.Writer // the file and the sum
	file io.Writer
	sum  hash.Hash
	zip  *gzip.Writer
	out  *bufio.Writer // the content
	err  error
	open Kind // of the key that is being written, 0 for none
	keys int
}

// NewWriter begins a file.
func NewWriter(file io.Writer, header Header) (*Writer, error) {
	sum := sha256.New()
	w := &Writer{to: io.MultiWriter(file, sum), file: file, sum: sum}
	if _, err := fmt.Fprintf(w.to, "%s%d\n", magic, format); err != nil {
		return nil, err
	}
	// Fast rather than small: it is written beside a server that works.
	zip, err := gzip.NewWriterLevel(w.to, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	w.zip, w.out = zip, bufio.NewWriterSize(zip, 1<<16)
	w.document(header)
	return w, w.err
}

// Key begins a key, and ends the one before.
func (w *Writer) Key(key Key) {
	w.endKey(StreamState{})
	w.open = key.Kind
	w.keys++
	w.byte(byte(key.Kind))
	w.text(key.Name)
	ends := uint64(0)
	if !key.Ends.IsZero() {
		ends = uint64(max(key.Ends.UnixMilli(), 1))
	}
	w.number(ends)
}

// Add adds an element to the key.
func (w *Writer) Add(texts ...string) {
	if w.err == nil && !w.open.fits(len(texts)) {
		w.err = fmt.Errorf("an element of %d texts for a key of kind %q", len(texts), w.open)
	}
	w.number(uint64(len(texts)))
	for _, text := range texts {
		w.text(text)
	}
}

// EndStream ends a key that is a stream. Without it nothing is known of the stream but its entries.
func (w *Writer) EndStream(state StreamState) { w.endKey(state) }

func (w *Writer) endKey(state StreamState) {
	if w.open == 0 {
		return
	}
	w.byte(0)
	if w.open == Stream {
		w.text(state.Last)
		w.text(state.Deleted)
		w.text(state.Added)
	}
	w.open = 0
}

// Close ends the file, not what it is written to. The number of keys is filled in.
func (w *Writer) Close(summary Summary) error {
	w.endKey(StreamState{})
	w.byte(0)
	summary.Keys = w.keys
	w.document(summary)
	for _, end := range []func() error{w.out.Flush, w.zip.Close} {
		if err := end(); w.err == nil {
			w.err = err
		}
	}
	if w.err != nil {
		return w.err
	}
	_, err := w.file.Write(w.sum.Sum(nil))
	return err
}

func (w *Writer) document(v any) {
	text, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.text(string(text))
}

func (w *Writer) text(text string) {
	w.number(uint64(len(text)))
	if w.err == nil {
		_, w.err = w.out.WriteString(text)
	}
}

func (w *Writer) number(n uint64) {
	if w.err == nil {
		_, w.err = w.out.Write(binary.AppendUvarint(w.out.AvailableBuffer(), n))
	}
}

func (w *Writer) byte(b byte) {
	if w.err == nil {
		w.err = w.out.WriteByte(b)
	}
}
