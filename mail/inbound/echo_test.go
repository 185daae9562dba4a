package inbound_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// An answer says what was played, and what was taken back, in its reader's words, whatever notation they wrote it in.
func TestAnAnswerSaysMovesInItsReadersWords(t *testing.T) {
	for lang, says := range map[string]struct{ road, offer, back, order string }{
		"en": {"Played: build a road, road %s.", "Played: offer 1 wool for 1 ore to Bo.",
			"Taken back: build a road, road %s.", "Your standing orders now: Roll for me when my turn starts. Decline"},
		"pl": {"Zagrano: zbuduj drogę, droga %s.",
			"Zagrano: oferta: 1 wełna za: 1 ruda, dla: Bo.",
			"Cofnięto: zbuduj drogę, droga %s.", "Twoje polecenia na zapas: Rzuć za mnie, gdy zacznie się moja tura."},
		"pt-BR": {"Jogado: construir uma estrada, estrada %s.", "Jogado: oferecer 1 lã por 1 minério a Bo.",
			"Jogada desfeita: construir uma estrada, estrada %s.",
			"ordens agora: Lançar por mim quando o meu turno começar."},
		"pt-PT": {"Jogado: construir uma estrada, estrada %s.", "Jogado: oferecer 1 lã por 1 minério a Bo.",
			"Jogada desfeita: construir uma estrada, estrada %s.",
			"ordens agora: Lançar por mim quando o meu turno começar."},
	} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)},
				p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			road := p.road(table)
			number := strings.TrimPrefix(road, "road ")
			said := func(line string) string {
				p.answer(ana, line)
				p.deliver(table)
				return flat(unmarked.Replace(p.newest(ana).Text))
			}
			require.Contains(t, said(road), fmt.Sprintf(says.road, number))
			require.Contains(t, said("undo"), fmt.Sprintf(says.back, number))
			require.Contains(t, said("offer wool for ore to B"), says.offer)
			ordered := said("order roll\r\norder decline")
			require.Contains(t, ordered, says.order)
			require.NotContains(t, ordered, "order roll")
		})
	}
}
