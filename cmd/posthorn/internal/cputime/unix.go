//go:build unix

package cputime

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// Used returns the processor time that this process has used so far.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// MostMemory returns the most bytes that this process has had in memory, its file included; 0 if that is not known.
func MostMemory() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return most(&u)
}

// MostMemoryOf returns the same of a process that has ended.
func MostMemoryOf(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return most(u)
	}
	return 0
}

func most(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
