package guard

import (
	"errors"
	"math"
	"strconv"
	"time"

	"posthorn/events"
)

// Busy is returned for what is asked for too often, with when there is room again.
type Busy struct{ Wait time.Duration }

func (e Busy) Error() string { return "asked for too often; wait " + e.Wait.String() }

// Full is returned where too many wait for the same thing already.
type Full struct{ Wait time.Duration }

func (e Full) Error() string { return "too many are waiting; come again in " + e.Wait.String() }

// TooOften tells whether something was asked for too often, and when there is room again.
func TooOften(err error) (wait time.Duration, yes bool) {
	if fast, ok := events.AsTooFast(err); ok {
		return fast.Wait, true
	}
	var busy Busy
	yes = errors.As(err, &busy)
	return busy.Wait, yes
}

// Minutes is a wait as a sentence says it.
func Minutes(wait time.Duration) int { return max(1, int(math.Ceil(wait.Minutes()))) }

// RetryAfter is a wait as the header of that name has it: whole seconds, at least one.
func RetryAfter(wait time.Duration) string {
	return strconv.FormatInt(max(1, int64(math.Ceil(wait.Seconds()))), 10)
}
