package outages

import (
	"encoding/json"
	"time"
)

// listed is what the API says about the moves of a table, as far as these tests read it.
type listed struct {
	Line     string          `json:"line"`
	Decision json.RawMessage `json:"decision"`
	Moves    []struct {
		Notation string `json:"notation"`
	} `json:"moves"`
}

// at is the part of sorted times that so much of them is below; 0 where there are none.
func at(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
