package state

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/rivals/table"
)

// View is a state as somebody may know it: a card that they do not know is none or, in a hand, only its back.
type View struct {
	State
	Viewer domain.Viewer
}

// View returns what a viewer may know of a state. There are two seats; anybody else is a spectator.
func (Room) View(s *State, viewer domain.Viewer) *View {
	if viewer > 1 {
		viewer = domain.Spectator
	}
	return &View{s.SeenBy(viewer), viewer}
}

// MarshalJSON writes the state, and whose view it is.
func (v *View) MarshalJSON() ([]byte, error) {
	w := v.Written()
	w.Viewer = wordSeat(v.Viewer.Seat())
	return codec.Marshal(w)
}

// SeenBy returns the state without what a viewer may not know. The referee knows everything.
func (s *State) SeenBy(v domain.Viewer) State {
	o := *s
	if v == domain.Referee {
		return o
	}
	for i := range o.Decks[:o.DecksN] {
		o.Decks[i].hide(v)
	}
	o.Events.hide(v)
	for seat := range domain.Seat(2) {
		o.Realms[seat].hide(seat, v)
	}
	clear(o.Lands[:max(0, int(s.LandsN)-s.ShownLands(v))])
	// Only a player choosing from the discard pile sees more of it than its top.
	if v.Seat() == domain.Nobody || s.Asked(v.Seat()) != TaskFetch {
		clear(o.Discard[:max(0, int(s.DiscardN)-1)])
	}
	o.Spare = [len(o.Spare)]table.Card{}
	return o
}

// hide keeps the cards that a viewer knows, but not who else knows them.
func (d *Deck) hide(v domain.Viewer) {
	for i, slot := range d.All() {
		d.Slots[i] = Slot{}
		if slot.Known(v) {
			d.Slots[i].Card = slot.Card
		}
	}
}

// hide keeps the cards of a hand that a viewer knows, followed by the backs of the others: where a card lies among
// the known ones would reveal something.
func (r *Realm) hide(owner domain.Seat, v domain.Viewer) {
	hand := r.Held()
	var backs [table.Sets]int
	n := 0
	for _, slot := range hand {
		if slot.Known(v) {
			hand[n] = Slot{slot.Card, Bit(owner)}
			n++
		} else {
			backs[slot.Card.Set()]++
		}
	}
	for set := range table.Sets {
		for range backs[set] {
			hand[n] = Slot{table.BackOf(set), Bit(owner)}
			n++
		}
	}
}

// ShownLands returns how many of the top region cards a viewer sees: two while they are being laid, all of them for
// the player of Scout.
func (s *State) ShownLands(v domain.Viewer) int {
	for i := range int(s.TasksN) {
		t := &s.Tasks[i]
		if t.Kind == TaskCorners && (t.Card == table.NoCard || v.Seat() == t.Seat) {
			return int(t.N)
		}
	}
	return 0
}

// Written is a state as it is written: in a view, in the event that deals, and in a position set up by hand, which
// may leave out anything. Its keys and words never change.
type Written struct {
	Play     table.Play    `json:"play"`
	Goal     int8          `json:"goal"`
	Turn     int16         `json:"turn"`
	First    seatWord      `json:"first"`
	Active   seatWord      `json:"active"`
	Phase    Phase         `json:"phase"`
	Die      uint8         `json:"die,omitempty"`
	Face     table.Face    `json:"face,omitempty"`
	Event    table.Card    `json:"event,omitempty"` // the event card being resolved
	Mints    uint8         `json:"mints,omitempty"`
	Removals uint8         `json:"removed,omitempty"` // this turn
	Since    int16         `json:"since,omitempty"`   // the first turn since which nothing moves any more
	High     []int8        `json:"high,omitempty"`    // the most victory points each seat has had at the end of a turn
	Seats    []WrittenSide `json:"seats"`
	Centre   struct {
		Roads       int16        `json:"roads"`
		Settlements int16        `json:"settlements"`
		Cities      int16        `json:"cities"`
		Regions     []table.Land `json:"regions"` // the top first
	} `json:"centre"`
	Stacks  []WrittenPile `json:"stacks"`
	Open    []table.Card  `json:"open,omitempty"`   // the face-up stack
	Discard []table.Card  `json:"discard"`          // the top first
	Events  []table.Card  `json:"events"`           // the top first
	Passed  []Seen        `json:"passed,omitempty"` // who knows which of them, as in WrittenPile.Known
	Spare   []table.Card  `json:"spare,omitempty"`  // events left out of a duel
	Tasks   []Task        `json:"tasks,omitempty"`
	Winner  seatWord      `json:"winner,omitempty"`
	Serial  uint16        `json:"serial,omitempty"`
	NextID  uint16        `json:"next,omitempty"`
	Asks    []WrittenAsk  `json:"asks,omitempty"`
	Rules   table.Rules   `json:"options,omitempty"` // those that differ from the default
	Viewer  seatWord      `json:"viewer,omitempty"`  // the seat whose view this is
}

