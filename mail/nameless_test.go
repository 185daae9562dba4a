package mail_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
	"posthorn/mail"
)

// Somebody who has given no name is called by a word of the reader's language, in the subject, too.
func TestTheNamelessHaveAWordInEachLanguage(t *testing.T) {
	for lang, word := range map[string]string{"en": "Guest", "pl": "Gość", "pt-BR": "Convidado", "pt-PT": "Convidado"} {
		h := newHouse(t)
		a, err := people.ParseAddress("nameless@example.org")
		require.NoError(t, err)
		opener, err := h.people.Ensure(h.Ctx, a, "en")
		require.NoError(t, err)
		bo := h.person("Bo", lang)
		code := strings.ToUpper(string(opener.ID[:4]))
		table := h.open("tiny", opener.ID, "", invited(opener.ID, bo)...)
		p := parts(t, h.compose(table, mail.KindInvitation, bo))
		require.Contains(t, p.Subject, word+" "+code, lang)
		require.Contains(t, flat(p.Text), word+" "+code, lang)
		if lang != "en" {
			require.NotContains(t, p.Subject+p.Text+p.HTML, "Guest", lang)
		}
	}
}

// In a mail to somebody who has given nothing but an address, they are called by that, and not by a number: in whose
// seat is whose, in the points, in what happened and why it came.
func TestWhoHasOnlyAnAddressIsNoGuestInTheirOwnMails(t *testing.T) {
	h := newHouse(t)
	ana := h.person("Ana", "en")
	a, err := people.ParseAddress("grandma@example.org")
	require.NoError(t, err)
	nan, err := h.people.Ensure(h.Ctx, a, "en")
	require.NoError(t, err)
	table := h.open("tiny", ana, `{"roller":"A"}`, invited(ana, nan.ID)...)
	invitation := parts(t, h.compose(table, mail.KindInvitation, nan.ID))
	require.Contains(t, flat(invitation.Text), "At the table: Ana, grandma.")
	h.join(ana, table)
	h.join(nan.ID, table)
	h.play(table, 0, "keep")
	turn := parts(t, h.compose(table, mail.KindTurn, nan.ID))
	require.Contains(t, flat(turn.Text), "B: grandma (you)")
	for _, p := range []mail.Parts{invitation, turn} {
		require.NotContains(t, p.Subject+p.Text+p.HTML, "Guest")
	}
	h.play(table, 1, "keep")
	others := parts(t, h.compose(table, mail.KindTurn, ana))
	require.Contains(t, flat(others.Text), "Guest", "to others they are one")
}
