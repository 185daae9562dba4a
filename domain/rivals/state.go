package rivals

import (
	"iter"
	"math/bits"
	"strconv"
	"strings"

	"posthorn/domain"
)

// The size of a principality: towns (settlements and cities) stand in columns; a gap lies
// left of each, and one more right of the last. Column and gap 0 of the notation are at
// index origin, so that five settlements fit on either side.
const (
	columns  = 12
	gaps     = columns + 1
	origin   = 5
	regionsN = gaps * 2
	maxHand  = 24
	maxDeck  = 40
	maxSpare = 16
	decksN   = 6
)

// Place is where goods lie: a region (its gap and side) or the Gold Cache.
type Place uint8

const (
	cachePlace Place = regionsN
	places           = regionsN + 1
	noPlace    Place = 255
)

// placeAt is the region in a gap, above (0) or below (1) the centre line.
func placeAt(gap, side int) Place { return Place(gap*2 + side) }

func (p Place) gap() int  { return int(p) / 2 }
func (p Place) side() int { return int(p) % 2 }

// Name is the place's word in notation: "0a" above, "-1b" below, "cache".
func (p Place) Name() string {
	if p >= cachePlace {
		return "cache"
	}
	return strconv.Itoa(p.gap()-origin) + "ab"[p.side():p.side()+1]
}

// placeNamed reads "0a", "-1b", "cache".
func placeNamed(text string) (Place, bool) {
	if text == "cache" {
		return cachePlace, true
	}
	if len(text) < 2 {
		return noPlace, false
	}
	side := strings.IndexByte("ab", text[len(text)-1])
	gap, err := strconv.Atoi(text[:len(text)-1])
	if side < 0 || err != nil || gap+origin < 0 || gap+origin >= gaps {
		return noPlace, false
	}
	return placeAt(gap+origin, side), true
}

// Site is a building site: its town's column, its side, and which of the side's two.
type Site uint8

const noSite Site = 255

func siteAt(town, side, slot int) Site { return Site(town*4 + side*2 + slot) }

func (s Site) town() int { return int(s) / 4 }
func (s Site) side() int { return int(s) / 2 % 2 }
func (s Site) slot() int { return int(s) % 2 }

// name is the side of a town in notation: "0 above".
func (s Site) name() string { return strconv.Itoa(s.town()-origin) + " " + sideNames[s.side()+1] }

// spot is where a card of a seat lies in its principality's picture.
func (s Site) spot(seat domain.Seat) string {
	return "c-" + seat.Letter() + "-" + s.key() + strconv.Itoa(s.slot())
}

// key is the side of a town: "0a" above, "-1b" below.
func (s Site) key() string { return strconv.Itoa(s.town()-origin) + "ab"[s.side():s.side()+1] }

// Region is a region card on its place; Number 0 means there is none.
type Region struct {
	Terrain Res
	Number  uint8
	Stored  uint8
}

// Land is a region card in the stack: terrain and number, both in one.
type Land uint8

func landOf(t Res, number uint8) Land { return Land(uint8(t)<<3 | number) }

func (l Land) terrain() Res  { return Res(l >> 3) }
func (l Land) number() uint8 { return uint8(l & 7) }

// landNamed reads "forest2".
func landNamed(text string) (Land, bool) {
	if len(text) < 2 {
		return 0, false
	}
	n := text[len(text)-1]
	t, ok := terrainNamed(text[:len(text)-1])
	if !ok || n < '1' || n > '6' {
		return 0, false
	}
	return landOf(t, n-'0'), true
}

// Name is the region card's word in notation: "forest2"; "?" for an unknown one.
func (l Land) Name() string {
	if l == 0 {
		return "?"
	}
	return l.terrain().Terrain() + strconv.Itoa(int(l.number()))
}

// What stands in a column.
const (
	noTown Level = iota
	settlement
	city
)

// Level is what stands in a column.
type Level = Word[levelWords]

var levelNames = [...]string{"", "settlement", "city"}

// Town is a settlement or city and the cards on its sites.
type Town struct {
	Level Level
	Sites [2][2]Card // by side, then slot; a settlement has slot 0 alone
}

func (t *Town) slots() int {
	if t.Level == city {
		return 2
	}
	return 1
}

// Slot is a card in a stack or hand and who knows that it is there.
type Slot struct {
	Card Card
	Seen Seen
}

const (
	public    Seen = 1 << 7
	everybody      = public | 3
)

