package state

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/codec"
	"posthorn/domain/kit"
	"posthorn/domain/rivals/table"
)

// ErrOdd rejects an event that no move makes.
var ErrOdd = fmt.Errorf("it names a seat, a place, a stack or a card that there is not")

// read turns what was written into a state. It returns ErrOdd if the state has no room for it.
func (w *Written) read() (State, error) {
	s := State{Ready: true, Play: w.Play, Rules: w.Rules, Phase: w.Phase, First: SeatOf(w.First),
		Active: SeatOf(w.Active), Winner: SeatOf(w.Winner),
		Turn: w.Turn, Goal: w.Goal, Die: w.Die, Face: w.Face, Event: w.Event, Mints: w.Mints, Removals: w.Removals,
		Open: table.OpenCard(w.Play), OpenN: uint8(len(w.Open)), DecksN: uint8(len(w.Stacks)), Serial: w.Serial,
		NextID: w.NextID}
	fits := w.First != 0 && w.Active != 0 && len(w.Seats) == 2 && len(w.Stacks) <= table.DecksN &&
		len(w.Discard) <= len(s.Discard) &&
		len(w.Events) <= table.MaxDeck && len(w.Spare) <= len(s.Spare) && len(w.Centre.Regions) <= len(s.Lands) &&
		len(w.Tasks) <= MaxTasks
	for i := range w.Seats {
		fits = fits && w.Seats[i].fits()
	}
	for i := range w.Stacks {
		fits = fits && len(w.Stacks[i].Cards) <= table.MaxDeck
	}
	for i := range w.Tasks {
		fits = fits && w.Tasks[i].fits()
	}
	if !fits {
		return s, ErrOdd
	}
	for i := range w.Seats {
		s.Realms[i].Read(&w.Seats[i])
		s.Realms[i].Hold(domain.Seat(i), w.Seats[i].Hand, w.Seats[i].Known)
	}
	s.CountCentre()
	s.LandsN = uint8(copy(s.Lands[:], Backward(w.Centre.Regions)))
	for i, pile := range w.Stacks {
		s.Decks[i].Set = pile.Back
		s.Decks[i].lay(pile.Cards, pile.Known)
	}
	s.DiscardN = uint8(copy(s.Discard[:], Backward(w.Discard)))
	s.Events.lay(w.Events, w.Passed)
	s.SpareN = uint8(copy(s.Spare[:], w.Spare))
	s.ReadStill(w)
	s.TasksN = uint8(copy(s.Tasks[:], w.Tasks))
	s.ReadAsks(w)
	return s, nil
}

// ReadAsks takes over what is awaited.
func (s *State) ReadAsks(w *Written) {
	for _, a := range w.Asks {
		if a.Seat != 0 {
			s.Asks[SeatOf(a.Seat)] = Ask{a.Kind, a.Task, a.Serial}
		}
	}
}

// ReadStill reads how long a position has stood still; if it does not say, the count starts now.
func (s *State) ReadStill(w *Written) {
	s.Since = w.Since
	if w.Since == 0 {
		s.Since = s.Turn
	}
	for seat := range domain.Seat(2) {
		s.High[seat] = int8(s.Victory(seat))
		if int(seat) < len(w.High) {
			s.High[seat] = w.High[seat]
		}
	}
}

// fits reports whether a principality has no more than there is room for.
func (w *WrittenSide) fits() bool {
	fits := len(w.Hand) <= table.MaxHand && len(w.Towns) > 0 &&
		(w.Cache == nil || w.Cache.At < table.RegionsN && w.Cache.Gold <= table.Capacity)
	for _, t := range w.Towns {
		fits = fits && t.At >= -table.Origin && t.At < table.Columns-table.Origin && len(t.Above) <= 2 &&
			len(t.Below) <= 2
	}
	for _, at := range w.Roads {
		fits = fits && at >= -table.Origin && at < table.Columns-table.Origin
	}
	for _, q := range w.Regions {
		fits = fits && q.At < table.RegionsN && q.Stored <= table.Capacity
	}
	return fits
}

