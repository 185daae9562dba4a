//go:build !linux

package outages

// becomesUnsynced is of Linux.
func becomesUnsynced() {}
