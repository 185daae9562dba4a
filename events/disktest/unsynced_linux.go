package disktest

import (
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// Unsynced replaces this process with another program in which every fsync and fdatasync reports success but does
// nothing: it shows what a program does that never syncs. It returns only if that fails.
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
	runtime.LockOSThread() // the filter belongs to the thread, and to the program that it becomes
	defer runtime.UnlockOSThread()
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); e != 0 {
		return e
	}
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, setSeccomp, filterMode, uintptr(unsafe.Pointer(&p))); e != 0 {
		return e
	}
	return syscall.Exec(program, args, os.Environ())
}
