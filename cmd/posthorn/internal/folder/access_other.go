//go:build !linux && !darwin

package folder

// mayAccess returns nil: opening the file says more.
func mayAccess(string) error { return nil }
