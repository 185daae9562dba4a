package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// Somebody who has rolled once in Catan for two is told that there is a second roll: if the words were the same, the
// first press would seem lost.
func TestASecondRollIsCalledSo(t *testing.T) {
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	rb, _ := rulebooks.Named("catan")
	choices, err := domain.Complete(rb, nil)
	require.NoError(t, err)
	for given, want := range map[string]map[string][2]string{
		`{"phase":"roll","players":[{"settlements":[19]},{"settlements":[30]}]}`: {
			"en": {"roll the dice", "Roll the dice"}, "pl": {"rzuć kośćmi", "Rzuć kośćmi"},
			"pt-PT": {"lançar os dados", "Lance os dados"}, "pt-BR": {"lançar os dados", "Lance os dados"}},
		`{"phase":"roll","rolls":1,"players":[{"settlements":[19]},{"settlements":[30]}]}`: {
			"en":    {"roll the dice a second time", "Roll the dice a second time"},
			"pl":    {"rzuć kośćmi drugi raz", "Rzuć kośćmi drugi raz"},
			"pt-PT": {"lançar os dados pela segunda vez", "Lance os dados pela segunda vez"},
			"pt-BR": {"lançar os dados pela segunda vez", "Lance os dados pela segunda vez"}},
	} {
		line := domain.NewLine(rb, domain.NewThrowaway(1))
		e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(given)})
		require.NoError(t, err)
		line.Apply(&e)
		open := line.Awaited()
		require.Len(t, open, 1)
		for lang := range want {
			p := b.Printer(lang, "catan", []string{"Ana", "Bo"})
			require.Equal(t, want[lang][0], p.Text(domain.WhatIsAsked(rb, line.State, open[0].Decision)), "%s: %s",
				lang, given)
			asked := 0
			for m := range rb.Legal(line.State, open[0].Seat) {
				if steps := rb.Steps(line.State, m); len(steps) > 0 && rb.FormatMove(m, nil) == "roll" {
					require.Equal(t, want[lang][1], p.Say(steps[0].Ask), "%s: %s", lang, given)
					asked++
				}
			}
			require.Equal(t, 1, asked)
		}
	}
}
