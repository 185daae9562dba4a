package kit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/kit"
	"posthorn/domain/rulebooktest/tiny"
)

func TestWhatIsNoMoveOfAGameIsRefusedAndHasNoNotation(t *testing.T) {
	line := domain.NewLine(tiny.Rulebook, domain.NewThrowaway(1))
	_, err := tiny.Rulebook.Decide(line.State, 0, "keep", domain.NewThrowaway(1).Begin())
	require.Equal(t, domain.Refuse("unreadable"), err)
	require.Empty(t, tiny.Rulebook.FormatMove(7, nil))
	require.Nil(t, tiny.Rulebook.Steps(line.State, 7))
	m, err := tiny.Rulebook.ParseMove("what", nil)
	require.Error(t, err)
	require.Nil(t, m)
}

func TestATableOfDataSaysWhatItIs(t *testing.T) {
	b := kit.Basics{Word: "x", Least: 2, Most: 3}
	require.Equal(t, "1", b.Edition())
	b.Rules = "7"
	require.Equal(t, "7", b.Edition())
	b.Variants = []domain.Option{kit.Switch("low", "off")}
	require.Equal(t, []domain.Option{{Key: "low", Values: []string{"on", "off"}, Default: "off"}}, b.Options())
	least, most := b.Seats(nil)
	require.Equal(t, [2]int{2, 3}, [2]int{least, most})
	b.Fits = func(o domain.Choices) (int, int) { return len(o), 8 }
	least, most = b.Seats(domain.Choices{"low": "on"})
	require.Equal(t, [2]int{1, 8}, [2]int{least, most})
}

func TestAScriptSaysWhichCardsAndNumbersAreDrawn(t *testing.T) {
	luck := func(kind, words string) *domain.Luck {
		s := domain.NewThrowaway(1)
		s.Dictate(kind, domain.Outcome{Words: words})
		return s.Begin()
	}
	cards := []int{1, 2, 3, 4, 5, 6, 7, 8}
	require.ElementsMatch(t, cards, kit.Stack(domain.NewThrowaway(1).Begin(), "stack", cards))
	l := luck("stack", "7 3")
	stack := kit.Stack(l, "stack", cards)
	require.NoError(t, l.Err())
	require.Equal(t, []int{7, 3}, stack[:2])
	require.ElementsMatch(t, cards, stack)
	for _, words := range []string{"9", "7 7", "x"} {
		l := luck("stack", words)
		kit.Stack(l, "stack", cards)
		require.Error(t, l.Err(), words)
	}
	die := []int{1, 2, 3, 5, 8}
	require.Equal(t, 5, kit.OneOf(luck("die", "5"), "die", die))
	for _, words := range []string{"0", "4", "x"} {
		l := luck("die", words)
		kit.OneOf(l, "die", die)
		require.Error(t, l.Err(), words)
	}
}

func TestAnOrderThatIsAMoveStandsAsOftenAsItSays(t *testing.T) {
	orders, names := tiny.Rulebook.Extras().Orders, []string{"Ana", "Bo"}
	read := func(text string) string {
		order, err := orders.ReadOrder(text, names)
		require.NoError(t, err, text)
		return order
	}
	require.Equal(t, "order keep", read("ORDER ficar"))
	require.Equal(t, "order peek B 2", read("peek bo 2"))
	require.Equal(t, "order peek Bo 2", orders.ShowOrder("order peek B 2", names))
	require.Equal(t, "order.times", orders.TellOrder("order roll 2", nil)[0].Key)
	require.Equal(t, "order", orders.TellOrder("order roll", nil)[0].Key)
	_, err := orders.ReadOrder("order nothing", names)
	require.Error(t, err)
	require.Equal(t, "nothing", orders.ShowOrder("nothing", names))
	require.Nil(t, orders.TellOrder("nothing", nil))
	view := tiny.Rulebook.View(tiny.Rulebook.New(), 0)
	for order, left := range map[string]string{"order keep": "order keep", "order keep 1": "",
		"order keep 3": "order keep 2"} {
		does, ok := orders.Obey([]string{"nothing", "order roll", order}, domain.Decision{Kind: "choose"}, view)
		require.True(t, ok)
		require.Equal(t, 2, does.Order)
		require.Equal(t, left, does.Left)
	}
	_, ok := orders.Obey([]string{"order roll"}, domain.Decision{Kind: "choose"}, view)
	require.False(t, ok)
	require.Len(t, orders.OrderForms(view)[0].Fields[0].Words, 3)
}
