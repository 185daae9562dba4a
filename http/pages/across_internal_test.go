package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// A phone of 390 by 844 pixels shows a board in a box as wide as the phone, and 47 hundredths of its height, or 35 in a
// sketch.
func TestABoardThatIsShownWholeIsPressedByAFinger(t *testing.T) {
	for _, sketch := range []bool{false, true} {
		high := .47 * 844
		if sketch {
			high = .35 * 844
		}
		for w := 400.; w < 2000; w += 10 {
			for h := 400.; h < 2000; h += 10 {
				s := domain.Scene{W: w, H: h}
				whole := finger * min(390/w, high/h)
				if across(s, sketch) == 0 {
					require.GreaterOrEqual(t, whole, 44., "a square of a board of %v by %v, in a sketch: %v", w, h,
						sketch)
				} else {
					require.LessOrEqual(t, whole, 45.1, "a board of %v by %v, in a sketch: %v, could be shown whole", w,
						h, sketch)
				}
				if !vast(s, sketch) {
					require.GreaterOrEqual(t, whole, 24.,
						"without scripts: a square of a board of %v by %v, in a sketch: %v", w, h, sketch)
				}
			}
		}
	}
}
