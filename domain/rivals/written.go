package rivals

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// written is how a state is written: in a view, in the event that deals, and in a position set up
// by hand, which may leave out what it likes. Its keys and words stay.
type written struct {
	Play     Play          `json:"play"`
	Goal     int8          `json:"goal"`
	Turn     int16         `json:"turn"`
	First    seatWord      `json:"first"`
	Active   seatWord      `json:"active"`
	Phase    Phase         `json:"phase"`
	Die      uint8         `json:"die,omitempty"`
	Face     Face          `json:"face,omitempty"`
	Event    Card          `json:"event,omitempty"` // the event card being resolved
	Mints    uint8         `json:"mints,omitempty"`
	Removals uint8         `json:"removed,omitempty"` // this turn
	Since    int16         `json:"since,omitempty"`   // the turn from which on nothing moves any more
	High     []int8        `json:"high,omitempty"`    // the most victory points each has had at the end of a turn
	Seats    []writtenSide `json:"seats"`
	Centre   struct {
		Roads       int16  `json:"roads"`
		Settlements int16  `json:"settlements"`
		Cities      int16  `json:"cities"`
		Regions     []Land `json:"regions"` // the top first
	} `json:"centre"`
	Stacks  []writtenPile `json:"stacks"`
	Open    []Card        `json:"open,omitempty"`   // the face-up stack
	Discard []Card        `json:"discard"`          // the top first
	Events  []Card        `json:"events"`           // the top first
	Passed  []Seen        `json:"passed,omitempty"` // who knows which of them, as writtenPile.Known
	Spare   []Card        `json:"spare,omitempty"`  // events left out of a duel
	Tasks   []Task        `json:"tasks,omitempty"`
	Winner  seatWord      `json:"winner,omitempty"`
	Serial  uint16        `json:"serial,omitempty"`
	NextID  uint16        `json:"next,omitempty"`
	Asks    []writtenAsk  `json:"asks,omitempty"`
	Rules   Rules         `json:"options,omitempty"` // those chosen otherwise
	Viewer  seatWord      `json:"viewer,omitempty"`  // the seat this is the view of
}

// writtenSide is one player's half of the table.
type writtenSide struct {
	Towns   []writtenTown   `json:"towns"`
	Roads   []int8          `json:"roads"` // each right of the town of that number
	Regions []writtenRegion `json:"regions"`
	Cache   *writtenCache   `json:"cache,omitempty"`
	// Stores is for positions set up by hand alone: amounts by place, over those of Regions.
	Stores map[Place]uint8 `json:"stores,omitempty"`
	Hand   []Card          `json:"hand"` // "?" with the back where unknown: "?gold"
	Known  []Seen          `json:"known,omitempty"`
	Points struct {
		Victory  int16 `json:"victory"` // with the tokens
		Commerce int16 `json:"commerce"`
		Strength int16 `json:"strength"`
		Skill    int16 `json:"skill"`
		Progress int16 `json:"progress"`
	} `json:"points"`
	Hero  bool  `json:"hero,omitempty"`
	Trade bool  `json:"trade,omitempty"`
	Limit int16 `json:"limit"`
}

// writtenTown is a settlement or city; At counts from the first settlement.
type writtenTown struct {
	At    int8   `json:"at"`
	Level Level  `json:"kind"`
	Above []site `json:"above,omitempty"`
	Below []site `json:"below,omitempty"`
}

type writtenRegion struct {
	At      Place   `json:"at"`
	Terrain terrain `json:"terrain"`
	Number  uint8   `json:"number"`
	Stored  uint8   `json:"stored"`
}

type writtenCache struct {
	At   Place `json:"at"`
	Gold uint8 `json:"gold"`
}

// writtenPile is a draw stack, the top first. Known tells, for a card that somebody has seen lying
// there, whose seats know it.
type writtenPile struct {
	Back  Set    `json:"back"`
	Cards []Card `json:"cards"`
	Known []Seen `json:"known,omitempty"`
}

type writtenAsk struct {
	Seat   seatWord `json:"seat"`
	Kind   askKind  `json:"kind"`
	Task   uint16   `json:"task,omitempty"`
	Serial uint16   `json:"serial"`
}

