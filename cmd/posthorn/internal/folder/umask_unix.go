//go:build unix

package folder

import "syscall"

// OwnFiles makes every new file of the program readable by its owner only, whatever creates it. SQLite creates files as
// the mask allows, and one of them holds people's addresses.
func OwnFiles() { syscall.Umask(0o077) }
