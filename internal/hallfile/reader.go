package hallfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"
)

// Reader reads a file from its beginning to its end. What was read is only good
// once Next has answered io.EOF: the checksum stands at the end.
type Reader struct {
	// Header is what the file says of itself.
	Header Header
	// Summary is there once Next has answered io.EOF.
	Summary Summary
	// Stream is what the last key knows beside its entries, if it is a stream and
	// Element has answered io.EOF.
	Stream StreamState

	raw     *bufio.Reader // of the gzip member
	zip     *gzip.Reader
	content *bufio.Reader
	sum     hash.Hash
	want    []byte

	open  Kind
	count int // elements of the key so far
	last  streamID
	names map[string]bool
}

// NewReader begins to read a file of so many bytes: ErrNoBackup for what is none,
// ErrDamaged for what is damaged so far.
func NewReader(file io.ReaderAt, size int64) (*Reader, error) {
	line, err := firstLine(file)
	if err != nil {
		return nil, err
	}
	begin, end := int64(len(line)), size-sha256.Size
	if end <= begin {
		return nil, damaged("it ends too soon")
	}
	r := &Reader{sum: sha256.New(), want: make([]byte, sha256.Size), names: map[string]bool{}}
	if _, err := file.ReadAt(r.want, end); err != nil {
		return nil, damaged("%v", err)
	}
	r.sum.Write([]byte(line))
	r.raw = bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(file, begin, end-begin), r.sum), 1<<16)
	if r.zip, err = gzip.NewReader(r.raw); err != nil {
		return nil, damaged("%v", err)
	}
	r.zip.Multistream(false)
	r.content = bufio.NewReaderSize(&bounded{r.zip, freeLength + maxUnfolding*size}, 1<<16)
	if err := r.document(&r.Header); err != nil {
		return nil, err
	}
	return r, nil
}

// firstLine reads the line that says what the file is, with its end.
func firstLine(file io.ReaderAt) (string, error) {
	var begin [32]byte
	n, err := file.ReadAt(begin[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	line, _, whole := strings.Cut(string(begin[:n]), "\n")
	number, ok := strings.CutPrefix(line, magic)
	if !ok || !whole {
		return "", ErrNoBackup
	}
	if number != strconv.Itoa(format) {
		return "", fmt.Errorf("the backup has format %q: this program reads format %d only", number, format)
	}
	return line + "\n", nil
}

// Next begins with the next key; what is left of the one before is passed over.
// io.EOF at the end of a file that is whole.
func (r *Reader) Next() (Key, error) {
	for r.open != 0 {
		if _, err := r.Element(); err != nil && !errors.Is(err, io.EOF) {
			return Key{}, err
		}
	}
	kind, err := r.content.ReadByte()
	if err != nil {
		return Key{}, r.cut(err)
	}
	if kind == 0 {
		return Key{}, r.end()
	}
	key := Key{Kind: Kind(kind)}
	if !key.Kind.known() {
		return Key{}, damaged("a key has the unknown kind %q", kind)
	}
	if key.Name, err = r.text(maxName); err != nil {
		return Key{}, err
	}
	ends, err := r.number(1 << 62)
	if err != nil {
		return Key{}, err
	}
	if ends > 0 {
		key.Ends = time.UnixMilli(ends).UTC()
	}
	if r.names[key.Name] || len(r.names) >= maxKeys {
		return Key{}, damaged("the key %q is there twice, or one of too many", key.Name)
	}
	r.names[key.Name] = true
	r.open, r.count, r.last = key.Kind, 0, streamID{}
	return key, nil
}

// Element reads an element of the key; io.EOF when there is none left.
func (r *Reader) Element() ([]string, error) {
	if r.open == 0 {
		return nil, io.EOF
	}
	n, err := r.number(maxTexts)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, r.endKey()
	}
	r.count++
	if !r.open.fits(int(n)) || (r.open == String && r.count > 1) {
		return nil, damaged("a key of kind %q has an element of %d texts", r.open, n)
	}
	texts := make([]string, n)
	for i := range texts {
		if texts[i], err = r.text(maxText); err != nil {
			return nil, err
		}
	}
	return texts, r.check(texts)
}

// check looks whether Redis would take an element.
func (r *Reader) check(texts []string) error {
	switch r.open {
	case ZSet:
		if score, err := strconv.ParseFloat(texts[1], 64); err != nil || score != score {
			return damaged("a score is %q", texts[1])
		}
	case Stream:
		id, ok := parseStreamID(texts[0])
		if !ok || !r.last.before(id) {
			return damaged("an entry of a stream has the id %q", texts[0])
		}
		r.last = id
	default:
	}
	return nil
}

// endKey ends a key: io.EOF if that is right.
func (r *Reader) endKey() error {
	kind := r.open
	r.open = 0
	if kind == String && r.count == 0 {
		return damaged("a text is missing")
	}
	if kind != Stream {
		return io.EOF
	}
	r.Stream = StreamState{}
	for _, text := range []*string{&r.Stream.Last, &r.Stream.Deleted, &r.Stream.Added} {
		var err error
		if *text, err = r.text(maxName); err != nil {
			return err
		}
	}
	if !r.Stream.fits(r.last) {
		return damaged("the state of a stream is %+v", r.Stream)
	}
	return io.EOF
}

// end reads what stands behind the keys and compares the checksum: io.EOF if all is right.
func (r *Reader) end() error {
	if err := r.document(&r.Summary); err != nil {
		return err
	}
	if r.Summary.Keys != len(r.names) {
		return damaged("it has %d keys and says %d", len(r.names), r.Summary.Keys)
	}
	if _, err := r.content.ReadByte(); !errors.Is(err, io.EOF) {
		return damaged("something stands behind its end")
	}
	if n, err := io.Copy(io.Discard, r.raw); n > 0 || err != nil {
		return damaged("something stands behind its end")
	}
	if subtle.ConstantTimeCompare(r.sum.Sum(nil), r.want) == 0 {
		return damaged("its checksum is another one")
	}
	return io.EOF
}

func (r *Reader) document(v any) error {
	text, err := r.text(maxDocument)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		return damaged("%v", err)
	}
	return nil
}

// text reads a text. It takes memory only as the text comes in.
func (r *Reader) text(most int64) (string, error) {
	n, err := r.number(most)
	if err != nil {
		return "", err
	}
	if n <= 1<<12 {
		text := make([]byte, n)
		if _, err := io.ReadFull(r.content, text); err != nil {
			return "", r.cut(err)
		}
		return string(text), nil
	}
	var text bytes.Buffer
	if _, err := io.CopyN(&text, r.content, n); err != nil {
		return "", r.cut(err)
	}
	return text.String(), nil
}

// number reads a number up to most.
func (r *Reader) number(most int64) (int64, error) {
	n, err := binary.ReadUvarint(r.content)
	if err != nil {
		return 0, r.cut(err)
	}
	if n > uint64(most) { //nolint:gosec // most is a limit of ours
		return 0, damaged("a number is %d where at most %d can be", n, most)
	}
	return int64(n), nil //nolint:gosec // not above most
}

// cut is the error where the content ends or cannot be read.
func (r *Reader) cut(err error) error {
	if errors.Is(err, io.EOF) {
		return damaged("it ends too soon")
	}
	return damaged("%v", err)
}