// write brings a state to the form in which it is written.
func (s *State) write() *written {
	w := &written{
		Play: s.Play, Goal: s.Goal, Turn: s.Turn, First: wordSeat(s.First), Active: wordSeat(s.Active), Phase: s.Phase,
		Die: s.Die, Face: s.Face, Event: s.Event, Mints: s.Mints, Removals: s.Removals, Since: s.Since, High: s.High[:],
		Discard: backward(s.Discard[:s.DiscardN]), Spare: s.Spare[:s.SpareN], Tasks: s.Tasks[:s.TasksN],
		Serial: s.Serial, NextID: s.NextID, Rules: s.Rules,
	}
	if s.Phase == Over {
		w.Winner = wordSeat(s.Winner)
	}
	w.Centre.Roads, w.Centre.Settlements, w.Centre.Cities = int16(s.Roads), int16(s.Settlements), int16(s.Cities)
	w.Centre.Regions = backward(s.Lands[:s.LandsN])
	for i := range s.Decks[:s.DecksN] {
		cards, known := s.Decks[i].write()
		w.Stacks = append(w.Stacks, writtenPile{s.Decks[i].Set, cards, known})
	}
	w.Events, w.Passed = s.Events.write()
	for range s.OpenN {
		w.Open = append(w.Open, s.Open)
	}
	for seat := range domain.Seat(2) {
		w.Seats = append(w.Seats, s.writeSide(seat))
		if a := s.Asks[seat]; a.Kind != askNothing {
			w.Asks = append(w.Asks, writtenAsk{wordSeat(seat), a.Kind, a.Task, a.Serial})
		}
	}
	return w
}

func (s *State) writeSide(seat domain.Seat) writtenSide {
	r := &s.Realms[seat]
	w := writtenSide{Roads: []int8{}, Limit: int16(s.handLimit(seat)), Hero: s.strongest() == seat, Trade: s.busiest() == seat}
	w.Points.Victory, w.Points.Commerce, w.Points.Strength = int16(s.victory(seat)), int16(r.Points.Commerce), int16(r.Points.Strength)
	w.Points.Skill, w.Points.Progress = int16(r.Points.Skill), int16(r.Points.Progress)
	for t, town := range r.towns() {
		w.Towns = append(w.Towns, writtenTown{int8(t) - origin, town.Level, town.write(0), town.write(1)})
	}
	for i := range int8(columns) {
		if r.Roads&(1<<i) != 0 {
			w.Roads = append(w.Roads, i-origin)
		}
	}
	for p, q := range r.Regions {
		if q.Number != 0 {
			w.Regions = append(w.Regions, writtenRegion{Place(p), terrain(q.Terrain), q.Number, q.Stored})
		}
	}
	if r.Cache != noPlace {
		w.Cache = &writtenCache{r.Cache, r.CacheGold}
	}
	w.Hand, w.Known = writeSlots(r.hand(), bit(seat))
	return w
}

// write lists the cards on a side of a town, to the last: an empty site before one keeps its place.
func (t *Town) write(side int) (list []site) {
	for slot, c := range t.Sites[side][:t.slots()] {
		if c != NoCard {
			list = append(list, make([]site, slot+1-len(list))...)
			list[slot] = site{c}
		}
	}
	return list
}

// write lists a stack, the top first.
func (d *Deck) write() ([]Card, []Seen) { return writeSlots(backward(d.all()), 0) }