// Read lays a principality, except for the hand.
func (r *Realm) Read(w *WrittenSide) {
	*r = Realm{Cache: table.NoPlace, Left: table.Columns, Right: -1}
	for _, t := range w.Towns {
		at := t.At + table.Origin
		r.Towns[at].Level = t.Level
		for side, list := range [2][]SiteCard{t.Above, t.Below} {
			for slot, c := range list {
				r.Towns[at].Sites[side][slot] = c.Card
			}
		}
		r.Left, r.Right = min(r.Left, at), max(r.Right, at)
	}
	for _, at := range w.Roads {
		r.Roads |= 1 << (at + table.Origin)
	}
	for _, q := range w.Regions {
		r.Regions[q.At] = Region{table.Res(q.Terrain), q.Number, q.Stored}
	}
	if w.Cache != nil {
		r.Cache, r.CacheGold = w.Cache.At, w.Cache.Gold
	}
	r.recount()
	r.survey()
}

// Hold lays a hand, with who else knows its cards.
func (r *Realm) Hold(owner domain.Seat, cards []table.Card, known []Seen) {
	r.Hand, r.HandN = [table.MaxHand]Slot{}, 0
	for i, c := range cards {
		slot := Slot{c, Bit(owner)}
		if i < len(known) {
			slot.Seen |= known[i]
		}
		r.HandAdd(slot)
	}
}

// lay makes a stack of cards, the top first, with who knows them.
func (d *Deck) lay(cards []table.Card, known []Seen) {
	*d = Deck{Set: d.Set}
	for i, c := range slices.Backward(cards) {
		slot := Slot{Card: c}
		if i < len(known) {
			slot.Seen = known[i]
		}
		d.Push(slot)
	}
}

// CountCentre works out what is left in the middle: everything there is minus what is built.
func (s *State) CountCentre() {
	s.Roads, s.Settlements, s.Cities = int8(table.Table.Centre["road"].N), int8(table.Table.Centre["settlement"].N),
		int8(table.Table.Centre["city"].N)
	for i := range s.Realms {
		r := &s.Realms[i]
		s.Roads -= int8(bits.OnesCount16(r.Roads))
		for _, t := range r.Towns {
			if t.Level != NoTown {
				s.Settlements--
			}
			if t.Level == CityTown {
				s.Cities--
			}
		}
	}
}

// UnmarshalJSON reads a town as written, or in the short form of positions set up by hand: "0 city above abbey mint
// below harald".
func (t *WrittenTown) UnmarshalJSON(b []byte) error {
	type plain WrittenTown
	return orShort(b, (*plain)(t), t.Short)
}

// ReadJSON reads a town as written.
func (t *WrittenTown) ReadJSON(r *codec.Reader) {
	type plain WrittenTown
	r.Value((*plain)(t))
}

func orShort(b []byte, whole any, short func(string) error) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		return json.Unmarshal(b, whole)
	}
	return short(text)
}

// Short reads a town in short form: "0 city above abbey mint below harald".
func (t *WrittenTown) Short(text string) error {
	*t = WrittenTown{}
	f := strings.Fields(text)
	if len(f) < 2 {
		return fmt.Errorf("town %q", text)
	}
	at, err := strconv.ParseInt(f[0], 10, 8)
	if err != nil || at < -table.Origin || at >= table.Columns-table.Origin {
		return fmt.Errorf("town %q: no such place", text)
	}
	t.At = int8(at)
	if err := t.Level.UnmarshalText([]byte(f[1])); err != nil {
		return err
	}
	var list *[]SiteCard
	for _, word := range f[2:] {
		switch {
		case word == "above":
			list = &t.Above
		case word == "below":
			list = &t.Below
		case list == nil:
			return fmt.Errorf("town %q: above or below", text)
		default:
			var c SiteCard
			if err := c.UnmarshalText([]byte(word)); err != nil {
				return err
			}
			*list = append(*list, c)
		}
	}
	return nil
}

// UnmarshalJSON reads a region as written, or in short form: "2a fields3 1", the place, the region card and what it
// stores.
func (q *WrittenRegion) UnmarshalJSON(b []byte) error {
	type plain WrittenRegion
	return orShort(b, (*plain)(q), q.Short)
}

