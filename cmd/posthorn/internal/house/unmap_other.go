//go:build !linux

package house

// unmapProgram does nothing here: how much of its file a program is said to hold is a matter of Linux.
func unmapProgram() {}
