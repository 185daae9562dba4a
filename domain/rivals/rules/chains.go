package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Chains are exchanges with the bank that name both sides at once, the ways to end a turn, and cards exchanged for one
// chosen from a stack.
func (*Room) Chains(s *state.State, seat domain.Seat) []domain.Chain {
	if s.Active != seat || s.TasksN > 0 || !s.Awaits(seat) {
		return nil
	}
	switch s.Phase {
	case state.Acting:
		return append(exchanges(s, seat), ends(s, seat)...)
	case state.Drawing:
		return draws(s, seat, nil, "chain.keep")
	case state.Exchanging:
		return searches(s, seat)
	}
	return nil
}

// exchanges returns those with the bank, each at its best rate.
func exchanges(s *state.State, seat domain.Seat) (list []domain.Chain) {
	l := listers.Get().(*lister)
	defer l.close()
	l.s, l.r, l.seat, l.all = s, &s.Realms[seat], seat, l.all[:0]
	l.bank(l.r.Stock())
	best := map[table.Res]uint8{}
	for _, m := range l.all {
		if give := m.Res.Res(); best[give] == 0 || m.N < best[give] {
			best[give] = m.N
		}
	}
	for give := range table.Res(table.Resources) {
		for want := range table.Res(table.Resources) {
			n := best[give]
			if n == 0 || l.r.Free(table.Only(want)) == 0 || mayBank(s, seat, n, give, want) != "" {
				// what would be lost, only those choose who look for it
				continue
			}
			m := filled(s, seat, state.Move{Verb: state.Bank, N: n, Res: state.WordRes(give),
				Res2: state.WordRes(want)})
			list = append(list, domain.Chain{Moves: []domain.Move{m},
				Group: domain.S("chain.give", "goods", give.Count(int(n))), Label: want.Say(),
				Title: domain.S("chain.bank", "goods", give.Count(int(n)), "want", want.Say())})
		}
	}
	return list
}

// filled returns an exchange that also says where it is paid from and stored, where the game would ask: from the
// fullest places and at the emptiest.
func filled(s *state.State, seat domain.Seat, m state.Move) state.Move {
	d := desks.Get().(*desk)
	defer desks.Put(d)
	g := d.begin(s, seat, m, domain.NewThrowaway(0).Begin(), &domain.Event{})
	if g.judge() != nil {
		return m
	}
	open := false
	for g.s.TasksN > 0 {
		if t := &g.s.Tasks[0]; !g.auto() {
			if t.Seat != seat || t.Kind != state.TaskPay && t.Kind != state.TaskGain {
				return m
			}
			g.moveAny(t)
			open = true
		}
	}
	if !open {
		return m
	}
	full, paid, stored := m, 0, 0
	for _, o := range g.ops {
		for range o.N {
			switch {
			case o.Code == state.OpPay && paid < len(full.Pay):
				full.Pay[paid], paid = state.WordPlace(o.Place), paid+1
			case o.Code == state.OpGain && stored < len(full.Into):
				full.Into[stored], stored = state.WordPlace(o.Place), stored+1
			}
		}
	}
	return full
}

// The moves that begin and end the end of a turn.
var endMove, keepHand = state.Move{Verb: state.End}, state.Move{Verb: state.Pass}

// ends returns the ways to end a turn: to fill the hand from one stack, or with a full hand, and keep it; and, to draw
// from several stacks or exchange a card, to end the actions only.
func ends(s *state.State, seat domain.Seat) (list []domain.Chain) {
	missing := s.HandLimit(seat) - int(s.Realms[seat].HandN)
	stacks := anyStack(s)
	switch {
	case missing < 0, s.Realms[seat].HandN == 0 && !stacks: // the game asks what to lay off, or the turn ends at once
		return nil
	case missing == 0 || !stacks:
		list = append(list, domain.Chain{Moves: []domain.Move{endMove, keepHand}, Label: domain.S("chain.end"),
			Title: domain.S("chain.end.title")})
	default:
		list = draws(s, seat, []domain.Move{endMove}, "chain.draw")
	}
	return append(list, domain.Chain{Moves: []domain.Move{endMove}, Label: domain.S("chain.exchange"),
		Title: domain.S("step.end")})
}

// draws fill the hand from one stack, after the moves in first, and keep it.
func draws(s *state.State, seat domain.Seat, first []domain.Move, words string) (list []domain.Chain) {
	missing := s.HandLimit(seat) - int(s.Realms[seat].HandN)
	if missing <= 0 {
		return nil
	}
	for k := range s.DecksN {
		d := &s.Decks[k]
		if int(d.N) < missing {
			continue
		}
		draw := slices.Repeat([]domain.Move{state.Move{Verb: state.Draw, N: k + 1}}, missing)
		list = append(list, domain.Chain{Moves: slices.Concat(first, draw, []domain.Move{keepHand}),
			Group: domain.S(words), Label: domain.S("chain.stack", "n", int(k)+1),
			Title: domain.S(words+".title", "n", int(k)+1, "back", domain.S("back."+d.Set.String()))})
	}
	return list
}

// searches exchange a card of the hand for one chosen from a stack. The card goes under that stack, or under the lowest
// of those with its back; to put it elsewhere, the player chooses it in the hand.
func searches(s *state.State, seat domain.Seat) (list []domain.Chain) {
	l := listers.Get().(*lister)
	defer l.close()
	l.s, l.r, l.seat = s, &s.Realms[seat], seat
	price := searchPrice(l.r)
	if l.r.Stock().Total() < price {
		return nil
	}
	for c := range l.hand() {
		places := 0 // where it may go
		for range stacksFor(s, c) {
			places++
		}
		for k := range s.DecksN {
			under := underFor(s, c, k)
			if under == 0 || s.Decks[k].N == 0 { // under an empty stack it would be the only card there
				continue
			}
			list = append(list, domain.Chain{
				Moves: []domain.Move{state.Move{Verb: state.Search, Card: c, N: under},
					state.Move{Verb: state.Stack, N: k + 1}},
				Group: domain.S("chain.search", "card", c.Word(), "price", price),
				Label: domain.S("chain.stack", "n", int(k)+1),
				Title: domain.S("chain.search.title", "card", c.Word(), "under", int(under), "n", int(k)+1, "back",
					domain.S("back."+s.Decks[k].Set.String()), "price", price), Whole: places == 1})
		}
	}
	return list
}

// underFor returns the stack under which a card exchanged for one of stack k goes: k itself, or the lowest with the
// card's back.
func underFor(s *state.State, c table.Card, k uint8) (under uint8) {
	for n := range stacksFor(s, c) {
		if n == k+1 {
			return n
		}
		if under == 0 || s.Decks[n-1].N < s.Decks[under-1].N {
			under = n
		}
	}
	return under
}
