package catan_test

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/catan/rules"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
	"posthorn/domain/rulebooktest"
)

// refused is what a refusal is compared with: the position, the seat, and its move.
type refused struct {
	*rulebooktest.Refused
	s  *state.State
	c  int8
	m  state.Move
	at int8 // the place that the refusal names
}

func so(is func(r refused) bool) func(*rulebooktest.Refused) bool {
	return func(r *rulebooktest.Refused) bool {
		at := max(r.N("at"), r.N("path"), r.N("hex"))
		return is(refused{r, r.State.(*state.State), int8(r.Seat), r.Move.(state.Move), int8(at)})
	}
}

// can reports whether a move of a kind, such as these say, is legal.
func (r refused) can(is func(state.Move) bool) bool {
	return slices.ContainsFunc(r.Legal(), func(m domain.Move) bool { return is(m.(state.Move)) })
}

func (r refused) phase(p state.Phase) bool { return r.s.Phase == p }

func (r refused) has(h table.Hand) bool { return r.s.Hand[r.c].Covers(h) }

// spares reports whether a hex is none that the robber spares: nobody poor builds beside it.
func spares(s *state.State, hex int8) bool {
	for c := range s.Seats {
		if s.PublicPoints(c) <= 2 && s.Buildings(c)&table.Isle.HexCorners[hex] != 0 {
			return true
		}
	}
	return false
}

// near reports whether a building stands at an intersection or at the end of a path from it.
func near(s *state.State, at int8) bool {
	for _, p := range table.Isle.PathsAt[at].List() {
		if table.EndsOf(int8(p))&s.Built64 != 0 {
			return true
		}
	}
	return s.Built64>>at&1 != 0
}

// joins reports whether a path touches a road or a building of a colour, and not from behind somebody else's.
func joins(s *state.State, c, path int8, roads table.PathSet) bool {
	for ends := table.EndsOf(path); ends != 0; {
		at := table.NextCorner(&ends)
		mine, others := s.Buildings(c)>>at&1 != 0, s.Built64>>at&1 != 0 && s.Buildings(c)>>at&1 == 0
		for _, p := range table.Isle.PathsAt[at].List() {
			mine = mine || !others && roads.Has(int8(p))
		}
		if mine {
			return true
		}
	}
	return false
}

// offers counts the open offers of others.
func (r refused) offers() (n int) {
	for c := range r.s.Offers {
		if int8(c) != r.c && r.s.Offers[c].Open {
			n++
		}
	}
	return n
}

func letterOf(r refused) int8 {
	return int8(2 + slices.Index(table.NeutralLetters[:], r.Args["letter"].(string)))
}

func settles(s *state.State, c int8) bool {
	return s.DueHomes > 0 && s.SettlementsLeft(c) > 0 && s.OpenHomes(c) != 0
}

func lays(s *state.State, c int8) bool {
	open := s.OpenPaths(c)
	return s.RoadsLeft(c) > 0 && !open.Empty()
}

var never = rulebooktest.Never

