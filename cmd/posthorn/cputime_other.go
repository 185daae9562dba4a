//go:build !unix

package main

import "time"

// started is when the program began.
var started = time.Now()

// cpuTime is the time that has passed: what the processors were used is not told here.
func cpuTime() time.Duration { return time.Since(started) }
