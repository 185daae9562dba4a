//go:build !linux

package house

// unmapProgram does nothing: only Linux counts pages of the program's file this way.
func unmapProgram() {}