// Short reads a region in short form: "2a fields3 1".
func (q *WrittenRegion) Short(text string) error {
	f := append(strings.Fields(text), "0")
	if len(f) != 3 && len(f) != 4 {
		return fmt.Errorf("region %q", text)
	}
	land, ok := table.LandNamed(f[1])
	stored, err := strconv.ParseUint(f[2], 10, 8)
	if !ok || err != nil || stored > table.Capacity {
		return fmt.Errorf("region %q", text)
	}
	*q = WrittenRegion{Terrain: table.Terrain(land.Terrain()), Number: land.Number(), Stored: uint8(stored)}
	return q.At.UnmarshalText([]byte(f[0]))
}

// ReadJSON reads a region as written.
func (q *WrittenRegion) ReadJSON(r *codec.Reader) {
	type plain WrittenRegion
	r.Value((*plain)(q))
}

// writtenTask is how a task is read: the form that its AppendJSON writes.
type writtenTask struct {
	Kind  table.Word[taskWords] `json:"kind"`
	Seat  seatWord              `json:"seat,omitempty"`
	N     uint8                 `json:"n,omitempty"`
	Goods []table.Res           `json:"goods,omitempty"`
	Need  table.Goods           `json:"need,omitzero"`
	Card  table.Card            `json:"card,omitempty"`
	Site  table.Site            `json:"site,omitempty"`
	Arg   int16                 `json:"arg,omitempty"`
	Mask  uint64                `json:"mask,omitempty"`
	ID    uint16                `json:"id,omitempty"`
}

func (w *writtenTask) task() Task {
	t := Task{Mask: w.Mask, Arg: w.Arg, ID: w.ID, Kind: TaskKind(w.Kind), Seat: SeatOf(w.Seat), N: w.N, Need: w.Need,
		Card: w.Card, Site: w.Site}
	for _, res := range w.Goods {
		t.Res |= table.Only(res)
	}
	return t
}

// UnmarshalJSON reads a task.
func (t *Task) UnmarshalJSON(b []byte) error {
	var w writtenTask
	if err := json.Unmarshal(b, &w); err != nil {
		return fmt.Errorf("task: %w", err)
	}
	*t = w.task()
	return nil
}

// ReadJSON reads what AppendJSON wrote.
func (t *Task) ReadJSON(r *codec.Reader) {
	var w writtenTask
	if r.Value(&w) {
		*t = w.task()
	}
}

