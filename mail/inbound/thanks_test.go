package inbound_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
)

// The mail about a game's end invites its players to chat. No other mail comes after it, so what they say has its own.
func TestWhatIsSaidAfterTheEndReachesTheOthers(t *testing.T) {
	for lang, head := range map[string]string{"en": "New in the table’s chat", "pl": "Nowe wpisy w rozmowie przy stole",
		"pt-BR": "Novidades na conversa da mesa", "pt-PT": "Novidades na conversa da mesa"} {
		p := newPost(t)
		p.composer.Opens = func(ctx context.Context, id domain.PersonID, cipher []byte) string {
			text, err := p.people.Decrypt(ctx, id, cipher)
			require.NoError(t, err)
			return string(text)
		}
		ids := []domain.PersonID{p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en")}
		require.NoError(t, p.people.SetMails(p.Ctx, ids[2], string(mail.KindNews), false))
		table := p.started(desk.NewTable{Rulebook: "tiny"}, ids...)
		p.deliver(table)
		p.saysOnPage(ids[0], table, "Shall we stop?")
		p.Does(ids[0], table, desk.ProposeEnd{})
		for _, id := range ids[1:] {
			p.Does(id, table, desk.Agree{Since: p.Sees(table).Table.Proposal.Since})
		}
		p.deliver(table)
		p.deliver(table)
		before := [3]int{p.got(ana), p.got(bo), p.got("cid@example.org")}

		require.Equal(t, "outcome: said", p.becomes(bo, "Thanks, that was fun!", "Again soon?"))
		p.deliver(table) // and waits a minute
		p.deliver(table)
		p.deliver(table)
		require.Equal(t, before[0]+1, p.got(ana), "both lines in one mail, once")
		require.Equal(t, before[1]+1, p.got(bo), "the writer gets an answer alone")
		require.Equal(t, before[2], p.got("cid@example.org"), "who wants no news gets none")
		text := p.newest(ana).Text
		require.Contains(t, text, head)
		require.Contains(t, text, "Thanks, that was fun!")
		require.Contains(t, text, "Again soon?")
		require.NotContains(t, text, "Shall we stop?")

		require.Equal(t, "outcome: said", p.becomes(ana, "Yes!"))
		p.deliver(table)
		p.deliver(table)
		require.Contains(t, p.newest(bo).Text, "Ana wrote: Yes!")
	}
}

// saysOnPage writes a line of chat as the page does.
func (p *post) saysOnPage(id domain.PersonID, table events.Name, text string) {
	p.T.Helper()
	said, err := p.people.Write(p.Ctx, id, people.Plain(text))
	require.NoError(p.T, err)
	p.Does(id, table, desk.Say{Written: said})
}