// WrittenSide is one player's half of the table.
type WrittenSide struct {
	Towns   []WrittenTown   `json:"towns"`
	Roads   []int8          `json:"roads"` // each right of the town with that number
	Regions []WrittenRegion `json:"regions"`
	Cache   *WrittenCache   `json:"cache,omitempty"`
	// Stores is only for positions set up by hand: amounts by place, overriding those of Regions.
	Stores map[table.Place]uint8 `json:"stores,omitempty"`
	Hand   []table.Card          `json:"hand"` // "?" with the back if unknown: "?gold"
	Known  []Seen                `json:"known,omitempty"`
	Points table.Points          `json:"points"` // including those for tokens
	Hero   bool                  `json:"hero,omitempty"`
	Trade  bool                  `json:"trade,omitempty"`
	Limit  int16                 `json:"limit"`
}

// WrittenTown is a settlement or city; At counts from the first settlement.
type WrittenTown struct {
	At    int8       `json:"at"`
	Level Level      `json:"kind"`
	Above []SiteCard `json:"above,omitempty"`
	Below []SiteCard `json:"below,omitempty"`
}

// WrittenRegion is a region card on its place.
type WrittenRegion struct {
	At      table.Place   `json:"at"`
	Terrain table.Terrain `json:"terrain"`
	Number  uint8         `json:"number"`
	Stored  uint8         `json:"stored"`
}

// WrittenCache is the Gold Cache.
type WrittenCache struct {
	At   table.Place `json:"at"`
	Gold uint8       `json:"gold"`
}

// WrittenPile is a draw stack, the top first. For a card that somebody has seen there, Known says which seats know
// it.
type WrittenPile struct {
	Back  table.Set    `json:"back"`
	Cards []table.Card `json:"cards"`
	Known []Seen       `json:"known,omitempty"` // "", "A", "B", "AB" or "*", card by card
}

// WrittenAsk is an awaited decision.
type WrittenAsk struct {
	Seat   seatWord `json:"seat"`
	Kind   AskKind  `json:"kind"`
	Task   uint16   `json:"task,omitempty"`
	Serial uint16   `json:"serial"`
}

// Written returns a state in its written form.
func (s *State) Written() *Written {
	w := &Written{
		Play: s.Play, Goal: s.Goal, Turn: s.Turn, First: wordSeat(s.First), Active: wordSeat(s.Active), Phase: s.Phase,
		Die: s.Die, Face: s.Face, Event: s.Event, Mints: s.Mints, Removals: s.Removals, Since: s.Since, High: s.High[:],
		Discard: Backward(s.Discard[:s.DiscardN]), Spare: s.Spare[:s.SpareN], Tasks: s.Tasks[:s.TasksN],
		Serial: s.Serial, NextID: s.NextID, Rules: s.Rules,
	}
	if s.Phase == Over {
		w.Winner = wordSeat(s.Winner)
	}
	w.Centre.Roads, w.Centre.Settlements, w.Centre.Cities = int16(s.Roads), int16(s.Settlements), int16(s.Cities)
	w.Centre.Regions = Backward(s.Lands[:s.LandsN])
	for i := range s.Decks[:s.DecksN] {
		cards, known := s.Decks[i].Write()
		w.Stacks = append(w.Stacks, WrittenPile{s.Decks[i].Set, cards, known})
	}
	w.Events, w.Passed = s.Events.Write()
	for range s.OpenN {
		w.Open = append(w.Open, s.Open)
	}
	for seat := range domain.Seat(2) {
		w.Seats = append(w.Seats, s.writeSide(seat))
		if a := s.Asks[seat]; a.Kind != AskNothing {
			w.Asks = append(w.Asks, WrittenAsk{wordSeat(seat), a.Kind, a.Task, a.Serial})
		}
	}
	return w
}

