package words_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// Builders and traders pay; brigands and the plague take. Nothing is told twice to anybody who may know the card.
func TestTheRivalsPayWhatIsPaidAndLoseWhatIsTaken(t *testing.T) {
	b, err := words.New(rulebooks.All())
	require.NoError(t, err)
	const head = "game rivals\nseat Ana\nseat Bo\n"
	for name, c := range map[string]struct {
		script string
		told   []string // in English
		not    []string
	}{
		"a building": {`given {"phase":"act","seats":[{"hand":["abbey"],"stores":{"0a":3,"1a":3,"2a":3,"0b":3,"1b":3,"2b":3}},{}]}
Ana: build abbey 0 above`, []string{"Ana pays 1 brick, 1 grain, 1 ore."}, nil},
		"brigands": {`given {"seats":[{"hand":[],"stores":{"0a":2,"1a":2,"2a":1,"0b":1,"1b":1,"2b":1}},{"hand":[]}]}
chance dice 5 brigand
Ana: roll`, []string{"Ana loses 1 wool, 2 gold."}, []string{"Ana pays 1 wool, 2 gold."}},
		"the plague": {`option play progress
given {"seats":[{"towns":["0 city","1 city"],"hand":[],"stores":{"1b":3,"1a":2}},{"hand":[]}]}
chance dice 2 event
chance event plague
Ana: roll`, []string{"Ana loses 1 brick, 1 grain, 1 lumber, 1 wool, 1 ore, 1 gold."}, nil},
		"an exchange with the bank": {
			`given {"phase":"act","seats":[{"hand":[],"stores":{"0a":0,"1a":3,"2a":0,"0b":0,"1b":0,"2b":0}},{"hand":[]}]}
Ana: bank 3 gold ore`, []string{"Ana exchanges 3 gold.", "Ana gains 1 ore."}, []string{"Ana pays 3 gold.", "Ana loses 3 gold."}},
		"a card of a stack": {`given {"phase":"exchange","seats":[{"hand":["scout","abbey","harald"]},{}],"stacks":[{},{"cards":["inga"]}]}
Ana: swap abbey 1 2`, []string{"Ana's Abbey goes under stack 1."}, []string{"One of Ana's cards goes under stack 1."}},
	} {
		t.Run(name, func(t *testing.T) {
			told := toldOf(t, b, "rivals", head+c.script+"\n")["en"]
			for i := range told {
				told[i] = strings.ReplaceAll(told[i], "\u00a0", " ") // an amount stays with what it counts
			}
			t.Log(told)
			require.Subset(t, told, c.told)
			for _, not := range c.not {
				require.NotContains(t, told, not)
			}
		})
	}
}
