package turn

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/words"
)

// stores is a payment of two out of three stores, as a game lists it: from left to right, the second step with a
// number.
type stores struct{ loose }

func (stores) Legal(domain.State, domain.Seat) iter.Seq[domain.Move] {
	return slices.Values([]domain.Move{"ab", "ac", "bb", "bc"})
}

func (stores) Steps(_ domain.State, m domain.Move) (list []domain.Step) {
	for i, store := range m.(string) {
		list = append(list, domain.Step{Key: fmt.Sprintf("%d-%c", i, store), Spot: string(store),
			Preset: 1 + int(store-'a')})
	}
	return list
}

func TestAPaymentIsPressedInAnyOrder(t *testing.T) {
	t.Parallel()
	book, err := words.New(nil)
	require.NoError(t, err)
	mod := &Model{rulebook: stores{}, printer: book.Printer("en", "", nil)}
	mod.choices(&domain.Line{})

	press := func(keys []string, spot string) []string {
		c, ok := mod.Fill(keys)
		require.True(t, ok)
		i := slices.IndexFunc(mod.Others(c), func(o Other) bool { return o.Spot == spot })
		require.GreaterOrEqual(t, i, 0, "%s after %q", spot, keys)
		return mod.Others(c)[i].Keys
	}
	for pressed, want := range map[string]string{"": "bc", "a": "ac", "b": "bc", "c": "bc", "ab": "ab", "ba": "ab",
		"ac": "ac", "ca": "ac", "bb": "bb", "cb": "bc", "abc": "ac", "cab": "bc", "bba": "ab"} {
		var keys []string
		for _, store := range pressed {
			keys = press(keys, string(store))
		}
		c, _ := mod.Fill(keys)
		require.Equal(t, want, c.Notation, "pressed %q", pressed)
		require.LessOrEqual(t, len(c.Pressed), 2)
	}
	c, _ := mod.Fill([]string{"0-a", "0-a", "elsewhere"})
	require.Equal(t, []string{"0-a"}, c.Pressed, "two of store a are no payment")
	_, ok := (&Model{rulebook: loose{}}).Fill(nil)
	require.False(t, ok)
}
