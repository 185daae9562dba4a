package state

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"posthorn/domain"
	"posthorn/domain/rivals/table"
)

// Region is a region card on its place; Number 0 means there is none.
type Region struct {
	Terrain table.Res
	Number  uint8
	Stored  uint8
}

// What stands in a column.
const (
	NoTown Level = iota
	SettlementTown
	CityTown
)

// Level is what stands in a column.
type Level = table.Word[levelWords]

var levelNames = [...]string{"", "settlement", "city"}

// Town is a settlement or city and the cards on its sites.
type Town struct {
	Level Level
	Sites [2][2]table.Card // by side, then slot; a settlement has slot 0 alone
}

// Slots returns the number of sites a town has on each side.
func (t *Town) Slots() int {
	if t.Level == CityTown {
		return 2
	}
	return 1
}

// Slot is a card in a stack or hand, and who knows that it is there.
type Slot struct {
	Card table.Card
	Seen Seen
}

// What everybody knows.
const (
	Public    Seen = 1 << 7
	everybody      = Public | 3
)

// Bit returns one seat's knowledge.
func Bit(s domain.Seat) Seen { return 1 << s }

// Known reports whether a viewer knows the card.
func (s Slot) Known(v domain.Viewer) bool {
	return v == domain.Referee || s.Seen&Public != 0 || v >= 0 && s.Seen&(1<<v) != 0
}

// Realm is one player's principality and hand.
type Realm struct {
	Towns       [table.Columns]Town
	Regions     [table.RegionsN]Region
	Roads       uint16      // bit i: a road between columns i and i+1
	Left, Right int8        // the outermost towns
	Cache       table.Place // where the Gold Cache stands, or NoPlace
	CacheGold   uint8
	HandN       uint8
	Hand        [table.MaxHand]Slot
	Points      table.Points // kept; without the tokens
	Ships       int8         // trade ships
	Heroes      int8
	Marks       table.Marks   // kept: of all cards in play
	InPlay      table.RowSet  // kept: which rows' cards are in play
	Mints       uint8         // kept: how many times a turn they exchange gold
	Rates       table.ResMask // kept: the resources of trade ships
	Near        uint64        // kept: the sites of cards whose rate holds for one region beside them
	Vacant      uint64        // kept: the empty sites
	InCities    uint64        // kept: the sites of cities

	// Kept: the places that yield each resource; and for all places what lies there, in binary.
	Lands      [table.Resources]uint64
	Ones, Twos uint64
}

// Deck is a stack of cards; the last slot is the top.
type Deck struct {
	Set   table.Set
	N     uint8
	Slots [table.MaxDeck]Slot
}

// EachTown yields the settlements and cities with their columns, from the left.
func (r *Realm) EachTown() iter.Seq2[int, *Town] {
	return func(yield func(int, *Town) bool) {
		for t := int(r.Left); t <= int(r.Right); t++ {
			if town := &r.Towns[t]; town.Level != NoTown && !yield(t, town) {
				return
			}
		}
	}
}

// Store returns the amount at a place.
func (r *Realm) Store(p table.Place) uint8 {
	if p == table.CachePlace {
		return r.CacheGold
	}
	return r.Regions[p].Stored
}

// SetStore sets the amount at a place, within what it holds.
func (r *Realm) SetStore(p table.Place, n int) {
	at := &r.CacheGold
	if p != table.CachePlace {
		at = &r.Regions[p].Stored
	}
	*at = uint8(max(0, min(n, table.Capacity)))
	r.note(p, *at)
}

// note records in binary what lies at a place.
func (r *Realm) note(p table.Place, n uint8) {
	r.Ones = r.Ones&^(1<<p) | uint64(n&1)<<p
	r.Twos = r.Twos&^(1<<p) | uint64(n>>1)<<p
}

// survey records again what the places yield, and what lies there.
func (r *Realm) survey() {
	r.Lands, r.Ones, r.Twos = [table.Resources]uint64{}, 0, 0
	for p := range table.Place(table.Places) {
		if res := r.Yields(p); res != table.NoRes {
			r.Lands[res] |= 1 << p
			r.note(p, r.Store(p))
		}
	}
}