// writeSlots lists cards, and who knows each: nil if nobody does but the owner.
func writeSlots(slots []Slot, owner Seen) (cards []Card, known []Seen) {
	cards = make([]Card, len(slots))
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

func backward[T any](list []T) []T {
	list = append(make([]T, 0, len(list)), list...)
	slices.Reverse(list)
	return list
}

// errOdd is why an event is refused that no move makes.
var errOdd = fmt.Errorf("it names a seat, a place, a stack or a card that there is not")

// read brings what was written to a state. There is no more of anything than fits in one.
func (w *written) read() (State, error) {
	s := State{Ready: true, Play: w.Play, Rules: w.Rules, Phase: w.Phase, First: w.First.seat(), Active: w.Active.seat(), Winner: w.Winner.seat(),
		Turn: w.Turn, Goal: w.Goal, Die: w.Die, Face: w.Face, Event: w.Event, Mints: w.Mints, Removals: w.Removals,
		Open: openCard(w.Play), OpenN: uint8(len(w.Open)), DecksN: uint8(len(w.Stacks)), Serial: w.Serial, NextID: w.NextID}
	fits := w.First != 0 && w.Active != 0 && len(w.Seats) == 2 && len(w.Stacks) <= decksN && len(w.Discard) <= len(s.Discard) &&
		len(w.Events) <= maxDeck && len(w.Spare) <= len(s.Spare) && len(w.Centre.Regions) <= len(s.Lands) && len(w.Tasks) <= maxTasks
	for i := range w.Seats {
		fits = fits && w.Seats[i].fits()
	}
	for i := range w.Stacks {
		fits = fits && len(w.Stacks[i].Cards) <= maxDeck
	}
	for i := range w.Tasks {
		fits = fits && w.Tasks[i].fits()
	}
	if !fits {
		return s, errOdd
	}
	for i := range w.Seats {
		s.Realms[i].read(&w.Seats[i])
		s.Realms[i].hold(domain.Seat(i), w.Seats[i].Hand, w.Seats[i].Known)
	}
	s.countCentre()
	s.LandsN = uint8(copy(s.Lands[:], backward(w.Centre.Regions)))
	for i, pile := range w.Stacks {
		s.Decks[i].Set = pile.Back
		s.Decks[i].lay(pile.Cards, pile.Known)
	}
	s.DiscardN = uint8(copy(s.Discard[:], backward(w.Discard)))
	s.Events.lay(w.Events, w.Passed)
	s.SpareN = uint8(copy(s.Spare[:], w.Spare))
	s.readStill(w)
	s.TasksN = uint8(copy(s.Tasks[:], w.Tasks))
	s.readAsks(w)
	return s, nil
}

func (s *State) readAsks(w *written) {
	for _, a := range w.Asks {
		if a.Seat != 0 {
			s.Asks[a.Seat.seat()] = Ask{a.Kind, a.Task, a.Serial}
		}
	}
}

// readStill reads how long a position has stood still; one that does not say begins to count.
func (s *State) readStill(w *written) {
	s.Since = w.Since
	if w.Since == 0 {
		s.Since = s.Turn
	}
	for seat := range domain.Seat(2) {
		s.High[seat] = int8(s.victory(seat))
		if int(seat) < len(w.High) {
			s.High[seat] = w.High[seat]
		}
	}
}

// fits tells whether a principality has no more than there is room for.
func (w *writtenSide) fits() bool {
	fits := len(w.Hand) <= maxHand && len(w.Towns) > 0 && (w.Cache == nil || w.Cache.At < regionsN && w.Cache.Gold <= capacity)
	for _, t := range w.Towns {
		fits = fits && t.At >= -origin && t.At < columns-origin && len(t.Above) <= 2 && len(t.Below) <= 2
	}
	for _, at := range w.Roads {
		fits = fits && at >= -origin && at < columns-origin
	}
	for _, q := range w.Regions {
		fits = fits && q.At < regionsN && q.Stored <= capacity
	}
	return fits
}

// read lays a principality, but for the hand.
func (r *Realm) read(w *writtenSide) {
	*r = Realm{Cache: noPlace, Left: columns, Right: -1}
	for _, t := range w.Towns {
		at := t.At + origin
		r.Towns[at].Level = t.Level
		for side, list := range [2][]site{t.Above, t.Below} {
			for slot, c := range list {
				r.Towns[at].Sites[side][slot] = c.Card
			}
		}
		r.Left, r.Right = min(r.Left, at), max(r.Right, at)
	}
	for _, at := range w.Roads {
		r.Roads |= 1 << (at + origin)
	}
	for _, q := range w.Regions {
		r.Regions[q.At] = Region{Res(q.Terrain), q.Number, q.Stored}
	}
	if w.Cache != nil {
		r.Cache, r.CacheGold = w.Cache.At, w.Cache.Gold
	}
	r.recount()
}

// hold lays a hand, with who else knows its cards.
func (r *Realm) hold(owner domain.Seat, cards []Card, known []Seen) {
	r.Hand, r.HandN = [maxHand]Slot{}, 0
	for i, c := range cards {
		slot := Slot{c, bit(owner)}
		if i < len(known) {
			slot.Seen |= known[i]
		}
		r.handAdd(slot)
	}
}

// lay makes a stack of cards, the top first, with who knows them.
func (d *Deck) lay(cards []Card, known []Seen) {
	*d = Deck{Set: d.Set}
	for i, c := range slices.Backward(cards) {
		slot := Slot{Card: c}
		if i < len(known) {
			slot.Seen = known[i]
		}
		d.push(slot)
	}
}

// countCentre is what is left in the middle: all there is less what stands.
func (s *State) countCentre() {
	s.Roads, s.Settlements, s.Cities = int8(table.Centre["road"].N), int8(table.Centre["settlement"].N), int8(table.Centre["city"].N)
	for i := range s.Realms {
		r := &s.Realms[i]
		s.Roads -= int8(bits.OnesCount16(r.Roads))
		for _, t := range r.Towns {
			if t.Level != noTown {
				s.Settlements--
			}
			if t.Level == city {
				s.Cities--
			}
		}
	}
}

// UnmarshalJSON reads a town as it is written, or in short, as in positions set up by hand:
// "0 city above abbey mint below harald".
func (t *writtenTown) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		type plain writtenTown
		return json.Unmarshal(b, (*plain)(t))
	}
	return t.short(text)
}

