//go:build !linux

package outages

// becomesUnsynced does nothing: the tests of the power only run on Linux.
func becomesUnsynced() {}
