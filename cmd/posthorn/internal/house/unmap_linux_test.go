package house

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// seen returns one mapping as /proc/PID/smaps shows it.
func seen(line, own, swapped string) string {
	return line + "\nSize: 8 kB\nRss: 8 kB\nAnonymous: " + own + " kB\nSwap: " + swapped + " kB\nVmFlags: rd ex mr\n"
}

func TestOnlyWhatIsAsItStandsInAFileIsUnmapped(t *testing.T) {
	const file = " 00000000 fe:00 17   /usr/bin/post horn"
	require.Equal(t, []programMap{{0x400000, 0x402000}, {0x408000, 0x40a000}}, untouchedMaps(strings.NewReader(
		seen("00400000-00402000 r-xp"+file, "0", "0")+
			seen("00402000-00404000 r-xp"+file, "4", "0")+ // changed by a debugger
			seen("00404000-00406000 r--p"+file, "0", "4")+ // changed as well
			seen("00406000-00408000 rw-p"+file, "0", "0")+
			seen("00408000-0040a000 r--p"+file, "0", "0")+
			seen("0040a000-0040c000 r--s"+file, "0", "0")+
			seen("c000000000-c000400000 r--p 00000000 00:00 0", "0", "0")+
			seen("7f0000000000-7f0000002000 r-xp 00000000 00:00 0   [vdso]", "0", "0"))))
}

func TestAProgramGoesOnWithoutItsPages(t *testing.T) {
	maps, err := os.ReadFile("/proc/self/smaps")
	require.NoError(t, err)
	require.NotEmpty(t, untouchedMaps(strings.NewReader(string(maps))))
	unmapProgram()
	require.Equal(t, 3, strings.Count(strings.Repeat("page ", 3), "page"))
}
