package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/show"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Given a hand in a position, when a card is read, then it says everything that prevents its use now, and nothing of
// what the viewer does not see.
func TestACardIsReadInWords(t *testing.T) {
	choices, err := domain.Complete(Rulebook, domain.Choices{"play": "gold"})
	require.NoError(t, err)
	lay := func(given string) *state.State {
		line := domain.NewLine(Rulebook, domain.NewThrowaway(1))
		e, _, err := line.Setup(domain.Game{Choices: choices, Seats: 2, Given: []byte(given)})
		require.NoError(t, err)
		line.Apply(&e)
		return line.State.(*state.State)
	}
	const seats = `"seats":[{"towns":["0 settlement above abbey","1 settlement"],"hand":["abbey","mint","trade_master","parish_hall","scout","brigitta"]},{"hand":["harald"]}]}`
	acting := lay(`{"phase":"act","discard":["goldsmith"],` + seats)
	rolling := lay(`{"phase":"roll",` + seats)
	theirs := lay(`{"phase":"act","active":"B",` + seats)

	keys := func(says []domain.Say) (list []string) {
		for _, s := range says {
			list = append(list, s.Key)
		}
		return list
	}
	hand := func(s *state.State, v domain.Viewer) (list []domain.CardText) {
		for _, c := range Rulebook.Cards(Rulebook.View(s, v)) {
			if c.Hand {
				list = append(list, c)
			}
		}
		return list
	}
	for _, c := range []struct {
		card string
		s    *state.State
		not  []string
	}{
		{"abbey", acting, []string{"refuse.one-only"}},
		{"mint", acting, []string{"not.missing", "refuse.city-only"}},
		{"trade_master", acting, []string{"not.needs"}},
		{"parish_hall", acting, nil},
		{"scout", acting, []string{"not.settling"}},
		{"brigitta_the_wise_woman", acting, []string{"not.before-roll"}},
		{"brigitta_the_wise_woman", rolling, nil},
		{"parish_hall", rolling, []string{"not.action-phase"}},
		{"parish_hall", theirs, []string{"not.action-phase"}},
		{"brigitta_the_wise_woman", theirs, []string{"not.before-roll"}},
	} {
		for _, text := range hand(c.s, 0) {
			if text.Label.Key == "card."+c.card {
				require.Equal(t, c.not, keys(text.Not), c.card)
			}
		}
	}
	require.Len(t, hand(acting, 0), 6)

	require.Empty(t, hand(acting, domain.Spectator))
	seen := map[string]int{}
	for _, c := range Rulebook.Cards(Rulebook.View(acting, domain.Spectator)) {
		seen[c.Label.Key]++
		require.Empty(t, c.Not)
	}
	require.Zero(t, seen["card.harald"], "a hand is seen by its seat alone")
	require.Equal(t, 1, seen["card.abbey"], "the one on its site")
	for _, c := range Rulebook.Cards(Rulebook.View(acting, 1)) {
		seen[c.Label.Key]++
	}
	require.Equal(t, 1, seen["card.harald"])
	require.Zero(t, seen["card.mint"])
}

// Given an attack on the other's hand, which the viewer does not see, then no text says that the hand is empty.
func TestAHiddenHandIsNotEmpty(t *testing.T) {
	line, err := setUpGiven("turmoil", `{"phase":"act","seats":[{"hand":["traitor"]},{"hand":["harald"]}]}`)
	require.NoError(t, err)
	for _, c := range Rulebook.Cards(Rulebook.View(line.State, 0)) {
		for _, not := range c.Not {
			require.NotEqual(t, "refuse.hand-empty", not.Key, c.Label.Key)
		}
	}
}

// Every card of the table says what it is in every language, and every visible card has its own key.
func TestEveryCardHasItsText(t *testing.T) {
	for c := table.Card(1); int(c) < len(table.Printings); c++ {
		lines := show.Lines(c)
		require.GreaterOrEqual(t, len(lines), 2)
		for _, say := range append(lines, c.Word()) {
			requireWords(t, say)
		}
	}
}

// The rules list every card of the box once.
func TestTheRulesListEveryCard(t *testing.T) {
	g, listed := Rulebook.Extras().Guide, 0
	for _, s := range g.Sections {
		listed += len(g.Cards(s.Key))
	}
	require.Equal(t, len(table.Table.Cards), listed)
}
