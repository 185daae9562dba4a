package posthorntest

import (
	"regexp"
	"strings"
)

// MessageID finds the id of a mail.
var MessageID = regexp.MustCompile(`(?mi)^Message-Id: <([^>]+)>`)

// SignInLink finds the link for signing in.
var SignInLink = regexp.MustCompile(`/sign-in/[A-Za-z0-9_-]{20,}(\?game=[a-z]+)?`)

// HistoryIn returns a record's history without its header, which has the time, and its last line, which has the sum.
func HistoryIn(record string) []string {
	lines := lineEnds.Split(strings.TrimSpace(record), -1)
	return lines[1 : len(lines)-1]
}

var lineEnds = regexp.MustCompile(`\r?\n`)