// MarshalJSON writes a task.
func (t Task) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// givenSchema is the form of a position.
var givenSchema = func() *domain.Schema {
	said := func(key string, good func(string) bool) *domain.Schema {
		return domain.TextOf(func(w string) (domain.Say, bool) { return domain.S("given." + key), good(w) })
	}
	seat := domain.WordOf("", "A", "B")
	card := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || w == "" })
	lying := said("card", func(w string) bool {
		_, ok := table.CardWords[table.Fold(w)]
		return ok || strings.HasPrefix(w, "?")
	})
	site := said("card", func(w string) bool { _, ok := table.CardWords[table.Fold(w)]; return ok || w == "-" })
	place := said("place", func(w string) bool { _, ok := table.PlaceNamed(w); return ok })
	cards := func(of *domain.Schema) *domain.Schema { return domain.ListOf(of, table.MaxDeck) }
	known := domain.ListOf(domain.WordOf("", "A", "B", "AB", "*"), table.MaxDeck)
	amount, count, number := domain.NumberOf(0, table.Capacity), domain.NumberOf(0, 1000), domain.NumberOf(0, 1<<15-1)
	town := domain.ObjectOf(map[string]*domain.Schema{
		"at": domain.NumberOf(-table.Origin, table.Columns-table.Origin-1), "kind": domain.WordOf("settlement", "city"),
		"above": domain.ListOf(site, 2), "below": domain.ListOf(site, 2),
	}).OrText(said("town", func(w string) bool { return new(WrittenTown).Short(w) == nil }))
	region := domain.ObjectOf(map[string]*domain.Schema{
		"at": place, "terrain": said("land", func(w string) bool { _, ok := table.TerrainNamed(w); return ok }),
		"number": domain.NumberOf(1, 6), "stored": amount,
	}).OrText(said("region-short", func(w string) bool { return new(WrittenRegion).Short(w) == nil }))
	tasks := slices.DeleteFunc(append([]string(nil), TaskNames[:]...), func(w string) bool { return w == "" })
	options := []string{}
	for _, o := range table.OptionRules {
		options = append(options, o.Key+" "+o.Value)
	}
	point := domain.NumberOf(0, math.MaxInt8)
	points := domain.ObjectOf(map[string]*domain.Schema{"victory": point, "commerce": point, "strength": point,
		"skill": point, "progress": point})
	return domain.ObjectOf(map[string]*domain.Schema{
		"play": domain.WordOf(table.PlayNames[:]...), "goal": domain.NumberOf(0, 100), "turn": number, "first": seat,
		"active": seat,
		"phase":  domain.WordOf(phaseNames[:]...), "die": domain.NumberOf(0, 6),
		"face": domain.WordOf(table.FaceNames[:]...), "event": card,
		"mints": domain.NumberOf(0, 100), "removed": domain.NumberOf(0, 100), "since": number,
		"high": domain.ListOf(domain.NumberOf(0, 100), 2),
		"seats": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"towns":   domain.ListOf(town, table.Columns),
			"roads":   domain.ListOf(domain.NumberOf(-table.Origin, table.Columns-table.Origin-2), table.Columns),
			"regions": domain.ListOf(region, table.RegionsN),
			"cache":   domain.ObjectOf(map[string]*domain.Schema{"at": place, "gold": amount}),
			"stores": domain.CountsOf(table.Capacity, func(w string) (domain.Say, bool) {
				_, ok := table.PlaceNamed(w)
				return domain.S("given.place"), ok
			}),
			"hand": domain.ListOf(card, table.MaxHand/2), "known": known, "points": points, "hero": domain.SwitchOf(),
			"trade": domain.SwitchOf(), "limit": count,
		}), 2),
		"centre": domain.ObjectOf(map[string]*domain.Schema{"roads": count, "settlements": count, "cities": count,
			"regions": domain.ListOf(said("land", func(w string) bool {
				_, ok := table.LandNamed(table.Fold(w))
				return ok || w == "?"
			}), 12)}),
		"stacks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"back": domain.WordOf(append([]string{""}, table.SetNames[:]...)...), "cards": cards(lying),
			"known": known}), table.DecksN),
		"open": cards(lying), "discard": domain.ListOf(lying, 2*table.MaxDeck), "events": cards(lying),
		"passed": known, "spare": domain.ListOf(lying, len(State{}.Spare)),
		"tasks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"kind": domain.WordOf(tasks...), "seat": seat, "n": domain.NumberOf(0, 60),
			"goods": domain.ListOf(domain.WordOf(table.ResNames[:]...), len(table.ResNames)),
			"need":  domain.ListOf(domain.NumberOf(0, 60), len(table.Goods{})), "card": card,
			"site": domain.NumberOf(0, 255), "arg": domain.NumberOf(-1, 255),
			"mask": domain.NumberOf(0, 1<<63-1), "id": domain.NumberOf(0, 1<<16-1),
		}), MaxTasks),
		"asks": domain.ListOf(domain.ObjectOf(map[string]*domain.Schema{
			"seat": domain.WordOf("A", "B"), "kind": domain.WordOf(AskNames[1:]...),
			"task": domain.NumberOf(0, 1<<16-1), "serial": domain.NumberOf(0, 1<<16-1),
		}), 2),
		"serial": domain.NumberOf(0, 1<<16-1), "next": domain.NumberOf(0, 1<<16-1), "winner": seat,
		"options": domain.ListOf(domain.WordOf(options...), len(options)), "viewer": seat,
	})
}()

// ReadGiven reads a position set up by hand, if there is one.
func ReadGiven(text json.RawMessage) (*Written, error) {
	w := &Written{Phase: Rolling}
	return w, kit.Given(text, givenSchema, w)
}