// yielding returns the places of some resources.
func (r *Realm) yielding(kinds table.ResMask) (m uint64) {
	for ; kinds != 0; kinds &= kinds - 1 {
		m |= r.Lands[kinds.First()]
	}
	return m
}

// Filled returns the places where some of these resources lie.
func (r *Realm) Filled(kinds table.ResMask) uint64 { return r.yielding(kinds) & (r.Ones | r.Twos) }

// Free returns the places that have room for one of these resources.
func (r *Realm) Free(kinds table.ResMask) uint64 { return r.yielding(kinds) &^ (r.Ones & r.Twos) }

// Yields returns the resource a place holds, or NoRes if there is no such place.
func (r *Realm) Yields(p table.Place) table.Res {
	switch {
	case p == table.CachePlace && r.Cache != table.NoPlace:
		return table.GoldRes
	case p >= table.CachePlace || r.Regions[p].Number == 0:
		return table.NoRes
	}
	return r.Regions[p].Terrain
}

// Space returns how much more a place holds.
func (r *Realm) Space(p table.Place) uint8 { return table.Capacity - r.Store(p) }

// Full reports whether there is no room at all for one of these resources once some more of each is stored.
func (r *Realm) Full(kinds table.ResMask, more table.Goods) bool {
	for ; kinds != 0; kinds &= kinds - 1 {
		if res := kinds.First(); r.SpaceAt(r.Lands[res]) <= int(more[res]) {
			return true
		}
	}
	return false
}

// MayLose reports whether a gain may be lost: its player chooses the kind, and may choose one of which some will find
// no room.
func (r *Realm) MayLose(t *Task) bool {
	if t.Kind != TaskGain || t.N == 0 || t.Mask != 0 || t.Res&(t.Res-1) == 0 {
		return false
	}
	last := t.N - 1 // stored before the one that is lost; of one kind, all or nothing is
	if t.Arg == OneKind {
		last = 0
	}
	var more table.Goods
	for res := range more {
		more[res] = last
	}
	return r.Full(t.Res, more)
}

// Span returns the range of region places in use.
func (r *Realm) Span() (from, to table.Place) {
	return table.PlaceAt(int(r.Left), 0), table.PlaceAt(int(r.Right)+2, 0)
}

// Stock returns everything stored in a principality, by resource.
func (r *Realm) Stock() (g table.Goods) {
	for res := range g {
		g[res] = r.Lies(table.Res(res))
	}
	return g
}

// Lies returns how much of a resource a principality stores.
func (r *Realm) Lies(res table.Res) uint8 { return uint8(r.StoredAt(r.Lands[res])) }

// StoredAt returns how much some places store together.
func (r *Realm) StoredAt(places uint64) int {
	return bits.OnesCount64(places&r.Ones) + 2*bits.OnesCount64(places&r.Twos)
}

// SpaceAt returns how much more some places hold together.
func (r *Realm) SpaceAt(places uint64) int {
	return bits.OnesCount64(places&^r.Ones) + 2*bits.OnesCount64(places&^r.Twos)
}

// Spaces returns how much more could be stored, by resource.
func (r *Realm) Spaces() (g table.Goods) {
	for res, at := range r.Lands {
		g[res] = uint8(r.SpaceAt(at))
	}
	return g
}

// Cards yields every expansion on a site.
func (r *Realm) Cards() iter.Seq2[table.Site, table.Card] {
	return func(yield func(table.Site, table.Card) bool) {
		for t := int(r.Left); t <= int(r.Right); t++ {
			town := &r.Towns[t]
			for side := range 2 {
				for slot := range town.Slots() {
					if c := town.Sites[side][slot]; c != table.NoCard && !yield(table.SiteAt(t, side, slot), c) {
						return
					}
				}
			}
		}
	}
}

