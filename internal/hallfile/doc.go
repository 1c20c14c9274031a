// Package hallfile is the format of a hall's backup: one file with all keys of
// a hall, independent of the Redis that they come from. A file that is cut off or
// changed is refused, and so is one that would unfold into too much.
//
// The file is
//
//	"hallcall backup 1\n"   1 is the format
//	a gzip member           of the content
//	SHA-256                 of everything before, 32 bytes
//
// and the content, where a number is a varint without a sign, and a text is its length
// in bytes, a number, and the bytes as they are:
//
//	text                    JSON of Header
//	for each key:
//	  byte                  the Kind
//	  text                  the name, without what all keys of the hall begin with
//	  number                when it ends, in milliseconds since 1970; 0 for never
//	  for each element:
//	    number              of texts in it, 1 or more
//	    texts               see Kind
//	  0
//	  3 texts               only of a stream: see Stream
//	0
//	text                    JSON of Summary
//
// The checksum says that a file is as it was written, not who wrote it.
package hallfile
