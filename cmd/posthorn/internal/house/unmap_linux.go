package house

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// unmapProgram takes the pages of the program's own file, and of what it is linked with, off the process: they stay with the
// system, which may have their room when it needs it, and come back one by one as they are used. A start touches nearly all of them, since
// Linux maps the sixteen around each that is used, and a house at rest few.
func unmapProgram() {
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return // no such file system here: they stay
	}
	defer func() { _ = maps.Close() }()
	for _, m := range untouchedMaps(maps) {
		// Where it fails they stay, too.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// programMap is where a part of a file is seen in memory.
type programMap struct{ start, end uintptr }

// untouchedMaps reads from what /proc tells of a process which parts of files it sees, cannot write to, and has no page of that differs
// from the file: a debugger's, or one that the loader has filled in, would be lost.
func untouchedMaps(smaps io.Reader) (out []programMap) {
	var m programMap
	wanted := false
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 2 {
			continue
		}
		if !strings.HasSuffix(f[0], ":") { // start-end, rights, place in the file, device, its number there, name
			wanted = false
			from, to, ok := strings.Cut(f[0], "-")
			start, err1 := strconv.ParseUint(from, 16, 64)
			end, err2 := strconv.ParseUint(to, 16, 64)
			if ok && err1 == nil && err2 == nil && len(f) >= 6 && f[4] != "0" && len(f[1]) == 4 && f[1][1] == '-' && f[1][3] == 'p' {
				m, wanted = programMap{uintptr(start), uintptr(end)}, true
			}
			continue
		}
		switch f[0] {
		case "Anonymous:", "Swap:":
			wanted = wanted && f[1] == "0"
		case "VmFlags:": // the last line of each
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