func (t *writtenTown) short(text string) error {
	*t = writtenTown{}
	f := strings.Fields(text)
	if len(f) < 2 {
		return fmt.Errorf("town %q", text)
	}
	at, err := strconv.ParseInt(f[0], 10, 8)
	if err != nil {
		return fmt.Errorf("town %q: %w", text, err)
	}
	t.At = int8(at)
	if err := t.Level.UnmarshalText([]byte(f[1])); err != nil {
		return err
	}
	var list *[]site
	for _, word := range f[2:] {
		switch {
		case word == "above":
			list = &t.Above
		case word == "below":
			list = &t.Below
		case list == nil:
			return fmt.Errorf("town %q: above or below", text)
		default:
			var c site
			if err := c.UnmarshalText([]byte(word)); err != nil {
				return err
			}
			*list = append(*list, c)
		}
	}
	return nil
}

// UnmarshalJSON reads a region as it is written, or in short: "2a fields3 1", the place, the region
// card and what it stores.
func (q *writtenRegion) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		type plain writtenRegion
		return json.Unmarshal(b, (*plain)(q))
	}
	return q.short(text)
}

func (q *writtenRegion) short(text string) error {
	f := append(strings.Fields(text), "0")
	if len(f) != 3 && len(f) != 4 {
		return fmt.Errorf("region %q", text)
	}
	land, ok := landNamed(f[1])
	stored, err := strconv.ParseUint(f[2], 10, 8)
	if !ok || err != nil || stored > capacity {
		return fmt.Errorf("region %q", text)
	}
	*q = writtenRegion{Terrain: terrain(land.terrain()), Number: land.number(), Stored: uint8(stored)}
	return q.At.UnmarshalText([]byte(f[0]))
}

// UnmarshalJSON reads a task.
func (t *Task) UnmarshalJSON(b []byte) error {
	w := struct {
		Kind  Word[taskWords] `json:"kind"`
		Seat  seatWord        `json:"seat"`
		N     uint8           `json:"n"`
		Goods []Res           `json:"goods"`
		Need  Goods           `json:"need"`
		Card  Card            `json:"card"`
		Site  Site            `json:"site"`
		Arg   int16           `json:"arg"`
		Mask  uint64          `json:"mask"`
		ID    uint16          `json:"id"`
	}{}
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("task: %w", err)
	}
	*t = Task{Mask: w.Mask, Arg: w.Arg, ID: w.ID, Kind: taskKind(w.Kind), Seat: w.Seat.seat(), N: w.N, Need: w.Need, Card: w.Card, Site: w.Site}
	for _, res := range w.Goods {
		t.Res |= only(res)
	}
	return nil
}

// MarshalJSON writes a task.
func (t Task) MarshalJSON() ([]byte, error) { return t.append(nil), nil }