// Sites returns the sites of the cards for which f holds.
func (r *Realm) Sites(f func(*table.Row) bool) (m uint64) {
	for at, c := range r.Cards() {
		if f(c.Row()) {
			m |= 1 << at
		}
	}
	return m
}

// At returns the card on a site, or none.
func (r *Realm) At(s table.Site) table.Card { return r.Towns[s.Town()].Sites[s.Side()][s.Slot()] }

// Has reports whether a card (any printing) is in play; a Parish Hall under a Town Hall counts.
func (r *Realm) Has(c table.Card) bool {
	return r.HasRow(c.Row()) || c == table.GoldCache && r.Cache != table.NoPlace
}

// CountCards counts the cards in play for which f holds.
func (r *Realm) CountCards(f func(*table.Row) bool) int8 { return int8(bits.OnesCount64(r.Sites(f))) }

// HasCity reports whether there is a city.
func (r *Realm) HasCity() bool {
	return slices.ContainsFunc(r.Towns[:], func(t Town) bool { return t.Level == CityTown })
}

// InHand finds a card in the hand: this printing, or else another of the same card.
func (r *Realm) InHand(c table.Card) int {
	alike := -1
	for i := range int(r.HandN) {
		switch d := r.Hand[i].Card; {
		case d == c:
			return i
		case alike < 0 && d != table.NoCard && d.Same(c):
			alike = i
		}
	}
	return alike
}

// Held returns the hand.
func (r *Realm) Held() []Slot { return r.Hand[:r.HandN] }

// All returns the stack, from the bottom.
func (d *Deck) All() []Slot { return d.Slots[:d.N] }

// Push lays a card on top. A full stack ignores it, but no game gets there.
func (d *Deck) Push(s Slot) {
	if d.N < table.MaxDeck {
		d.Slots[d.N] = s
		d.N++
	}
}

// under lays a card under the stack, unless it is full.
func (d *Deck) under(s Slot) {
	if d.N < table.MaxDeck {
		copy(d.Slots[1:d.N+1], d.Slots[:d.N])
		d.Slots[0] = s
		d.N++
	}
}

// TakeAt takes a card out of the stack; it returns no card if there is none.
func (d *Deck) TakeAt(i int) Slot {
	if i < 0 || i >= int(d.N) {
		return Slot{}
	}
	return cut(d.Slots[:], &d.N, i)
}

// DiscardTop returns the top card of the discard pile, or none.
func (s *State) DiscardTop() table.Card {
	if s.DiscardN == 0 {
		return table.NoCard
	}
	return s.Discard[s.DiscardN-1]
}

// HandAdd puts a card into the hand, which is sorted by back and name: the order of arrival would tell an observer
// which of the cards leaves. It ignores NoCard, and a card for which there is no room; neither happens in a game.
func (r *Realm) HandAdd(s Slot) {
	if s.Card == table.NoCard || r.HandN == table.MaxHand {
		return
	}
	i := int(r.HandN)
	for ; i > 0 && cmp.Or(cmp.Compare(s.Card.Set(), r.Hand[i-1].Card.Set()),
		cmp.Compare(s.Card, r.Hand[i-1].Card)) < 0; i-- {
		r.Hand[i] = r.Hand[i-1]
	}
	r.Hand[i] = s
	r.HandN++
}

// HandTake takes a card out of the hand.
func (r *Realm) HandTake(i int) Slot { return cut(r.Hand[:], &r.HandN, i) }

// cut takes one of the first n out of a list.
func cut[T any](list []T, n *uint8, i int) T {
	var none T
	taken := list[i]
	*n--
	copy(list[i:*n], list[i+1:*n+1])
	list[*n] = none
	return taken
}

// Asked returns the kind of the first task if it awaits that seat, or NoTask.
func (s *State) Asked(seat domain.Seat) TaskKind {
	if s.TasksN > 0 && s.Tasks[0].Seat == seat {
		return s.Tasks[0].Kind
	}
	return NoTask
}

// Awaits reports whether a seat must act now.
func (s *State) Awaits(seat domain.Seat) bool { return s.Asks[seat].Kind != AskNothing }
