package outages

import (
	"encoding/json"
	"time"
)

// listed is what these tests read from the API's list of moves.
type listed struct {
	Line     string          `json:"line"`
	Decision json.RawMessage `json:"decision"`
	Moves    []struct {
		Notation string `json:"notation"`
	} `json:"moves"`
}

// at returns the given quantile of sorted times, or 0 if there are none.
func at(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
