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
