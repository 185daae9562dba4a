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

// toUTF8 reads bytes in a charset. What is UTF-8 though it says that it is in ASCII or says nothing,
// or nothing known, is read as such; other bytes of that kind are Windows', as they mostly are.
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

// cutRune leaves out a character that the end of what is read has cut in two.
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

// unflow joins the lines that a mail program has broken (RFC 3676).
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

// tidy is a line in the one form that it is read in: composed letters, plain spaces, and nothing
// that does not show.
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
