//go:build !unix

package cputime

import "time"

// started is when the program began.
var started = time.Now()

// Used is the time that has passed: what the processors were used is not told here.
func Used() time.Duration { return time.Since(started) }
