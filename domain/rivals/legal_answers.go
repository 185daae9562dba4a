package rivals

// task lists the answers to a task.
func (l *lister) task(t *Task) {
	switch t.Kind {
	case taskPay:
		l.pays(t)
	case taskGain:
		l.gains(t)
	case taskSave:
		l.goods(Save, t.Need, min(int(t.N), mostNamed), func(g Goods) bool { return l.s.maySave(t, g) })
	case taskTake:
		l.goods(Take, l.s.storable(l.seat), l.s.taken(t), nil)
	case taskBuy:
		for n := range l.s.buyable(t) {
			l.goods(Buy, l.s.wares(l.seat), n+1, nil)
		}
		l.add(Move{Verb: Pass})
	case taskReturn:
		l.goods(Give, l.r.stock(), 1, nil)
	case taskReact:
		l.react(t)
	case taskRiot:
		if l.r.stock()[GoldRes] >= t.N {
			l.add(Move{Verb: PayFrom})
		}
		l.named(Lose, l.seat, l.s.rioters(l.seat), 1)
		if l.s.sebastianMayCome() && l.r.inHand(sebastian) >= 0 {
			l.add(Move{Verb: React, Card: sebastian})
		}
	case taskBury:
		l.bury(t)
	case taskLose:
		l.named(Lose, l.seat, t.Mask, 1)
	case taskSink:
		l.named(Lose, l.seat, l.s.targets(t), 0)
	case taskName, taskBurn:
		l.named(NameCard, other(l.seat), l.s.targets(t), 0)
	default:
		l.taking(t)
	}
}

func maskOf(g Goods) (m resMask) {
	for res, n := range g {
		if n > 0 {
			m |= only(Res(res))
		}
	}
	return m
}

// pays lists the ways to pay: where one place pays all, that place.
func (l *lister) pays(t *Task) {
	into := l.s.stored(0)
	if t.Arg == fromOne || int(t.N)+t.Need.total() == 1 {
		for m := l.s.payable(t); m != 0; m &= m - 1 {
			l.payInto(Move{Verb: PayFrom, Pay: [8]placeWord{wordPlace(lowest(m))}}, into)
		}
		return
	}
	l.x = l.s.paySpread(t)
	l.x.ways(func(named []placeWord) {
		m := Move{Verb: PayFrom}
		copy(m.Pay[:], named)
		l.payInto(m, into)
	})
}

// payInto lists a payment, with each place for what comes for it.
func (l *lister) payInto(m Move, into uint64) {
	if into == 0 {
		l.add(m)
		return
	}
	for ; into != 0; into &= into - 1 {
		m.Into[0] = wordPlace(lowest(into))
		l.add(m)
	}
}

func (l *lister) gains(t *Task) {
	if t.N == 1 && t.Need == (Goods{}) {
		for m := l.s.gainable(t); m != 0; m &= m - 1 {
			l.add(Move{Verb: Into, Into: [4]placeWord{wordPlace(lowest(m))}})
		}
		return
	}
	l.x = l.s.gainSpread(t)
	l.x.ways(func(named []placeWord) {
		m := Move{Verb: Into}
		copy(m.Into[:], named)
		l.add(m)
	})
}

// goods lists the ways to name one or two resources of some.
func (l *lister) goods(v Verb, of Goods, n int, also func(Goods) bool) {
	for a := range Res(resources) {
		if of[a] == 0 {
			continue
		}
		if n == 1 {
			if also == nil || also(Goods{}.with(a)) {
				l.add(Move{Verb: v, Res: wordRes(a)})
			}
			continue
		}
		for b := a; b < resources; b++ {
			g := Goods{}.with(a).with(b)
			if n == 2 && of.covers(g) && (also == nil || also(g)) {
				l.add(Move{Verb: v, Res: wordRes(a), Res2: wordRes(b)})
			}
		}
	}
}

func (l *lister) react(t *Task) {
	if t.Card.Row().Kind == EventCard {
		if l.r.inHand(sebastian) >= 0 {
			l.add(Move{Verb: React, Card: sebastian})
		}
	} else {
		l.r.cards(func(_ Site, c Card) bool {
			if c.Row().guard != 0 {
				l.add(Move{Verb: React, Card: c})
			}
			return true
		})
	}
	l.add(Move{Verb: Pass})
}

// bury lists the pairs of the other's hand cards and the stacks they may go under.
func (l *lister) bury(t *Task) {
	o := &l.s.Realms[other(l.seat)]
	seen := map[Move]bool{}
	put := func(m Move) {
		if sortBury(&m); !seen[m] {
			seen[m] = true
			l.add(m)
		}
	}
	for i := range int(o.HandN) {
		a := o.Hand[i].Card
		for k := range int(l.s.DecksN) {
			if l.s.Decks[k].Set != a.Set() {
				continue
			}
			m := Move{Verb: Bury, Card: a, N: uint8(k) + 1}
			if t.N == 1 {
				put(m)
				continue
			}
			for j := i + 1; j < int(o.HandN); j++ {
				for q := range int(l.s.DecksN) {
					if b := o.Hand[j].Card; l.s.Decks[q].Set == b.Set() {
						m.Card2, m.N2 = b, uint8(q)+1
						put(m)
					}
				}
			}
		}
	}
}

