package roster

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"strings"
)

// Limits of a workbook. What says that it unzips to more is refused at once, what
// does so all the same while it is read.
const (
	maxUnzipped = 160 << 20 // bytes of all parts that are read
	maxParts    = 10_000
)

// parts are the files within a workbook, by name in lower case.
type parts struct {
	byName map[string]*zip.File
	left   int // bytes that may still be unzipped
	texts  int // bytes that the shared texts may have
}

// openParts reads the directory of a workbook.
func openParts(data []byte) (*parts, error) {
	if bytes.Count(data, []byte("PK\x01\x02")) > maxParts { // before anything is kept of each
		return nil, invalid("The file has more than %d parts: it is no workbook.", maxParts)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, damaged("its directory")
	}
	p := &parts{byName: map[string]*zip.File{}, left: maxUnzipped, texts: maxShared}
	for _, file := range archive.File {
		p.byName[partName(file.Name)] = file
	}
	return p, nil
}

// partName is a name without what programs write differently.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

func (p *parts) has(name string) bool { return p.byName[partName(name)] != nil }

// open opens a part to be read as XML; nil without an error if there is none.
func (p *parts) open(name string) (*markup, error) {
	file := p.byName[partName(name)]
	if file == nil {
		return nil, nil
	}
	const encrypted = 1
	if file.Flags&encrypted != 0 {
		return nil, invalid("The file is protected with a password. Save it without one.")
	}
	if file.UncompressedSize64 > uint64(max(p.left, 0)) {
		return nil, tooMuch()
	}
	r, err := file.Open()
	if err != nil {
		return nil, damaged(name)
	}
	return newMarkup(name, &budget{r: r, left: &p.left}), nil
}

// budget lets no more be read than is left for all parts.
type budget struct {
	r    io.ReadCloser
	left *int
}

func (b *budget) Read(data []byte) (int, error) {
	if *b.left <= 0 {
		return 0, tooMuch()
	}
	n, err := b.r.Read(data)
	*b.left -= n
	return n, err
}

// Close implements io.Closer.
func (b *budget) Close() error { return b.r.Close() }

func tooMuch() error {
	return invalid("The workbook unzips to more than %d MB: it is no roster.", maxUnzipped>>20)
}

func damaged(what string) error {
	return invalid("The workbook is damaged: %s cannot be read. Open it in a spreadsheet program and save it again.", shorten(what))
}
