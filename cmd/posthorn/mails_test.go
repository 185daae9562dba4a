package main

import (
	"regexp"
	"strings"
)

var messageID = regexp.MustCompile(`(?mi)^Message-Id: <([^>]+)>`)

var signInLink = regexp.MustCompile(`/sign-in/[A-Za-z0-9_-]{20,}(\?game=[a-z]+)?`)

// historyIn is what happened, as a record has it: its header bears the time, its last line the sum.
func historyIn(record string) []string {
	lines := lineEnds.Split(strings.TrimSpace(record), -1)
	return lines[1 : len(lines)-1]
}
