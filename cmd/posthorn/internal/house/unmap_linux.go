package house

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// unmapProgram releases the pages of the program's own file and its libraries from the process. They stay in the
// system's cache, which may drop them, and come back one by one when used. A start touches nearly all of them, since
// Linux maps sixteen pages around each used one; a house at rest needs few.
func unmapProgram() {
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return // no such file system here
	}
	defer func() { _ = maps.Close() }()
	for _, m := range untouchedMaps(maps) {
		// If it fails, the pages simply stay.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// programMap is the address range at which a part of a file is mapped.
type programMap struct{ start, end uintptr }

// untouchedMaps reads /proc/PID/smaps and returns the file mappings that are not writable and have no page that differs
// from the file. Pages changed by a debugger or the loader would be lost.
func untouchedMaps(smaps io.Reader) (out []programMap) {
	var m programMap
	wanted := false
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 2 {
			continue
		}
		if !strings.HasSuffix(f[0], ":") { // start-end, rights, offset, device, inode, name
			wanted = false
			from, to, ok := strings.Cut(f[0], "-")
			start, err1 := strconv.ParseUint(from, 16, 64)
			end, err2 := strconv.ParseUint(to, 16, 64)
			if ok && err1 == nil && err2 == nil && len(f) >= 6 && f[4] != "0" && len(f[1]) == 4 && f[1][1] == '-' &&
				f[1][3] == 'p' {
				m, wanted = programMap{uintptr(start), uintptr(end)}, true
			}
			continue
		}
		switch f[0] {
		case "Anonymous:", "Swap:":
			wanted = wanted && f[1] == "0"
		case "VmFlags:": // the last line of each mapping
			if wanted {
				out = append(out, m)
			}
		}
	}
	if lines.Err() != nil {
		return nil
	}
	return out
}
