package mail

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheMailboxSaysATablesTitleOnce(t *testing.T) {
	require.Equal(t, "A new link to your seat",
		headed("A new link to your seat: Carcassonne: Ana, Bo", "Carcassonne: Ana, Bo #49828f"))
	require.Equal(t, "Your turn: roll the dice.", headed("Your turn: roll the dice.", "Catan: Ana #9289de"))
}

func TestTheMailboxKeepsItsMailsOnTheDiskAlone(t *testing.T) {
	box, err := OpenMailbox(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, box.listen.Close()) })
	text := []byte("Subject: a letter with a picture\r\n\r\n" + strings.Repeat("picture ", 1<<15))
	for range 20 {
		require.NoError(t, box.keep("ana@example.org", text))
	}
	for _, m := range box.messages {
		require.Nil(t, m.Raw)
	}
	all := box.Messages()
	require.Len(t, all, 20)
	require.Contains(t, string(all[0].Raw), string(text))
	require.Equal(t, "a letter with a picture", box.row(all[0]).Subject)
}

// Given a mail's text with a map in characters, when the mailbox shows it, then the map's lines stay whole, and prose,
// lists and URLs break where the window ends.
func TestAMapInCharactersKeepsItsLines(t *testing.T) {
	prose := "Your turn: place the tile.\r\n\r\nThe map\r\n"
	island := "" +
		"      -1      0      1\r\n" +
		"\r\n" +
		"                ..b....\r\n" +
		"  0   ...###..  ...┐...  1,0\r\n" +
		"      .......\r\n" +
		"\r\n" +
		"      -1      0      1\r\n"
	after := "# city, numbers or [ ]: an open place.\r\n\r\n" +
		"Your 2 moves\r\n 1,0  beside road (west)\r\n       a) turned 0°: no follower\r\n         and more of it\r\n" +
		"Links\r\n  1,0: https://games.example.org/p/1?c=1%2C0\r\n\r\nScores\r\n Ana: 1 (2)\r\n"
	unix := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	require.Equal(t, []textBlock{{Text: unix(prose)}, {Text: unix(island), Drawn: true}, {Text: unix(after)}},
		textBlocks(prose+island+after))
	require.Equal(t, []textBlock{{Text: unix(island), Drawn: true}}, textBlocks(island))
	require.Equal(t, []textBlock{{Text: unix(prose + after)}}, textBlocks(prose+after))
	require.Empty(t, textBlocks(""))
	realm := "        ( )\n0a      0 above     1a\nFO2 ... ( )         GO1 ...\n        C 0         -------\nHI3 " +
		"o.. ( )         PA4 oo.\n0b      0 below     1b\n        ( )\n"
	require.Equal(t, []textBlock{{Text: "Your principality\n"}, {Text: realm, Drawn: true}, {Text: "Key: HI hills\n"}},
		textBlocks("Your principality\n"+realm+"Key: HI hills\n"), "a city's outer sites are a part of it")
	first := strings.Replace(realm, "0b      0 below     1b\n        ( )\n", "0b      0 below     1b\n( )\n", 1)
	require.Equal(t, []textBlock{{Text: first, Drawn: true}, {Text: "\nScores\n"}}, textBlocks(first+"\nScores\n"),
		"even where its first town is one")
	full := "      -1   0\n" + strings.Repeat("  ..│..##%##....│...\n  1 ──┐####B####.┌──\n  ..│..####....c.│...\n",
		5) + "      -1   0\n"
	require.Equal(t, []textBlock{{Text: full, Drawn: true}, {Text: "# city.\n"}}, textBlocks(full+"# city.\n"),
		"a map without an empty place is one drawing")
}

func FuzzTextBlocksTogetherAreTheText(f *testing.F) {
	f.Add("a\n\n  b     c\n  d     e\n  f     g\nh")
	f.Fuzz(func(t *testing.T, text string) {
		var whole strings.Builder
		for _, b := range textBlocks(text) {
			require.NotEmpty(t, b.Text)
			whole.WriteString(b.Text)
		}
		require.Equal(t, strings.ReplaceAll(text, "\r\n", "\n"), whole.String())
	})
}
