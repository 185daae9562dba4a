package turn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/projections/turn"
)

// A game that everybody agreed to stop says so, both as soon as they have agreed and once that is recorded, on its page
// and in lists, and has no winner. A game played to its end is over.
func TestAGameThatWasStoppedSaysSo(t *testing.T) {
	stopped := map[string]string{"en": "The players ended the game; nobody won.",
		"pl":    "Gracze zakończyli grę; nikt nie wygrał.",
		"pt-PT": "Os jogadores terminaram o jogo; ninguém ganhou.",
		"pt-BR": "Os jogadores encerraram a partida; ninguém venceu."}
	h := newHouse(t)
	begin := func() events.Name {
		table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(bo))
		h.Plays(table, h.Sees(table).Line.Awaited()[0].Seat, "keep")
		return table
	}
	says := func(table events.Name, want func(lang, sentence string)) {
		for lang := range stopped {
			for _, who := range []domain.PersonID{ana, bo, "Eva"} {
				asker := turn.Asker{Person: who, Seat: domain.Nobody, Lang: lang}
				m := h.turn(table, asker)
				require.Nil(t, m.Decision, lang)
				want(lang, m.Sentence)
				listed, err := h.maker.Listed(h.Ctx, table, asker)
				require.NoError(t, err)
				require.Equal(t, m.Sentence, listed.Sentence, "a list says the same")
			}
		}
	}

	table := begin()
	h.Ends(table)
	says(table, func(lang, sentence string) { require.Equal(t, stopped[lang], sentence, "agreed upon") })
	h.Follows(table)
	require.Equal(t, domain.TableEnded, h.Sees(table).Table.Status)
	says(table, func(lang, sentence string) { require.Equal(t, stopped[lang], sentence, "and noted") })
	require.Empty(t, h.turn(table, asks(ana)).Result)

	table = begin()
	h.Resigns(bo, table, 1)
	h.Follows(table)
	require.Equal(t, domain.TableEnded, h.Sees(table).Table.Status)
	says(table, func(lang, sentence string) { require.NotEqual(t, stopped[lang], sentence, "nobody stopped it") })
}
