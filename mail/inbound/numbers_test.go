package inbound_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// corner is a turn of Catan in which the number 13 is a city and a road, 14 only a road.
const corner = `{"active": "A", "phase": "main", "players": [{"settlements": [13], "roads": [20],
	"hand": {"brick": 1, "lumber": 1, "grain": 2, "ore": 3}}, {"settlements": [40]}, {"settlements": [22]}]}`

// A mail lists places by their numbers, so a line of nothing but numbers is the one move that they fit.
func TestNumbersAloneAreTheMoveThatTheyFit(t *testing.T) {
	for text, want := range map[string]string{"14": "road 14", "14.": "road 14", "(14)": "road 14", "#14": "road 14"} {
		t.Run(text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(corner)}, p.person("Ana", "en"),
				p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			require.Equal(t, "outcome: played", p.becomes(ana, text))
			require.Equal(t, []string{"reply: move A " + want}, p.story(table, at))
		})
	}
	for _, text := range []string{"13 20", "13, 20", "13-20", "13/20", "13 and 20", "13 e 20", "13 i 20"} {
		t.Run(text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan"}, p.person("Ana", "pl"),
				p.person("Bo", "pt-PT"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			who := []string{ana, bo, cid}[p.Sees(table).Line.Awaited()[0].Seat]
			require.Equal(t, "outcome: played", p.becomes(who, text))
			require.Contains(t, p.story(table, at)[0], "settle 13 road 20")
		})
	}
}

// Numbers that fit several moves are asked about; those that fit none are told what would, and that is so.
func TestNumbersThatFitNoMoveAreToldWhatWould(t *testing.T) {
	for lang, says := range map[string]string{
		"en":    `“(.+)” fits none of your moves\. What you can write is, for example: ([^.]+)\.`,
		"pl":    `„(.+)” nie pasuje do żadnego z twoich ruchów\. Możesz napisać na przykład: ([^.]+)\.`,
		"pt-BR": `“(.+)” não corresponde a nenhuma das suas jogadas\. Você pode escrever, por exemplo: ([^.]+)\.`,
		"pt-PT": `«(.+)» não corresponde a nenhuma das suas jogadas\. Pode escrever, por exemplo: ([^.]+)\.`,
	} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(corner)}, p.person("Ana", lang),
				p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			at := p.last()
			require.Equal(t, "outcome: asked", p.becomes(ana, "13"))
			p.deliver(table)
			for _, move := range map[string][]string{"en": {"city 13", "road 13"},
				"pl":    {"zbuduj miasto, skrzyżowanie 13", "zbuduj drogę, droga 13"},
				"pt-BR": {"construir uma cidade, cruzamento 13", "construir uma estrada, estrada 13"},
				"pt-PT": {"construir uma cidade, cruzamento 13", "construir uma estrada, estrada 13"}}[lang] {
				require.Contains(t, flat(p.newest(ana).Text), move)
			}
			example := ""
			for _, text := range []string{"71", "13 20 5"} {
				require.Equal(t, "outcome: asked", p.becomes(ana, text))
				p.deliver(table)
				said := regexp.MustCompile(says).FindStringSubmatch(flat(unmarked.Replace(p.newest(ana).Text)))
				require.NotNil(t, said, flat(p.newest(ana).Text))
				require.Equal(t, text, said[1])
				example = said[2]
			}
			require.Empty(t, p.story(table, at))
			require.Equal(t, "outcome: played", p.becomes(ana, strings.TrimSpace(example)))
		})
	}
}
