package roster

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// The marks at the beginning of a text that say how it is encoded.
const (
	markUTF8    = "\xef\xbb\xbf"
	markUTF16LE = "\xff\xfe"
	markUTF16BE = "\xfe\xff"
)

var (
	utf16LE = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16BE = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
)

// decode turns the bytes of a file into text. What a mark says holds; else what
// is UTF-8 throughout is that, and all else is GB18030, which covers GBK and
// GB2312. Nothing is replaced: a file with a byte that does not fit is refused.
func decode(data []byte) (string, error) {
	text, err := decodeMarked(data)
	switch {
	case err != nil:
		return "", err
	case trim(text) == "":
		return "", invalid("The file is empty.")
	case strings.IndexByte(text, 0) >= 0:
		return "", invalid("The file has a NUL byte: it is not text.")
	}
	return text, nil
}

func decodeMarked(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte(markUTF8)):
		return decodeUTF8(data[len(markUTF8):])
	case bytes.HasPrefix(data, []byte(markUTF16LE)):
		return decodeWith(utf16LE, "UTF-16", data[len(markUTF16LE):])
	case bytes.HasPrefix(data, []byte(markUTF16BE)):
		return decodeWith(utf16BE, "UTF-16", data[len(markUTF16BE):])
	}
	if e := unmarkedUTF16(data); e != nil {
		return decodeWith(e, "UTF-16", data)
	}
	if utf8.Valid(data) || damagedUTF8(data) {
		return decodeUTF8(data)
	}
	return decodeWith(simplifiedchinese.GB18030, "UTF-8, UTF-16 or GB18030", data)
}

// decodeUTF8 takes UTF-8 as it is, or says where it is none.
func decodeUTF8(data []byte) (string, error) {
	if utf8.Valid(data) {
		return string(data), nil
	}
	good := 0
	for {
		r, size := utf8.DecodeRune(data[good:])
		if r == utf8.RuneError && size == 1 {
			return "", invalid("Line %d has bytes that are not text in UTF-8.", bytes.Count(data[:good], []byte("\n"))+1)
		}
		good += size
	}
}

// decodeWith decodes a text that must fit its encoding throughout.
func decodeWith(e encoding.Encoding, name string, data []byte) (string, error) {
	var text strings.Builder
	text.Grow(len(data))
	w := transform.NewWriter(&text, e.NewDecoder())
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err != nil || strings.ContainsRune(text.String(), utf8.RuneError) {
		return "", invalid("The file is not text in %s. Save it as CSV (UTF-8).", name)
	}
	return text.String(), nil
}

// unmarkedUTF16 finds out whether a text is UTF-16 without a mark: then the
// digits, separators and line breaks of a roster have a zero beside them,
// always on the same side.
func unmarkedUTF16(data []byte) encoding.Encoding {
	if bytes.IndexByte(data, 0) < 0 {
		return nil
	}
	var zeros [2]int
	for i, b := range data {
		if b == 0 {
			zeros[i%2]++
		}
	}
	const share = 8 // at least one of so many bytes
	switch {
	case len(data)%2 != 0:
		return nil
	case zeros[0] == 0 && zeros[1] > len(data)/share:
		return utf16LE
	case zeros[1] == 0 && zeros[0] > len(data)/share:
		return utf16BE
	}
	return nil
}

// damagedUTF8 reports whether a text is UTF-8 but for a few bytes. It would
// make sense as GB18030 too, but not the right one: names would be others.
func damagedUTF8(data []byte) bool {
	good, bad := 0, 0
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		data = data[size:]
	}
	return good > 4*bad
}