func (s *State) writeSide(seat domain.Seat) WrittenSide {
	r := &s.Realms[seat]
	w := WrittenSide{Roads: []int8{}, Limit: int16(s.HandLimit(seat)), Points: s.PointsOf(seat),
		Hero: s.Strongest() == seat, Trade: s.Busiest() == seat}
	for t, town := range r.EachTown() {
		w.Towns = append(w.Towns, WrittenTown{int8(t) - table.Origin, town.Level, town.write(0), town.write(1)})
	}
	for i := range int8(table.Columns) {
		if r.Roads&(1<<i) != 0 {
			w.Roads = append(w.Roads, i-table.Origin)
		}
	}
	for p, q := range r.Regions {
		if q.Number != 0 {
			w.Regions = append(w.Regions, WrittenRegion{table.Place(p), table.Terrain(q.Terrain), q.Number, q.Stored})
		}
	}
	if r.Cache != table.NoPlace {
		w.Cache = &WrittenCache{r.Cache, r.CacheGold}
	}
	w.Hand, w.Known = writeSlots(r.Held(), Bit(seat))
	return w
}

// write lists the cards on a side of a town, up to the last: an empty site before one keeps its place.
func (t *Town) write(side int) (list []SiteCard) {
	for slot, c := range t.Sites[side][:t.Slots()] {
		if c != table.NoCard {
			list = append(list, make([]SiteCard, slot+1-len(list))...)
			list[slot] = SiteCard{c}
		}
	}
	return list
}

// Write lists a stack, the top first.
func (d *Deck) Write() ([]table.Card, []Seen) { return writeSlots(Backward(d.All()), 0) }

// writeSlots lists cards, and who knows each: nil if only the owner does.
func writeSlots(slots []Slot, owner Seen) (cards []table.Card, known []Seen) {
	cards = make([]table.Card, len(slots))
	for i, slot := range slots {
		cards[i] = slot.Card
		if slot.Seen&^owner != 0 && known == nil {
			known = make([]Seen, len(slots))
		}
	}
	for i := range known {
		known[i] = slots[i].Seen
	}
	return cards, known
}

// Backward returns a reversed copy of a list.
func Backward[T any](list []T) []T {
	list = append(make([]T, 0, len(list)), list...)
	slices.Reverse(list)
	return list
}

type (
	phaseWords struct{}
	levelWords struct{}
	askWords   struct{}
	taskWords  struct{}
	seatWords  struct{}
)

func (phaseWords) Words() []string { return phaseNames[:] }
func (levelWords) Words() []string { return levelNames[:] }
func (askWords) Words() []string   { return AskNames[:] }
func (taskWords) Words() []string  { return TaskNames[:] }
func (seatWords) Words() []string  { return seatNames[:] }

var seatNames = [...]string{"", "A", "B"}

// SiteCard is what stands on a site: "-" means nothing.
type SiteCard struct{ table.Card }

// MarshalText writes the card's name.
func (c SiteCard) MarshalText() ([]byte, error) {
	if c.Card == table.NoCard {
		return []byte{'-'}, nil
	}
	return c.Card.MarshalText()
}

// Seen is who knows a card: a bit per seat, and public for everybody.
type Seen uint8

// MarshalText writes the seats' letters, "*" for everybody.
func (s Seen) MarshalText() ([]byte, error) {
	if s&Public != 0 {
		return []byte{'*'}, nil
	}
	return []byte([...]string{"", "A", "B", "AB"}[s&3]), nil
}

// UnmarshalText reads what MarshalText wrote.
func (s *Seen) UnmarshalText(text []byte) error {
	return table.Named(s, text, func(who string) (Seen, bool) {
		seen, ok := map[string]Seen{"": 0, "A": 1, "B": 2, "AB": 3, "*": Public | 3}[who]
		return seen, ok
	})
}

// seatWord is a seat as written: the seat plus one, so that Nobody is zero.
type seatWord = table.Word[seatWords]

func wordSeat(s domain.Seat) seatWord { return seatWord(s + 1) }

// SeatOf returns the seat, or Nobody.
func SeatOf(w seatWord) domain.Seat { return domain.Seat(w) - 1 }
