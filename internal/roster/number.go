package roster

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// exactDigits is how many digits of a number a spreadsheet keeps.
const exactDigits = 15

// plainNumber matches a number without an exponent.
var plainNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// number reads a cell that holds a number. One of up to 15 digits is exact and
// is taken as it is written, with the zeros in front that its format shows. Of
// a longer one, or one with an exponent, nobody knows the last digits.
func number(value string, f format, from1904 bool) cell {
	switch {
	case f.date:
		return date(value, from1904)
	case !plainNumber.MatchString(value):
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return cell{value, cellRounded}
		}
		return cell{value, cellBroken}
	}
	whole, fraction, _ := strings.Cut(value, ".")
	fraction = strings.TrimRight(fraction, "0")
	if significant(whole+fraction) > exactDigits {
		return cell{value, cellRounded}
	}
	if fraction != "" {
		return cell{text: whole + "." + fraction}
	}
	if missing := f.digits - len(whole); missing > 0 && whole[0] != '-' {
		whole = strings.Repeat("0", missing) + whole
	}
	return cell{text: whole}
}

// significant counts digits without the zeros in front.
func significant(digits string) int { return len(strings.TrimLeft(digits, "-0")) }

// date reads a number that its format shows as a date, a time or both.
func date(value string, from1904 bool) cell {
	days, err := strconv.ParseFloat(value, 64)
	if err != nil || days < 0 || days > 2_958_466 { // the end of the year 9999
		return cell{value, cellDate}
	}
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if from1904 {
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	whole, part := math.Modf(days)
	at := epoch.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*24*60*60)) * time.Second)
	switch {
	case whole == 0 && !from1904:
		return cell{at.Format("15:04:05"), cellDate}
	case part == 0:
		return cell{at.Format(time.DateOnly), cellDate}
	}
	return cell{at.Format(time.DateTime), cellDate}
}
