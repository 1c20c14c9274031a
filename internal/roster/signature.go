package roster

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// How files begin.
const (
	zipSignature      = "PK\x03\x04" // also of workbooks
	compoundSignature = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
)

// others are files that are sent in place of a roster, by how they begin.
var others = []struct{ begin, message string }{
	{"%PDF-", "This is a PDF. Ask for the table that it was made from, as xlsx or CSV."},
	{"PK\x05\x06", "This is an empty ZIP file."},
	{"PK\x07\x08", "This is a part of a ZIP file."},
	{"\x1f\x8b", "This is a compressed file. Unpack it first."},
	{"Rar!", "This is a compressed file. Unpack it first."},
	{"7z\xbc\xaf", "This is a compressed file. Unpack it first."},
	{"\x89PNG", "This is a picture."},
	{"\xff\xd8\xff", "This is a picture."},
	{"{\\rtf", "This is a text document (RTF). Save the table as xlsx or CSV."},
}

// knownOther says what a file is that is no roster, where its first bytes tell.
func knownOther(data []byte) error {
	for _, other := range others {
		if bytes.HasPrefix(data, []byte(other.begin)) {
			return invalid("%s", other.message)
		}
	}
	if !bytes.HasPrefix(data, []byte(compoundSignature)) {
		return nil
	}
	if bytes.Contains(data, inUTF16("EncryptedPackage")) {
		return invalid("The workbook is protected with a password. Save it without one.")
	}
	return invalid("This is a workbook of an old format (xls) or another old document. Save it as xlsx or CSV.")
}

// inUTF16 is a text as old documents write their names.
func inUTF16(s string) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}