// truths says of each refusal when it is true, from the board and the hands.
var truths = rulebooktest.Truths{
	"not-your-turn": so(func(r refused) bool { return r.s.Active != r.c && r.s.Phase != state.PhaseDiscard }),
	"not-awaited":   never, // which seats are asked, the house knows
	"not-now-found": so(func(r refused) bool { return r.phase(state.PhaseFound) }),
	"not-now-roll": so(func(r refused) bool {
		return r.phase(state.PhaseRoll) && r.Accepts(state.NewMove(state.KindRoll))
	}),
	"not-now-discard": so(func(r refused) bool {
		return r.phase(state.PhaseDiscard) && r.s.Owes != [state.MaxColours]int8{}
	}),
	"not-now-robber": so(func(r refused) bool {
		return r.phase(state.PhaseRobber) && r.can(func(m state.Move) bool { return m.Kind == state.KindRob })
	}),
	"not-now-main": so(func(r refused) bool {
		return r.phase(state.PhaseMain) && r.Accepts(state.NewMove(state.KindEnd))
	}),
	"not-now-neutral": so(func(r refused) bool {
		return r.phase(state.PhaseNeutral) && r.can(func(m state.Move) bool { return m.Kind == state.KindNeutral })
	}),
	"not-now-give": so(func(r refused) bool { return r.phase(state.PhaseGive) }),
	"not-now-over": never,
	"found-both": so(func(r refused) bool {
		return r.Accepts(state.MoveAt(state.KindFound, int8(r.N("at")), int8(r.N("path"))))
	}),
	"found-apart": so(func(r refused) bool { return table.EndsOf(int8(r.N("path")))>>r.N("at")&1 == 0 }),
	"no-discard":  so(func(r refused) bool { return r.s.Owes[r.c] == 0 }),
	"discard-count": so(func(r refused) bool {
		return r.N("n") == int(r.s.Owes[r.c]) && r.N("n") == int(r.s.Size[r.c])/2 && r.m.Give.Len() != r.N("n")
	}),
	"not-in-hand": so(func(r refused) bool {
		if o := &r.s.Offers[r.s.Active]; r.m.Kind == state.KindAccept && r.c != r.s.Active {
			return !r.has(o.Want)
		}
		return r.m.Kind == state.KindAccept || !r.has(r.m.Give)
	}),
	"cannot-pay": so(func(r refused) bool {
		cost := map[state.Kind]table.Hand{state.KindRoad: table.RoadCost, state.KindSettle: table.SettlementCost,
			state.KindCity: table.CityCost, state.KindBuy: table.CardCost}[r.m.Kind]
		return cost.Len() > 0 && !r.has(cost)
	}),
	"bank-pay": so(func(r refused) bool {
		var cost table.Hand
		cost[r.m.A] = r.s.Rate(r.c, table.Resource(r.m.A))
		return r.m.Kind == state.KindBank && !r.has(cost)
	}),
	"bank-same":      so(func(r refused) bool { return r.m.Kind == state.KindBank && r.m.A == r.m.B }),
	"discard-held":   so(func(r refused) bool { return !r.has(r.m.Give) }),
	"give-held":      so(func(r refused) bool { return !r.has(r.m.Give) }),
	"counter-stands": so(func(r refused) bool { return r.c != r.s.Active && r.s.Offers[r.c].Open }),
	"too-close":      so(func(r refused) bool { return near(r.s, r.at) }),
	"path-taken":     so(func(r refused) bool { return r.s.Laid.Has(r.at) }),
	"not-connected": so(func(r refused) bool {
		roads := r.s.Roads[r.c]
		if r.m.Kind == state.KindRoads { // the first of the two may carry the second
			for _, p := range []int8{r.m.A, r.m.B} {
				if p != r.at && table.IsPath(p) && joins(r.s, r.c, p, roads) && !r.s.Laid.Has(p) {
					roads.Add(p)
				}
			}
		}
		return !joins(r.s, r.c, r.at, roads)
	}),
	"no-road-there": so(func(r refused) bool {
		return !slices.ContainsFunc(table.Isle.PathsAt[r.at].List(), func(p int) bool {
			return r.s.Roads[r.c].Has(int8(p))
		})
	}),
	"no-settlement-there": so(func(r refused) bool { return r.s.Buildings(r.c)>>r.at&1 == 0 }),
	"city-there":          so(func(r refused) bool { return r.s.Cities[r.c]>>r.at&1 != 0 }),
	"no-roads-left":       so(func(r refused) bool { return r.s.Roads[r.c].Len() == 15 }),
	"no-settlements-left": so(func(r refused) bool { return r.s.SettlementsLeft(r.c) == 0 }),
	"no-cities-left":      so(func(r refused) bool { return r.s.CitiesLeft(r.c) == 0 }),
	"no-such-path":        so(func(r refused) bool { return r.at < 0 || r.at > 71 }),
	"no-such-corner":      so(func(r refused) bool { return r.at < 0 || r.at > 53 }),
	"no-such-hex":         so(func(r refused) bool { return r.at < 0 || r.at > 18 }),
	"deck-empty":          so(func(r refused) bool { return r.s.Deck.Len() == 0 }),
	"no-card":             so(func(r refused) bool { return r.s.Cards[r.c][cardOf(r.m.Kind)] == 0 }),
	"card-played":         so(func(r refused) bool { return r.s.CardPlayed }),
	"card-fresh": so(func(r refused) bool {
		k := cardOf(r.m.Kind)
		return r.s.Cards[r.c][k] > 0 && r.s.Cards[r.c][k] == r.s.Fresh[r.c][k]
	}),
	"two-roads": so(func(r refused) bool {
		return (r.m.B == table.NoPlace || r.m.A == r.m.B) &&
			r.can(func(m state.Move) bool { return m.Kind == state.KindRoads && m.B != table.NoPlace })
	}),
	"one-road-left": so(func(r refused) bool { return r.s.RoadsLeft(r.c) == 1 && r.m.B != table.NoPlace }),
	"plenty-two": so(func(r refused) bool {
		return r.m.B == table.NoPlace &&
			r.can(func(m state.Move) bool { return m.Kind == state.KindPlenty && m.B != table.NoPlace })
	}),
	"bank-short": so(func(r refused) bool { return r.s.Bank[r.m.B] == 0 }),
	"plenty-short": so(func(r refused) bool {
		want := table.One(table.Resource(r.m.A))
		if r.m.B != table.NoPlace {
			want[r.m.B]++
		}
		return !r.s.Bank.Covers(want)
	}),
	"robber-stays": so(func(r refused) bool { return r.m.A == r.s.Robber }),
	"robber-friendly": so(func(r refused) bool {
		return r.s.Rules.Friendly && spares(r.s, r.at) &&
			r.can(func(m state.Move) bool { return m.Kind == r.m.Kind && !spares(r.s, m.A) })
	}),
	"rob-whom": so(func(r refused) bool { return len(rules.Victims(r.s, r.c, r.at).List()) > 1 }),
	"rob-self": so(func(r refused) bool { return r.m.Seat == r.Seat }),
	"rob-nothing": so(func(r refused) bool {
		of, is := r.Args["seat"].(domain.Seat)
		return is && of != r.Seat && (int8(of) >= r.s.Seats || r.s.Size[of] == 0 ||
			r.s.Buildings(int8(of))&table.Isle.HexCorners[r.at] == 0)
	}),
	"trade-gift": so(func(r refused) bool { return r.m.Give.Len() == 0 || r.m.Want.Len() == 0 }),
	"trade-same": so(func(r refused) bool {
		return r.m.Give.Meets(r.m.Want) || r.m.Kind == state.KindBank && r.m.A == r.m.B
	}),
	"trade-over":      so(func(r refused) bool { return r.s.Rules.Apart && r.s.Built }),
	"offer-to-whom":   so(func(r refused) bool { return r.m.To.Has(r.c) || r.m.To>>r.s.Seats != 0 }),
	"no-offer-yours":  so(func(r refused) bool { return !r.s.Offers[r.c].Open }),
	"nobody-accepted": so(func(r refused) bool { return r.s.Offers[r.c].Open && r.s.Offers[r.c].Yes == 0 }),
	"confirm-whom":    so(func(r refused) bool { return len(r.s.Offers[r.c].Yes.List()) > 1 }),
	"counter-whose":   so(func(r refused) bool { return r.offers() > 1 }),
	"no-offer": so(func(r refused) bool {
		if r.c != r.s.Active {
			return !r.s.Offers[r.s.Active].Unanswered().Has(r.c) || r.m.Seat >= 0 && int8(r.m.Seat) != r.s.Active
		}
		return r.m.Seat < 0 && r.offers() == 0 || int8(r.m.Seat) == r.c || int8(r.m.Seat) >= r.s.Seats ||
			r.m.Seat >= 0 && !r.s.Offers[r.m.Seat].Open
	}),
	"not-accepted": so(func(r refused) bool { return !r.s.Offers[r.c].Yes.Has(int8(r.m.Seat)) }),
	"offer-lapsed": so(func(r refused) bool {
		maker, taker := r.s.Active, r.c
		if r.c == r.s.Active {
			maker, taker = r.c, int8(r.m.Seat)
		}
		return taker < 0 || !r.s.Hand[maker].Covers(r.s.Offers[maker].Give) ||
			!r.s.Hand[taker].Covers(r.s.Offers[maker].Want) || r.m.Kind == state.KindAccept
	}),
	"counter-own":  so(func(r refused) bool { return r.c == r.s.Active }),
	"only-for-two": so(func(r refused) bool { return r.s.Seats > 2 }),
	"neutral-cannot": so(func(r refused) bool {
		return r.s.Rules.NeutralEach && r.m.Neutral[0].Sort != state.NoPiece && r.m.Neutral[1].Sort != state.NoPiece
	}),
	"neutral-nothing-due": never, // the phase says so
	"neutral-count": so(func(r refused) bool {
		return r.can(func(m state.Move) bool { return pieces(m) == r.N("n") }) &&
			!r.can(func(m state.Move) bool { return m.Neutral == r.m.Neutral })
	}),
	"neutral-road-due":       so(func(r refused) bool { return r.s.DueHomes == 0 && r.s.DueRoads > 0 }),
	"neutral-settlement-due": so(func(r refused) bool { return settles(r.s, letterOf(r)) }),
	"neutral-no-road-yet":    so(func(r refused) bool { return r.s.Rules.RoadLast && settles(r.s, letterOf(r)) }),
	"neutral-hemmed-in": so(func(r refused) bool {
		c := letterOf(r)
		return !settles(r.s, c) && !(lays(r.s, c) && !(r.s.Rules.RoadLast && settles(r.s, 5-c))) &&
			(settles(r.s, 5-c) || lays(r.s, 5-c))
	}),
	"neutral-no-settlements-left": so(func(r refused) bool { return r.s.SettlementsLeft(letterOf(r)) == 0 }),
	"neutral-no-roads-left":       so(func(r refused) bool { return r.s.RoadsLeft(letterOf(r)) == 0 }),
	"neutral-no-road-there": so(func(r refused) bool {
		return !slices.ContainsFunc(table.Isle.PathsAt[r.at].List(), func(p int) bool {
			return r.s.Roads[letterOf(r)].Has(int8(p))
		})
	}),
	"neutral-not-connected": so(func(r refused) bool { c := letterOf(r); return !joins(r.s, c, r.at, r.s.Roads[c]) }),
	"neutral-which": so(func(r refused) bool {
		m, o := r.m, r.m
		m.Loose, o.Loose, o.Neutral = false, false, [2]state.NeutralPiece{r.m.Neutral[1], r.m.Neutral[0]}
		return r.Accepts(m) && r.Accepts(o)
	}),
	"token-used":  so(func(r refused) bool { return r.s.TokenUsed && !r.s.Rules.TokensAny }),
	"token-price": so(func(r refused) bool { return int(r.s.Tokens[r.c]) < r.N("n") }),
	"force-nothing": so(func(r refused) bool {
		return r.s.Size[1-r.c] == 0 || r.s.Size[r.c]+min(r.s.Size[1-r.c], 2) < 2
	}),
	"give-two":         so(func(r refused) bool { return r.m.Give.Len() != 2 }),
	"robber-in-desert": so(func(r refused) bool { return r.s.Board.Terrain[r.s.Robber] == table.Desert }),
	"no-desert":        so(func(r refused) bool { return !slices.Contains(r.s.Board.Terrain[:], table.Desert) }),
	"refill-once":      so(func(r refused) bool { return r.s.Refilled }),
	"no-knight-lies":   so(func(r refused) bool { return r.s.Knights[r.c] == 0 }),
	"too-many-cards":   so(func(r refused) bool { return slices.Max(r.m.Want[:]) > 19 }),

	"neutral-what": never, "token-what": never, "order-private": never, "order-unreadable": never, "unreadable": never,
	"unreadable-word": never,
	"number-missing":  never, "name-missing": never, "resource-missing": never, "unknown-resource": never,
	"unknown-seat": never, "for-missing": never,
	"name-unclear": never, "bank-rate-none": never, "bank-one": never, "given": never,
	"bank-rate": so(func(r refused) bool {
		return r.N("n") == int(r.s.Rate(r.c, table.Resource(r.m.A))) && int(r.m.Give[r.m.A]) != r.N("n")
	}),
}

// cardOf returns the card that a kind of move plays.
func cardOf(k state.Kind) table.Card {
	return map[state.Kind]table.Card{state.KindKnight: table.Knight, state.KindRoads: table.Roads,
		state.KindPlenty: table.Plenty, state.KindMonopoly: table.Monopoly}[k]
}

func pieces(m state.Move) (n int) {
	for _, x := range m.Neutral {
		if x.Sort != state.NoPiece {
			n++
		}
	}
	return n
}
