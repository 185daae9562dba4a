package browser

import (
	"context"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events/desk"
)

// choose returns the move of a player who lets a stand-in think.
func (f *finger) choose(s *standin.Sight) domain.Move {
	move, _ := thought(s, f.gambles)
	return move
}

// chain returns a sequence that the page offers in one press in place of a move, if the player, as far as they know,
// would play all of it.
func (f *finger) chain(look desk.Look, seat domain.Seat, notation string, luck uint64) string {
	f.t.Helper()
	all, err := chromedp.Run(f.ctx,
		chromedp.Evaluate[[]string](`Array.from(document.querySelectorAll('.game .ends a[href*="play="], .game button[name=move]'), b => b.value || new URL(b.href).searchParams.get("play"))`))
	require.NoError(f.t, err)
	orders, err := f.offline.Desk.Orders(context.Background(), f.table, seat, look.Table.Places[seat].Holders[0])
	require.NoError(f.t, err)
	offered := make([][]string, len(all))
	for i, moves := range all {
		offered[i] = strings.Split(moves, "; ")
	}
	p := onePress{t: f.t, rb: look.Rulebook, seat: seat, orders: orders.List, gambles: f.gambles, luck: luck}
	return strings.Join(p.instead(look.Line.State, notation, offered), "; ")
}
