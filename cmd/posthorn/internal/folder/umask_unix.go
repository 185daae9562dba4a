//go:build unix

package folder

import "syscall"

// OwnFiles makes every file that the program creates its owner's alone, whatever opens it: SQLite makes its files as the
// mask allows, and people's addresses lie in one of them.
func OwnFiles() { syscall.Umask(0o077) }