func bit(s domain.Seat) Seen { return 1 << s }

func (s Slot) known(v domain.Viewer) bool {
	return v == domain.Referee || s.Seen&public != 0 || v >= 0 && s.Seen&(1<<v) != 0
}

// Realm is one player's principality and hand.
type Realm struct {
	Towns       [columns]Town
	Regions     [regionsN]Region
	Roads       uint16 // bit i: a road between columns i and i+1
	Left, Right int8   // the outermost towns
	Cache       Place  // where the Gold Cache stands, or noPlace
	CacheGold   uint8
	HandN       uint8
	Hand        [maxHand]Slot
	Points      Points // kept; without the tokens
	Ships       int8   // trade ships
	Heroes      int8
	Marks       marks  // kept: of all cards in play
	InPlay      rowSet // kept: which rows' cards are in play
}

// Deck is a stack of cards; the last slot is the top.
type Deck struct {
	Set   Set
	N     uint8
	Slots [maxDeck]Slot
}

// Phase is how far a turn has come.
type Phase = Word[phaseWords]

// The phases.
const (
	Begin Phase = iota // choosing hands and arranging regions
	Rolling
	Acting
	Drawing    // filling the hand, or laying off
	Exchanging // the optional exchange
	Over
	phases
)

var phaseNames = [phases]string{"begin", "roll", "act", "draw", "exchange", "over"}

// Ask is what is awaited of a seat.
type Ask struct {
	Kind   askKind
	Task   uint16
	Serial uint16
}

// State is a whole game. It holds no pointer, so that a copy is a copy.
type State struct {
	Ready    bool
	Play     Play
	Rules    Rules
	Phase    Phase
	Active   domain.Seat
	First    domain.Seat
	Winner   domain.Seat
	Turn     int16
	Goal     int8
	Die      uint8 // of this turn's roll; 0 before it
	Face     Face
	Event    Card // the event card being resolved
	Mints    uint8
	Removals uint8 // this turn
	Since    int16 // the turn from which on nothing moves any more, see standstill.go
	High     [2]int8

	Roads, Settlements, Cities int8 // left in the centre

	Realms   [2]Realm
	DecksN   uint8
	Decks    [decksN]Deck
	Events   Deck
	SpareN   uint8
	Spare    [maxSpare]Card // events left out of a duel
	Open     Card
	OpenN    uint8
	DiscardN uint8
	Discard  [maxDeck * 2]Card // the last is the top
	LandsN   uint8
	Lands    [12]Land // the last is the top

	Serial uint16
	NextID uint16
	Asks   [2]Ask
	TasksN uint8
	Tasks  [maxTasks]Task
}

func other(s domain.Seat) domain.Seat { return 1 - s }

// towns yields the settlements and cities with their columns, from the left.
func (r *Realm) towns() iter.Seq2[int, *Town] {
	return func(yield func(int, *Town) bool) {
		for t := int(r.Left); t <= int(r.Right); t++ {
			if town := &r.Towns[t]; town.Level != noTown && !yield(t, town) {
				return
			}
		}
	}
}

// store is the amount at a place.
func (r *Realm) store(p Place) uint8 {
	if p == cachePlace {
		return r.CacheGold
	}
	return r.Regions[p].Stored
}

// setStore sets the amount at a place, within what it holds.
func (r *Realm) setStore(p Place, n int) {
	stored := uint8(max(0, min(n, capacity)))
	if p == cachePlace {
		r.CacheGold = stored
		return
	}
	r.Regions[p].Stored = stored
}

// yields is the resource a place holds, or noRes if there is no such place.
func (r *Realm) yields(p Place) Res {
	if p == cachePlace {
		if r.Cache == noPlace {
			return noRes
		}
		return GoldRes
	}
	if r.Regions[p].Number == 0 {
		return noRes
	}
	return r.Regions[p].Terrain
}

// capacity of every region and of the Gold Cache.
const capacity = 3

func (r *Realm) room(p Place) uint8 { return capacity - r.store(p) }

// span is the range of region places in use.
func (r *Realm) span() (from, to Place) { return placeAt(int(r.Left), 0), placeAt(int(r.Right)+2, 0) }

// stock is all that lies in a principality, by resource.
func (r *Realm) stock() (g Goods) {
	from, to := r.span()
	for p := from; p < to; p++ {
		g[r.Regions[p].Terrain] += r.Regions[p].Stored
	}
	g[GoldRes] += r.CacheGold
	return g
}

