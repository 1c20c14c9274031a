package roster

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
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

// The encodings as they are told.
const (
	nameUTF8    = "UTF-8"
	nameUTF16   = "UTF-16"
	nameGB18030 = "GB18030"
	nameRussian = "Windows-1251"
)

// decoded is a text, and the encoding that it had.
type decoded struct {
	text, encoding string
	guessed        bool // nothing but that it fits speaks for the encoding
}

// decode turns the bytes of a file into text. What a mark says holds; else what
// is UTF-8 throughout is that, and all else is GB18030, which covers GBK and
// GB2312. Nothing is replaced: a file with a byte that does not fit is refused.
func decode(data []byte) (decoded, error) {
	d, err := decodeMarked(data)
	if err == nil {
		err = d.check()
	}
	return d, err
}

// check refuses what is no text in any encoding.
func (d decoded) check() error {
	switch {
	case trim(d.text) == "":
		return invalid("The file is empty.")
	case strings.IndexByte(d.text, 0) >= 0:
		return invalid("The file has a NUL byte: it is not text.")
	}
	return nil
}

func decodeMarked(data []byte) (d decoded, err error) {
	switch {
	case bytes.HasPrefix(data, []byte(markUTF8)):
		d.encoding = nameUTF8
		d.text, err = decodeUTF8(data[len(markUTF8):])
		return d, err
	case bytes.HasPrefix(data, []byte(markUTF16LE)):
		d.encoding = nameUTF16
		d.text, err = decodeWith(utf16LE, nameUTF16, data[len(markUTF16LE):])
		return d, err
	case bytes.HasPrefix(data, []byte(markUTF16BE)):
		d.encoding = nameUTF16
		d.text, err = decodeWith(utf16BE, nameUTF16, data[len(markUTF16BE):])
		return d, err
	}
	if e := unmarkedUTF16(data); e != nil {
		d.encoding = nameUTF16
		d.text, err = decodeWith(e, nameUTF16, data)
		return d, err
	}
	if utf8.Valid(data) || damagedUTF8(data) {
		d.encoding = nameUTF8
		d.text, err = decodeUTF8(data)
		return d, err
	}
	d.encoding, d.guessed = nameGB18030, true
	d.text, err = decodeWith(simplifiedchinese.GB18030, "UTF-8, UTF-16, GB18030 or, with Russian headers, Windows-1251", data)
	return d, err
}

// decodeRussian reads a text as Russian Windows writes it. Nearly all bytes are
// some text in this encoding: whether they mean it, only words can tell.
func decodeRussian(data []byte) (d decoded, ok bool) {
	text, err := decodeWith(charmap.Windows1251, nameRussian, data)
	d = decoded{text: text, encoding: nameRussian}
	return d, err == nil && d.check() == nil
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

// enoughBytes is how many bytes beyond ASCII say something about a text.
const enoughBytes = 24

// hardlyChinese reports whether all bytes beyond ASCII are of the upper
// quarter, where European encodings have their letters. Of the two bytes of a
// Chinese character one lies below it more often than not.
func hardlyChinese(data []byte) bool {
	const firstLetter = 0xc0
	letters := 0
	for _, b := range data {
		switch {
		case b >= firstLetter:
			letters++
		case b >= utf8.RuneSelf:
			return false
		}
	}
	return letters >= enoughBytes
}
