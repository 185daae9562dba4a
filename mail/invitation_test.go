package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/pass"
	"posthorn/mail"
)

func TestAnInvitationSaysWhoAsksAndCommitsTheServerToItsChance(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.open("tiny", ana, "", append(invited(ana, bo), domain.TablePlace{Kind: domain.SeatOpen})...)
	p := parts(t, h.compose(table, mail.KindInvitation, bo))
	text := strings.ReplaceAll(p.Text, "\r", "")

	require.True(t, strings.HasPrefix(text, "Ana invites you to a game of Tiny\n"), text)
	require.Contains(t, text, "At the table: Ana, Bo. Pace: ", "open seats are nobody")
	require.Contains(t, text, "Seat B is kept for you")

	// The button is Bo's way to the seat, and to no other.
	_, rest, ok := strings.Cut(text, "See the table and answer:\nhttps://games.example.org/p/")
	require.True(t, ok, text)
	token, _, _ := strings.Cut(rest, "\n")
	facts, err := h.composer.Passes.(mail.SignedPasses).Maker.Read(token, noon)
	require.NoError(t, err)
	require.Equal(t, []any{pass.Join, bo, table, domain.Seat(1)}, []any{facts.Purpose, facts.Person, facts.Stream, facts.Seat})

	// The commitment is the digest of the seed that the table's first event seals.
	first, err := h.Desk.Log().Load(h.Ctx, table, 0, 1)
	require.NoError(t, err)
	require.Contains(t, text, "The commitment to this table's luck, to be kept:\n"+first[0].Parts[0].Digest.String()+"\n")
}