// rooms is how much more could be stored, by resource.
func (r *Realm) rooms() (g Goods) {
	from, to := r.span()
	for p := from; p < to; p++ {
		if r.Regions[p].Number != 0 {
			g[r.Regions[p].Terrain] += capacity - r.Regions[p].Stored
		}
	}
	if r.Cache != noPlace {
		g[GoldRes] += capacity - r.CacheGold
	}
	return g
}

// cards yields every expansion on a site.
func (r *Realm) cards() iter.Seq2[Site, Card] {
	return func(yield func(Site, Card) bool) {
		for t := int(r.Left); t <= int(r.Right); t++ {
			town := &r.Towns[t]
			for side := range 2 {
				for slot := range town.slots() {
					if c := town.Sites[side][slot]; c != NoCard && !yield(siteAt(t, side, slot), c) {
						return
					}
				}
			}
		}
	}
}

// sites are the sites of the cards of which f holds.
func (r *Realm) sites(f func(*Row) bool) (m uint64) {
	for at, c := range r.cards() {
		if f(c.Row()) {
			m |= 1 << at
		}
	}
	return m
}

func (r *Realm) at(s Site) Card { return r.Towns[s.town()].Sites[s.side()][s.slot()] }

// has tells whether a card (any printing) is in play; a Parish Hall under a Town Hall is.
func (r *Realm) has(c Card) bool {
	return r.hasRow(c.Row()) || c == goldCache && r.Cache != noPlace
}

func (r *Realm) countCards(f func(*Row) bool) int8 { return int8(bits.OnesCount64(r.sites(f))) }

func (r *Realm) hasCity() bool {
	for t := r.Left; t <= r.Right; t++ {
		if r.Towns[t].Level == city {
			return true
		}
	}
	return false
}

// neighbours are the two regions beside a card: left and right, on its own side.
func neighbours(s Site) [2]Place {
	return [2]Place{placeAt(s.town(), s.side()), placeAt(s.town()+1, s.side())}
}

// inHand finds a card in the hand: that printing, or else another of the same card.
func (r *Realm) inHand(c Card) int {
	alike := -1
	for i := range int(r.HandN) {
		switch d := r.Hand[i].Card; {
		case d == c:
			return i
		case alike < 0 && d != NoCard && d.same(c):
			alike = i
		}
	}
	return alike
}

func (r *Realm) hand() []Slot { return r.Hand[:r.HandN] }

func (d *Deck) all() []Slot { return d.Slots[:d.N] }

// push lays a card on top. A stack that is full takes none, which no game comes to.
func (d *Deck) push(s Slot) {
	if d.N == maxDeck {
		return
	}
	d.Slots[d.N] = s
	d.N++
}

// under lays a card under the stack, unless it is full.
func (d *Deck) under(s Slot) {
	if d.N == maxDeck {
		return
	}
	copy(d.Slots[1:d.N+1], d.Slots[:d.N])
	d.Slots[0] = s
	d.N++
}

// takeAt takes a card out of the stack: no card, where there is none.
func (d *Deck) takeAt(i int) Slot {
	if i < 0 || i >= int(d.N) {
		return Slot{}
	}
	s := d.Slots[i]
	copy(d.Slots[i:d.N-1], d.Slots[i+1:d.N])
	d.N--
	d.Slots[d.N] = Slot{}
	return s
}

// discardTop is the card on top of the discard pile, or none.
func (s *State) discardTop() Card {
	if s.DiscardN == 0 {
		return NoCard
	}
	return s.Discard[s.DiscardN-1]
}

// handAdd puts a card into the hand, which lies by back and name: the order in which cards
// came would tell who watches which of them leaves. No card, or one for which there is no room,
// is left out: no game comes to that.
func (r *Realm) handAdd(s Slot) {
	if s.Card == NoCard || r.HandN == maxHand {
		return
	}
	i := int(r.HandN)
	for ; i > 0 && s.Card.before(r.Hand[i-1].Card); i-- {
		r.Hand[i] = r.Hand[i-1]
	}
	r.Hand[i] = s
	r.HandN++
}

func (r *Realm) handTake(i int) Slot {
	s := r.Hand[i]
	copy(r.Hand[i:r.HandN-1], r.Hand[i+1:r.HandN])
	r.HandN--
	r.Hand[r.HandN] = Slot{}
	return s
}
