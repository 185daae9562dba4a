package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What somebody says to the others beside a move, on its line, is said to them; courtesy to the program is not.
func TestARemarkBesideAMoveIsSaid(t *testing.T) {
	for _, c := range []struct{ game, scene, lang, text, says string }{
		{"catan", "roll", "en", "roll. Hello everybody", "Hello everybody"},
		{"catan", "main", "en", "end turn. Bo, be nice to me", "Bo, be nice to me"},
		{"catan", "main", "pl", "droga 44. Moje miasto jest piękne!", "Moje miasto jest piękne!"},
		{"catan", "main", "pt-BR", "estrada 44. Que bela cidade eu tenho!", "Que bela cidade eu tenho!"},
		{"catan", "main", "en", "Hi all! road 44. Thanks all!", "Thanks all!"},
		{"carcassonne", "first", "en", "0,1 thief - and my city is closed, ha!", "and my city is closed, ha!"},
		{"carcassonne", "first", "en", "0,1 thief on the road east. Sorry for beeing slow", "Sorry for beeing slow"},
		{"catan", "main", "en", "road 44, please. Thanks!", ""},
		{"catan", "main", "en", "So, road 44 (took me ages)", ""},
		{"catan", "main", "en", "offer soup. Hello all", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			p := newPost(t)
			table, seat := p.house.plays(scenesOf(t, c.game)[c.scene], c.lang)
			p.deliver(table)
			at := p.last()
			person, err := p.people.Person(p.Ctx, p.Sees(table).Table.Places[seat].Holders[0])
			require.NoError(t, err)
			p.becomes(string(person.Address), strings.Split(c.text, "\n")...)
			said := ""
			for _, e := range p.story(table, at) {
				if text, ok := strings.CutPrefix(e, "reply: said "); ok {
					said += text
				}
			}
			require.Equal(t, c.says, said, p.answers(table))
		})
	}
}

// Who says that this is all is told that the turn goes on, where a game asks for its end.
func TestThatIsItDoesNotEndATurnUntold(t *testing.T) {
	for lang, text := range map[string]string{"en": "road 44 and that's it", "pl": "droga 44 i to wszystko",
		"pt-BR": "estrada 44 e é isso", "pt-PT": "estrada 44 e é tudo"} {
		s := says(t, "catan", "main", lang, text)
		require.Equal(t, []string{"road 44"}, s.moves)
		require.Contains(t, s.answer, map[string]string{"en": "reply end.", "pl": "odpowiedz koniec.",
			"pt-BR": "responda fim.", "pt-PT": "responda fim."}[lang])
	}
	require.NotContains(t, says(t, "catan", "main", "en", "end, and that's it").answer, "not over")
}
