package inbound_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// Some mail programs put the answered mail below the answer without a mark. What others wrote in it is nobody's move:
// a line of the letter that happens to be one is not played in its reader's name.
func TestALetterThatIsQuotedUnmarkedPlaysNothing(t *testing.T) {
	for name, c := range map[string]struct {
		above string // what the program puts above the letter
		says  string
	}{
		"with nothing above it":  {"", "without marking it as quoted"},
		"with a word of its own": {"------- Bericht -------", "without marking it as quoted"},
		"in a language that is not read": {"Op zo 29 nov 2026 om 12:40 schreef Posthorn <games@example.org>:",
			"No line of your reply is a move"},
		"in a language without letters": {"2026年11月29日(日) 12:40 Posthorn <games@example.org>:",
			"No line of your reply is a move"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPost(t)
			p.composer.Opens = func(ctx context.Context, id domain.PersonID, cipher []byte) string {
				text, err := p.people.Decrypt(ctx, id, cipher)
				require.NoError(t, err)
				return string(text)
			}
			bob := p.person("Bo", "en")
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", "en"), bob, p.person("Cid", "en"))
			p.deliver(table)
			p.answer(ana, "offer 1 wool for 1 brick to Bo")
			p.deliver(table)
			p.saysOnPage(bob, table, strings.Repeat("x", 68)+" end "+strings.Repeat("y", 70))
			p.answer(bo, "decline")
			p.deliver(table)
			at := p.last()
			letter := strings.ReplaceAll(p.newest(ana).Text, "\r\n", "\n")
			require.Regexp(t, `(?m)^\s*end$`, letter, "the chat has a line that is a move")
			p.answer(ana, append([]string{"Thinking about it", "", c.above, ""}, strings.Split(letter, "\n")...)...)
			require.Empty(t, p.story(table, at), "nothing is played, and nothing posted")
			p.deliver(table)
			require.Contains(t, flat(p.newest(ana).Text), c.says)
		})
	}
}
