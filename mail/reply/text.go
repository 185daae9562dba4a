package reply

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/emersion/go-message/charset"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// toUTF8 reads bytes in a charset. If the charset is ASCII, missing or unknown, it reads valid UTF-8 as UTF-8 and other
// bytes as Windows-1252, which they mostly are.
func toUTF8(b []byte, from string) string {
	from = strings.ToLower(strings.TrimSpace(from))
	switch from {
	case "", "us-ascii", "ascii", "ansi_x3.4-1968", "utf-8", "utf8", "unknown-8bit", "x-unknown", "default":
	default:
		if r, err := charset.Reader(from, bytes.NewReader(b)); err == nil {
			if out, err := io.ReadAll(io.LimitReader(r, 4*maxText)); err == nil {
				return strings.ToValidUTF8(string(out), "\ufffd")
			}
		}
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if whole := cutRune(b); from == "utf-8" || from == "utf8" || utf8.Valid(whole) {
		return strings.ToValidUTF8(string(whole), "\ufffd")
	}
	out, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return ""
	}
	return string(out)
}

// cutRune drops a character that the reading limit cut in two.
func cutRune(b []byte) []byte {
	if len(b) < maxText-len("\ufeff") {
		return b
	}
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if at := len(b) - i; utf8.RuneStart(b[at]) {
			if !utf8.FullRune(b[at:]) {
				return b[:at]
			}
			break
		}
	}
	return b
}

// unflow joins lines that a mail program broke (RFC 3676).
func unflow(text string, delSpace bool) string {
	var out []string
	flowing, was := false, 0
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		depth := len(line) - len(strings.TrimLeft(line, ">"))
		rest := strings.TrimPrefix(line[depth:], " ")
		signature := rest == "-- "
		if flowing && depth == was && !signature {
			out[len(out)-1] += rest
		} else {
			out = append(out, strings.Repeat(">", depth)+rest)
		}
		flowing, was = strings.HasSuffix(rest, " ") && !signature, depth
		if flowing && delSpace {
			out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], " ")
		}
	}
	return strings.Join(out, "\n")
}

// tidy normalises a line for reading: composed letters, plain spaces, and no invisible characters.
func tidy(line string) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
			return -1
		}
		return r
	}, norm.NFC.String(line))
	return strings.Join(strings.Fields(line), " ")
}
