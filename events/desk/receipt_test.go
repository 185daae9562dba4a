package desk_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/desktest"
)

// wrapped breaks a line after width characters, and puts a mark before each piece.
func wrapped(line string, width int, mark, end string) string {
	var b strings.Builder
	for len(line) > width {
		b.WriteString(mark + line[:width] + end + "\n")
		line = line[width:]
	}
	return b.String() + mark + line + "\n"
}

func TestReceiptsAreFoundInAMailQuotedOrWrapped(t *testing.T) {
	keys := desktest.Keys(t)
	one := keys.Sign(events.Receipt{Table: events.Name{1}, Stream: events.Name{2}, Version: 7, Hash: events.Hash{3}})
	two := keys.Sign(events.Receipt{Table: events.Name{1}, Stream: events.Name{2}, Version: 8, Hash: events.Hash{4}})
	for name, text := range map[string]string{
		"as it stands":         one + "\n" + two,
		"between words":        "The receipt: " + one + " and " + two + ".",
		"quoted":               "On Monday Ana wrote:\n> " + one + "\n> \n>> " + two + "\nSo there.",
		"wrapped":              wrapped(one, 72, "", "") + "\n" + wrapped(two, 40, "", ""),
		"quoted and wrapped":   wrapped(one, 60, "> ", "") + wrapped(two, 61, "> > ", ""),
		"barred":               wrapped(one, 60, "| ", ""),
		"carriage returns":     wrapped(one, 60, "> ", "\r") + wrapped(two, 60, "> ", "\r"),
		"soft breaks":          wrapped(one, 73, "", "=") + wrapped(two, 73, "", "="),
		"in markup":            "<p>" + one[:50] + "<wbr>" + one[50:] + "</p><blockquote>" + two + "</blockquote>",
		"with spaces":          strings.Join(strings.SplitAfter(one, ":"), " ") + "\n" + two,
		"in base64":            inBase64("Twój ruch.\n\n" + one + "\n> " + two + "\n"),
		"in base64, two parts": inBase64(one+"\n") + inBase64("<p>"+wrapped(two, 60, "", "")+"</p>"),
		"twice":                one + "\n" + one,
		"forwarded as a mail": "From: a@b\nSubject: Fwd: your turn\n\n-----\n" + wrapped(one, 75, "    ", "") +
			"-----\n",
	} {
		t.Run(name, func(t *testing.T) {
			lines, broken := events.FindReceipts(text)
			require.Zero(t, broken)
			require.Contains(t, lines, one)
			if name != "twice" && name != "barred" && name != "forwarded as a mail" {
				require.ElementsMatch(t, []string{one, two}, lines)
			}
			for _, line := range lines {
				_, err := events.ReadReceipt(keys.PublicKey(), line)
				require.NoError(t, err)
			}
		})
	}
	lines, broken := events.FindReceipts(one[:100] + "\n" + two)
	require.Equal(t, []string{two}, lines)
	require.Equal(t, 1, broken, "a piece is told, not passed over")
	lines, broken = events.FindReceipts("no receipt at all: posthorn-receipt")
	require.Zero(t, len(lines)+broken)
	_, err := events.ReadReceipt(nil, one)
	require.ErrorIs(t, err, events.ErrReceipt, "a key that is none is no panic")
}

// inBase64 returns part of a mail whose program wrote it in base64.
func inBase64(text string) string {
	return "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		wrapped(base64.StdEncoding.EncodeToString([]byte(text)), 76, "", "\r") + "\r\n--part--\r\n"
}
