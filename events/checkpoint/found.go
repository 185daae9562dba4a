package checkpoint

import (
	"regexp"
	"strings"
)

// form matches a note, at the start of a line.
var form = regexp.MustCompile(
	`(?m)^posthorn/[0-9a-f]{16}\n(?:0|[1-9][0-9]*)\n[A-Za-z0-9+/]{43}=\n(?:.+\n)*\n(?:— .+\n)+`)

// Found returns the notes in a text that somebody kept: a file of them, a paste, or a program's output that includes
// one.
func Found(text string) []string {
	return form.FindAllString(strings.ReplaceAll(text, "\r\n", "\n")+"\n", -1)
}
