//go:build race

package rulebooks

// Watched reports whether the race detector is there.
const Watched = true
