package disktest

import (
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// Unsynced becomes another program, whose every fsync and fdatasync says that it was done, and is not: what a program does that
// does not sync at all. It only returns if that cannot be.
func Unsynced(program string, args []string) error {
	const (
		noNewPrivileges = 38         // PR_SET_NO_NEW_PRIVS
		setSeccomp      = 22         // PR_SET_SECCOMP
		filterMode      = 2          // SECCOMP_MODE_FILTER
		allow           = 0x7fff0000 // SECCOMP_RET_ALLOW
		nothing         = 0x00050000 // SECCOMP_RET_ERRNO with no error
		load, equal     = 0x20, 0x15 // BPF_LD|BPF_W|BPF_ABS; BPF_JMP|BPF_JEQ|BPF_K
		give            = 0x06       // BPF_RET|BPF_K
	)
	filter := []syscall.SockFilter{
		{Code: load, K: 0}, // the number of the call
		{Code: equal, K: syscall.SYS_FSYNC, Jt: 2},
		{Code: equal, K: syscall.SYS_FDATASYNC, Jt: 1},
		{Code: give, K: allow},
		{Code: give, K: nothing},
	}
	p := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread() // the filter is the thread's, and its own after it has become the program
	defer runtime.UnlockOSThread()
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); e != 0 {
		return e
	}
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, setSeccomp, filterMode, uintptr(unsafe.Pointer(&p))); e != 0 {
		return e
	}
	return syscall.Exec(program, args, os.Environ())
}
