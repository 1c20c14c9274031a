package web

import (
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"

	"github.com/hallcall/hallcall/templates"
)

// quietZone is how many modules around a QR code stay empty, as its standard asks.
const quietZone = 4

// qrCode draws a text as one path on a square grid of modules. Its error
// correction M still reads where 15 % of it are hidden by glare or a finger.
func qrCode(text string) (*templates.QR, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("QR code: %w", err)
	}
	size := code.Bounds().Dx()
	dark := func(x, y int) bool {
		if x == size {
			return false
		}
		red, _, _, _ := code.At(x, y).RGBA()
		return red == 0
	}
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			from := x
			for dark(x, y) {
				x++
			}
			if run := x - from; run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quietZone, y+quietZone, run, run)
			}
		}
	}
	return &templates.QR{Size: size + 2*quietZone, Path: path.String()}, nil
}
