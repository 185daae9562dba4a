package inbound_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// A line about an absence is a command: the others read once that their player is away, in their own language, and
// until which day as they write it. A table without a clock knows it, too.
func TestAnAbsenceByMailIsToldOnce(t *testing.T) {
	for lang, told := range map[string]string{"en": "Bo is away until the end of Monday, 30 November.",
		"pl":    "Nieobecność (Bo) do końca dnia: poniedziałek, 30 listopada.",
		"pt-BR": "Bo está fora até o fim de segunda-feira, 30 de novembro.",
		"pt-PT": "Bo está fora até ao fim de segunda-feira, 30 de novembro."} {
		for _, clock := range []*domain.Clock{nil, {Hours: 24, TimeOut: domain.TimeOutRemind}} {
			h := newHouse(t)
			h.composer.Opens = func(ctx context.Context, id domain.PersonID, cipher []byte) string {
				text, err := h.people.Decrypt(ctx, id, cipher)
				require.NoError(t, err)
				return string(text)
			}
			table := h.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A"}`), Clock: clock},
				h.person("Ana", lang), h.person("Bo", "pl"))
			require.Equal(t, "outcome: away", h.write(h.address(table, 1), bo, "1", "nie ma mnie do 30 listopada"))
			text := flat(h.composed(table, 0).Text)
			require.Contains(t, text, told)
			require.NotContains(t, text, "2026-11-30", lang)
			require.NotContains(t, text, "Nie ma mnie", lang)
			require.False(t, h.Sees(table).Table.AwayUntil(h.Sees(table).Table.Places[1].Holders[0]).IsZero())
		}
	}
}

// Whoever is back says so in a reply; to somebody who is not away, that is a greeting.
func TestWhoeverIsBackSaysSoInAReply(t *testing.T) {
	for lang, texts := range map[string][]string{
		"en": {"I'm back", "I am back.", "I’m back!"}, "pl": {"wróciłem", "Wróciłam!", "Jestem z powrotem"},
		"pt-BR": {"voltei", "estou de volta"}, "pt-PT": {"De volta!", "Voltei."},
	} {
		for _, text := range texts {
			t.Run(text, func(t *testing.T) {
				p := newPost(t)
				table := p.started(desk.NewTable{Rulebook: "tiny", Clock: &domain.Clock{Hours: 24,
					TimeOut: domain.TimeOutRemind}}, p.person("Ana", "en"), p.person("Bo", lang))
				bos := p.Sees(table).Table.Places[1].Holders[0]
				p.deliver(table)
				require.Equal(t, "outcome: away", p.becomes(bo, "away until 30 November"))
				p.deliver(table)
				require.Contains(t, flat(p.newest(bo).Text), hereTaught[lang], "the answer says how to end it")
				require.Equal(t, "outcome: here", p.becomes(bo, text))
				require.True(t, p.Sees(table).Table.AwayUntil(bos).IsZero())
				p.deliver(table)
				require.Equal(t, "outcome: played", p.becomes(bo, text, "keep"))
				require.Equal(t, "outcome: refused", p.becomes(ana, text), "nothing else was said")
			})
		}
	}
}

var hereTaught = map[string]string{"en": "I’m back – ends your being away", "pl": "jestem z powrotem – kończy",
	"pt-BR": "voltei – termina", "pt-PT": "voltei – termina"}
