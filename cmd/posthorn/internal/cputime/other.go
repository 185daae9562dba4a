//go:build !unix

package cputime

import (
	"os"
	"time"
)

// started is when the program began.
var started = time.Now()

// Used returns the time since the start: this system does not report processor time.
func Used() time.Duration { return time.Since(started) }

// MostMemory returns 0: on this system it is not known.
func MostMemory() int64 { return 0 }

// MostMemoryOf returns 0: on this system it is not known.
func MostMemoryOf(*os.ProcessState) int64 { return 0 }