// taking lists the stacks or cards to choose from, and the ways to lay or move regions.
func (l *lister) taking(t *Task) {
	switch t.Kind {
	case taskSearch, taskStack:
		for n := uint8(1); n <= l.s.DecksN; n++ {
			if l.s.mayLook(t, n) == "" {
				l.add(Move{Verb: Stack, N: n})
			}
		}
	case taskPick:
		l.takeFrom(l.s.Decks[t.Arg].Slots[:l.s.Decks[t.Arg].N])
	case taskSteal:
		o := &l.s.Realms[other(l.seat)]
		l.takeFrom(o.Hand[:o.HandN])
		l.add(Move{Verb: Pass})
	case taskFetch:
		var slots [maxDeck * 2]Slot
		for i := range int(l.s.DiscardN) - 1 {
			slots[i].Card = l.s.Discard[i]
		}
		l.takeFrom(slots[:l.s.DiscardN-1])
	case taskHand:
		l.hands(t)
	case taskCorners:
		low := max(0, int(l.s.LandsN)-int(t.N))
		for i := low; i < int(l.s.LandsN); i++ {
			for j := low; j < int(l.s.LandsN); j++ {
				if i != j || t.N < 2 {
					l.add(Move{Verb: Corners, Land: l.s.Lands[i], Land2: l.s.Lands[j]})
				}
			}
		}
	case taskMove:
		l.moves()
	case taskArrange:
		l.arrangements()
	}
}

// takeFrom lists different cards.
func (l *lister) takeFrom(slots []Slot) {
	var seen [4]uint64
	for i := len(slots) - 1; i >= 0; i-- {
		c := slots[i].Card
		if seen[c/64]&(1<<(c%64)) == 0 {
			seen[c/64] |= 1 << (c % 64)
			l.add(Move{Verb: Take, Card: c})
		}
	}
}

// hands lists the ways to take three cards of a stack.
func (l *lister) hands(t *Task) {
	d := &l.s.Decks[t.Arg]
	cards := make([]Card, 0, d.N)
	for c := range Card(len(printings)) {
		for range l.s.countInDeck(int(t.Arg), c) {
			cards = append(cards, c)
		}
	}
	var last Move
	for i := range cards {
		for j := i + 1; j < len(cards); j++ {
			for k := j + 1; k < len(cards); k++ {
				m := Move{Verb: Hand, Card: cards[i], Card2: cards[j], Card3: cards[k]}
				if m == last || repeated(cards, i, j, k) {
					continue
				}
				last = m
				l.add(m)
			}
		}
	}
}

// repeated tells whether an equal triple came earlier in the list: equal cards are taken
// from the front.
func repeated(cards []Card, i, j, k int) bool {
	return i > 0 && cards[i-1] == cards[i] ||
		j-1 > i && cards[j-1] == cards[j] ||
		k-1 > j && cards[k-1] == cards[k]
}

func (l *lister) moves() {
	for a := range Place(regionsN) {
		for b := a + 1; b < regionsN; b++ {
			if l.r.Regions[a].Number != 0 && l.r.Regions[b].Number != 0 {
				l.add(Move{Verb: SwapPlaces, Place: wordPlace(a), Place2: wordPlace(b)})
			}
		}
	}
	seen := map[Move]bool{}
	l.r.cards(func(a Site, c Card) bool {
		l.r.cards(func(b Site, d Card) bool {
			if a >= b || c.same(d) || a/2 == b/2 || !l.s.maySwap(l.seat, a, b) {
				return true
			}
			m := Move{Verb: SwapCards, Card: c, At: int8(a.town() - origin), Side: uint8(a.side()) + 1,
				Card2: d, At2: int8(b.town() - origin), Side2: uint8(b.side()) + 1}
			if !seen[m] {
				seen[m] = true
				l.add(m)
			}
			return true
		})
		return true
	})
}

// arrangements lists the 720 orders of the six regions, the one that changes nothing first.
func (l *lister) arrangements() {
	for n := range orders {
		l.add(Move{Verb: Arrange, Order: orderAt(n)})
	}
}

// orders is how many orders six regions have.
const orders = 720

// orderAt is the order of six regions that has that number, counted as words in a dictionary.
func orderAt(n int) (order [6]uint8) {
	left := [6]uint8{0, 1, 2, 3, 4, 5}
	for k, ways := 0, orders; k < 6; k++ {
		ways /= 6 - k
		i := n / ways
		n %= ways
		order[k] = left[i]
		copy(left[i:], left[i+1:])
	}
	return order
}
