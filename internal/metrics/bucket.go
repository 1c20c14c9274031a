package metrics

import (
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

var bounds = hall.DurationBounds

const endless = "inf"

// bucketOf names the bucket of a duration.
func bucketOf(d time.Duration) string {
	for _, bound := range bounds {
		if d <= time.Duration(bound)*time.Second {
			return strconv.Itoa(bound)
		}
	}
	return endless
}
