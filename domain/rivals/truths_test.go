package rivals

import (
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
	"posthorn/domain/rulebooktest"
)

// refused is what a refusal is compared with: the position, both principalities, what is asked, and the move.
type refused struct {
	*rulebooktest.Refused
	s         *state.State
	own, them *state.Realm
	task      state.Task
	m         state.Move
}

func so(is func(r refused) bool) func(*rulebooktest.Refused) bool {
	return func(r *rulebooktest.Refused) bool {
		s := r.State.(*state.State)
		x := refused{Refused: r, s: s, own: &s.Realms[r.Seat], them: &s.Realms[state.Other(r.Seat)],
			m: r.Move.(state.Move)}
		if s.Asked(r.Seat) != state.NoTask {
			x.task = s.Tasks[0]
		}
		return is(x)
	}
}

// asked is the row of a refusal that says what is to be done first: these tasks are, and a move with this verb does it.
func asked(verb state.Verb, kinds ...state.TaskKind) func(*rulebooktest.Refused) bool {
	return so(func(r refused) bool {
		return slices.Contains(kinds, r.task.Kind) &&
			slices.ContainsFunc(r.Legal(), func(m domain.Move) bool { return m.(state.Move).Verb == verb })
	})
}

var never = rulebooktest.Never

// truths says of each refusal when it is true, from what lies in the principalities.
var truths = rulebooktest.Truths{
	"unreadable":  so(func(r refused) bool { return r.m.Verb == state.Bank && r.m.N < 1 }),
	"given":       never,
	"not-awaited": never,

	"order-unreadable": never, // it is about an order, and no move is refused with it

	"roll-first": so(func(r refused) bool {
		return r.phase(state.Rolling) && r.Accepts(state.Move{Verb: state.RollDice})
	}),
	"rolled-already": so(func(r refused) bool { return r.phase(state.Acting) }),
	"die-missing":    so(func(r refused) bool { return r.phase(state.Rolling) && r.m.N == 0 }),
	"die-rolled":     so(func(r refused) bool { return r.phase(state.Rolling) && r.m.N > 0 }),
	"not-in-act": so(func(r refused) bool {
		return r.phase(state.Acting) && r.Accepts(state.Move{Verb: state.End})
	}),
	"not-by-itself": so(func(r refused) bool {
		return r.card().Row().Kind == table.ActionCard && len(r.card().Row().Play) == 0
	}),
	"not-with-settlement": so(func(r refused) bool { return r.m.Verb == state.Settle && !r.m.Card.Same(table.Scout) }),
	"not-in-hand": so(func(r refused) bool {
		if r.task.Kind == state.TaskSteal || r.task.Kind == state.TaskBury {
			of := r.them.Held()
			return !slices.ContainsFunc(of, func(s state.Slot) bool { return s.Card.Same(r.m.Card) }) ||
				r.m.Card2 != table.NoCard
		}
		return r.m.Card == table.NoCard || !r.holds(r.m.Card) || r.m.Card2 != table.NoCard && !r.holds(r.m.Card2)
	}),
	"not-a-building": so(func(r refused) bool {
		return r.card().Row().Kind == table.ActionCard || r.card().Row().Kind == table.EventCard
	}),
	"not-an-action": so(func(r refused) bool { return r.card().Row().Kind != table.ActionCard }),
	"one-only":      so(func(r refused) bool { return r.card().Row().One && r.own.Has(r.card()) }),
	"needs":         so(func(r refused) bool { return len(r.card().Row().Needs) > 0 && !r.Accepts(r.m) }),
	"no-town":       so(func(r refused) bool { return r.level() == state.NoTown }),
	"city-only": so(func(r refused) bool {
		return r.level() == state.SettlementTown && r.card().Row().Kind == table.CityCard
	}),
	"on-parish-hall": so(func(r refused) bool {
		return r.card().Same(table.TownHall) &&
			!slices.ContainsFunc(r.stands(r.own, r.m.At, r.m.Side), func(c table.Card) bool {
				return c == table.ParishHall
			})
	}),
	"site-taken": so(func(r refused) bool {
		return len(r.stands(r.own, r.m.At, r.m.Side)) == map[state.Level]int{state.SettlementTown: 1,
			state.CityTown: 2}[r.level()]
	}),
	"side-missing": so(func(r refused) bool { return r.m.Side == 0 }),
	"no-region": so(func(r refused) bool {
		switch r.m.Verb {
		case state.SwapPlaces:
			return r.yields(r.m.Place.Place()) == table.NoRes || r.yields(r.m.Place2.Place()) == table.NoRes ||
				r.m.Place == r.m.Place2 ||
				r.m.Place.Place() == table.CachePlace || r.m.Place2.Place() == table.CachePlace
		case state.PlayCard:
			return r.yields(r.m.Place.Place()) == table.NoRes
		}
		gap := int(r.m.At) + table.Origin
		return gap < 0 || gap >= table.Gaps || r.own.Regions[table.PlaceAt(gap, int(r.m.Side)-1)].Number == 0
	}),
	"none-left": so(func(r refused) bool {
		left := map[state.Verb]int{state.Road: int(r.s.Roads), state.Settle: int(r.s.Settlements),
			state.City: int(r.s.Cities)}
		n, is := left[r.m.Verb]
		return is && n == 0
	}),
	"no-place": so(func(r refused) bool {
		return r.m.Verb == state.Road && (r.own.Left == 0 || r.own.Right == table.Columns-1)
	}),
	"road-there": so(func(r refused) bool { return bits.OnesCount16(r.own.Roads) > int(r.own.Right-r.own.Left) }),
	"road-missing": so(func(r refused) bool {
		gap := map[bool]int8{false: r.own.Left - 1, true: r.own.Right}[r.m.Right]
		return gap < 0 || r.own.Roads&(1<<gap) == 0
	}),
	"city-on-settlement": so(func(r refused) bool { return r.level() == state.NoTown }),
	"city-there":         so(func(r refused) bool { return r.level() == state.CityTown }),
	"cannot-pay": so(func(r refused) bool {
		switch r.m.Verb {
		case state.Road:
			return !covers(r.stock(), table.RoadCost)
		case state.Settle:
			return !covers(r.stock(), table.SettlementCost)
		case state.City:
			return !covers(r.stock(), table.CityCost)
		case state.Bank:
			return r.stock()[r.m.Res.Res()] < r.m.N
		case state.Build:
			return !covers(r.stock(), r.card().Row().Cost)
		case state.Give:
			return !covers(r.stock(), r.m.Goods())
		case state.Buy:
			return r.m.Goods().Total() > int(r.stock()[table.GoldRes])
		case state.PayFrom:
			return r.task.Kind == state.TaskRiot && r.stock()[table.GoldRes] < r.task.N
		}
		e := r.effect()
		return e.Do == "pay" && (r.stock().Total() < int(e.N) || e.What != "any" &&
			r.stock()[e.Goods.First()] < uint8(e.N))
	}),

	"same-resource": so(func(r refused) bool { return r.m.Res == r.m.Res2 }),
	"no-such-rate": so(func(r refused) bool {
		if r.m.N == 1 {
			return r.m.Res.Res() != table.GoldRes || r.own.Mints == 0
		}
		return r.m.N == 2 && !r.own.Rates.Has(r.m.Res.Res())
	}),
	"mint-used": so(func(r refused) bool {
		return r.own.Mints > 0 && r.s.Mints >= r.own.Mints && r.m.Res.Res() == table.GoldRes
	}),
	"rate-apart": so(func(r refused) bool {
		two := func(p table.Place) bool { return r.yields(p) == r.m.Res.Res() && r.own.Store(p) >= 2 }
		for at, c := range r.own.Cards() {
			if near := table.Neighbours(at); c.Row().ID == "large_trade_ship" && !two(near[0]) && !two(near[1]) {
				return !r.own.Rates.Has(r.m.Res.Res())
			}
		}
		return false
	}),
	"no-removal":  so(func(r refused) bool { return r.s.Play == table.Intro }),
	"one-removal": so(func(r refused) bool { return r.s.Removals > 0 && r.s.Rules&table.OneRemoval != 0 }),
	"cache-stays": so(func(r refused) bool {
		return r.own.Cache != table.NoPlace && r.m.Card.Same(table.GoldCache)
	}),
	"no-such-card-there": so(func(r refused) bool { return r.missing() }),

	"other-has-none": so(func(r refused) bool {
		return r.them.Stock().Total() == 0 || r.effect().What == "gold" && r.them.Stock()[table.GoldRes] == 0
	}),
	"nothing-to-take": so(func(r refused) bool {
		return !covers(r.them.Stock(), r.m.Goods()) && r.them.Stock().Total() > 0
	}),
	"not-so-much": so(func(r refused) bool {
		return !covers(r.them.Stock(), r.m.Goods()) && r.m.Goods().Total() > 1
	}),
	"nothing-to-store": so(func(r refused) bool {
		p := r.m.Place.Place()
		if res := r.m.Res.Res(); r.m.Place == 0 && r.m.Res != 0 { // named by its kind
			return r.them.Stock()[res] == 0 || r.own.Free(table.Only(res))&^(1<<table.CachePlace) == 0
		}
		if p >= table.Places {
			return r.them.Stock().Least(r.own.Spaces()).Total() == 0
		}
		return r.room(p) == 0 || r.them.Stock()[r.yields(p)] == 0 || p == table.CachePlace ||
			r.them.Stock().Least(r.own.Spaces()).Total() == 0
	}),
	"brigands-all": so(func(r refused) bool {
		return r.m.Place != 0 && r.m.Res != 0 && r.s.Rules&table.TakeFewer == 0
	}),
	"which-region":   so(func(r refused) bool { return r.m.Place == 0 && r.m.Res == 0 && r.plays() }),
	"name-resources": so(func(r refused) bool { n := r.m.Goods().Total(); return n < 1 || n > 2 }),
	"demand-count": so(func(r refused) bool {
		return r.m.Goods().Total() != r.N("n") && slices.ContainsFunc(r.Legal(), func(l domain.Move) bool {
			m := l.(state.Move)
			return m.Verb == state.PlayCard && m.Card.Same(r.m.Card) && m.Goods().Total() == r.N("n")
		})
	}),
	"no-target": so(func(r refused) bool {
		for _, c := range r.them.Cards() {
			if row := c.Row(); r.effect().Do == "unseat" && row.Unit && row.Points.Strength > 0 ||
				r.effect().Do == "burn" && row.Building && !r.guarded(c) {
				return false
			}
		}
		return true
	}),
	"hand-empty":    so(func(r refused) bool { return r.them.HandN == 0 }),
	"discard-empty": so(func(r refused) bool { return r.s.DiscardN == 0 }),
	"which-bath-house": so(func(r refused) bool {
		return r.own.CountCards(func(row *table.Row) bool { return row.ID == "bath_house" }) > 1 && r.plays()
	}),

	"draw-first": so(func(r refused) bool {
		return r.phase(state.Drawing) && r.limit() && int(r.own.HandN) < r.N("limit")
	}),
	"lay-off-first": so(func(r refused) bool {
		return r.phase(state.Drawing) && r.limit() && int(r.own.HandN) > r.N("limit")
	}),
	"hand-full": so(func(r refused) bool {
		more := 1
		for _, n := range r.m.Draws {
			more += min(int(n), 1)
		}
		return r.limit() && int(r.own.HandN)+more > r.N("limit")
	}),
	"no-stack": so(func(r refused) bool {
		_, is := r.stack()
		return !is || r.task.Kind != state.NoTask && r.m.Verb == state.Lose
	}),
	"stack-empty": so(func(r refused) bool {
		d, is := r.stack()
		if !is {
			return false
		}
		drawn := 0
		for _, n := range append([]uint8{r.m.N}, r.m.Draws[:]...) {
			drawn += table.BoolInt(r.m.Verb == state.Draw && int(n) == r.N("n"))
		}
		return int(d.N) < max(1, drawn)
	}),
	"wrong-back": so(func(r refused) bool {
		d, is := r.stack()
		return is && !r.says(table.NoCard) &&
			slices.ContainsFunc([]table.Card{r.m.Card, r.m.Card2}, func(c table.Card) bool {
				return c.Word().Key == r.Args["card"].(domain.Say).Key
			}) &&
			slices.ContainsFunc(table.Printings, func(p table.Printing) bool { return p.Row != nil && p.Set != d.Set })
	}),
	"exchange-or-pass": so(func(r refused) bool {
		return r.phase(state.Exchanging) && r.Accepts(state.Move{Verb: state.Pass})
	}),
	"search-first": so(func(r refused) bool {
		return r.phase(state.Exchanging) && r.own.HandN > 0 && (r.m.Verb == state.Stack || r.m.Verb == state.Take) &&
			r.own.Hand[0].Card.Word().Key == r.Args["card"].(domain.Say).Key
	}),
	"search-price": so(func(r refused) bool { return r.stock().Total() < r.N("n") }),

	"pay-first": asked(state.PayFrom, state.TaskPay),
	"store-first": so(func(r refused) bool {
		return r.task.Kind == state.TaskGain && (r.m.Verb != state.Into || r.m.Into[0] == 0) &&
			(r.m.Verb != state.Take || r.m.Res == 0) || r.task.Kind == state.TaskPay && r.m.Into[0] == 0
	}),
	"cannot-pay-there": so(func(r refused) bool {
		return r.anyPlace(func(p table.Place) bool {
			if p >= table.Places || r.own.Store(p) == 0 || r.yields(p) == table.NoRes || r.task.Mask != 0 &&
				r.task.Mask&(1<<p) == 0 {
				return true
			}
			named := uint8(0)
			for _, w := range state.WordsIn(r.m.Pay[:]) {
				named += uint8(table.BoolInt(w.Place() == p))
			}
			return named > r.own.Store(p) || r.task.N == 0 &&
				int(r.task.Need[r.yields(p)]) < len(state.WordsIn(r.m.Pay[:]))
		})
	}),
	"pay-too-much":  so(func(r refused) bool { return len(state.WordsIn(r.m.Pay[:])) > 0 }),
	"into-too-much": so(func(r refused) bool { return len(state.WordsIn(r.m.Into[:])) > 0 }),
	"pay-all": so(func(r refused) bool {
		return len(state.WordsIn(r.m.Pay[:])) != r.N("n") && r.N("n") > 0 && r.N("n") <= r.due()
	}),
	"store-all": so(func(r refused) bool {
		return max(len(state.WordsIn(r.m.Into[:])), r.m.Goods().Total()) != r.N("n") && r.N("n") > 0 &&
			r.N("n") <= r.due() || r.task.Arg == state.OneKind
	}),
	"which-place": so(func(r refused) bool {
		for res := range r.m.Goods() {
			free := r.own.Free(table.Only(table.Res(res)))
			if r.m.Goods()[res] > 0 && free&(free-1) != 0 {
				return true
			}
		}
		return false
	}),
	"cannot-save": so(func(r refused) bool {
		rest := r.task.Need
		for res, n := range r.m.Goods() {
			if n > rest[res] {
				return true
			}
			rest[res] -= n
		}
		lacks := 0
		for res, n := range rest {
			lacks += max(0, int(n)-int(r.stock()[res]))
		}
		return lacks > int(r.task.N)-r.m.Goods().Total()
	}),
	"save-all": so(func(r refused) bool {
		return r.m.Goods().Total() != r.N("n") && r.N("n") == min(2, int(r.task.N))
	}),
	"take-all":  so(func(r refused) bool { return r.m.Goods().Total() != r.N("n") && r.s.Rules&table.TakeFewer == 0 }),
	"take-most": so(func(r refused) bool { return r.m.Goods().Total() > r.N("n") && r.N("n") <= int(r.task.N) }),
	"name-a-resource": so(func(r refused) bool {
		return slices.Contains([]state.TaskKind{state.TaskSave, state.TaskTake, state.TaskBuy, state.TaskReturn},
			r.task.Kind)
	}),
	"no-room": so(func(r refused) bool {
		for res, n := range r.m.Goods() {
			if n > r.own.Spaces()[res] {
				return true
			}
			for p := range table.In[table.Place](r.own.Lands[res]) {
				if n > r.own.Space(p) {
					return true
				}
			}
		}
		return false
	}),
	"not-gained": so(func(r refused) bool {
		for res, n := range r.m.Goods() {
			if n > 0 && !(r.task.N > 0 && r.task.Res.Has(table.Res(res))) && r.task.Need[res] == 0 {
				return true
			}
		}
		return false
	}),
	"cannot-store-that": so(func(r refused) bool { return !covers(r.own.Spaces(), r.m.Goods()) }),
	"no-place-there": so(func(r refused) bool {
		return r.anyPlace(func(p table.Place) bool { return r.yields(p) == table.NoRes })
	}),
	"place-full": so(func(r refused) bool { return r.anyPlace(func(p table.Place) bool { return r.room(p) == 0 }) }),
	"nothing-is-lost": so(func(r refused) bool {
		into := state.WordsIn(r.m.Into[:])
		stored := table.Goods{}
		for _, w := range into {
			if w.Place() < table.Places {
				stored[r.yields(w.Place())]++
			}
		}
		for res, n := range r.own.Spaces() {
			if r.gain().Res.Has(table.Res(res)) && n <= stored[res] && r.gain().Mask == 0 && r.gain().N > 0 &&
				r.gain().Res&(r.gain().Res-1) != 0 {
				return r.task.Arg == state.OneKind || r.task.Kind == state.TaskPay
			}
		}
		return true
	}),
	"cannot-store-there": so(func(r refused) bool {
		if p := r.m.Place.Place(); r.m.Verb == state.PlayCard && p < table.Places { // Brigands, by option
			held := table.Just(r.yields(p), min(r.room(p), r.them.Stock()[r.yields(p)]))
			return r.s.Rules&table.TakeFewer != 0 && !covers(held, r.m.Goods())
		}
		return r.anyPlace(func(p table.Place) bool {
			if r.room(p) == 0 {
				return false
			}
			g := r.gain()
			named := uint8(0)
			for _, w := range state.WordsIn(r.m.Into[:]) {
				named += uint8(table.BoolInt(w.Place() == p))
			}
			return g.Mask != 0 && g.Mask&(1<<p) == 0 || !g.Res.Has(r.yields(p)) && g.Need[r.yields(p)] == 0 ||
				named > r.own.Space(p) || g.N == 0 && named > g.Need[r.yields(p)] || g.Arg == state.OneKind || g.N == 0
		})
	}),
	"no-gold-for-gold": so(func(r refused) bool { return r.m.Goods()[table.GoldRes] > 0 }),
	"buy-most":         so(func(r refused) bool { return r.m.Goods().Total() > r.N("n") && r.N("n") == int(r.task.N) }),

	"react-or-pass": so(func(r refused) bool {
		return r.task.Kind == state.TaskReact && r.Accepts(state.Move{Verb: state.Pass})
	}),
	"no-guard": so(func(r refused) bool {
		return r.task.Kind == state.TaskReact && (r.m.Card.Row().Guard == 0 || !r.own.Has(r.m.Card))
	}),
	"no-help":       so(func(r refused) bool { return r.holds(r.m.Card) && !r.m.Card.Same(table.Sebastian) }),
	"riot-choice":   so(func(r refused) bool { return r.task.Kind == state.TaskRiot }),
	"not-that-card": so(func(r refused) bool { return !r.missing() && !r.Accepts(r.m) }),
	"which-stack": so(func(r refused) bool {
		return r.task.Kind == state.TaskSearch || r.task.Kind == state.TaskStack || r.m.Verb == state.Lose && r.m.N == 0
	}),
	"bury-first": asked(state.Bury, state.TaskBury),
	"bury-count": so(func(r refused) bool {
		return r.N("n") == int(r.task.N) && (r.m.Card2 == table.NoCard) == (r.N("n") == 2)
	}),
	"name-a-card": so(func(r refused) bool {
		return slices.Contains([]state.TaskKind{state.TaskName, state.TaskLose, state.TaskSink, state.TaskBurn},
			r.task.Kind)
	}),
	"basic-stack": so(func(r refused) bool { d, is := r.stack(); return is && d.Set != table.Basic }),
	"other-stack": so(func(r refused) bool {
		return r.task.Kind == state.TaskStack && r.task.Arg == int16(r.N("n"))
	}),
	"take-first":    asked(state.Take, state.TaskPick, state.TaskFetch, state.TaskSteal),
	"hand-first":    asked(state.Hand, state.TaskHand),
	"corners-first": asked(state.Corners, state.TaskCorners),
	"move-first":    so(func(r refused) bool { return r.task.Kind == state.TaskMove }),
	"arrange-first": asked(state.Arrange, state.TaskArrange),
	"arrange-all":   never,
	"not-in-stack": so(func(r refused) bool {
		named := map[table.Card]int{}
		for _, c := range []table.Card{r.m.Card, r.m.Card2, r.m.Card3} {
			named[c]++
		}
		for c, n := range named {
			have := 0
			for _, s := range r.s.Decks[r.task.Arg].All() {
				have += table.BoolInt(s.Card == c || r.m.Verb == state.Take && s.Card.Same(c))
			}
			if have < n {
				return true
			}
		}
		return false
	}),
	"not-in-discard": so(func(r refused) bool {
		pile := r.s.Discard[:max(0, int(r.s.DiscardN)-1)]
		return !slices.ContainsFunc(pile, same(r.m.Card))
	}),
	"not-that-region": so(func(r refused) bool {
		lies := r.s.Lands[max(0, int(r.s.LandsN)-int(r.task.N)):r.s.LandsN]
		return !slices.Contains(lies, r.m.Land) || !slices.Contains(lies, r.m.Land2) || r.m.Land == r.m.Land2
	}),
	"cannot-stand-there": so(func(r refused) bool {
		return r.m.Card == r.m.Card2 || r.m.At == r.m.At2 && r.m.Side == r.m.Side2 ||
			r.m.Card.Row().Kind != r.m.Card2.Row().Kind
	}),
	"not-still": so(func(r refused) bool { return r.N("n") > 0 }),
}
