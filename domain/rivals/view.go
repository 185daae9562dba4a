package rivals

import (
	"posthorn/domain"
)

// Board is a state as somebody may know it. It is also what a game is set up with, and what
// the event that deals carries: unknown cards are "?".
type Board struct {
	Play    string     `json:"play"`
	Goal    int        `json:"goal"`
	Turn    int        `json:"turn"`
	First   string     `json:"first"`
	Active  string     `json:"active"`
	Phase   string     `json:"phase"`
	Die     int        `json:"die,omitempty"`
	Face    string     `json:"face,omitempty"`
	Event   string     `json:"event,omitempty"` // the event card being resolved
	Mints   int        `json:"mints,omitempty"`
	Removed int        `json:"removed,omitempty"` // removals this turn
	Since   int        `json:"since,omitempty"`   // the turn from which on nothing moves any more
	High    []int      `json:"high,omitempty"`    // the most victory points each has had at the end of a turn
	Seats   []Side     `json:"seats"`
	Centre  Centre     `json:"centre"`
	Stacks  []Pile     `json:"stacks"`
	Open    []string   `json:"open,omitempty"`   // the face-up stack
	Discard []string   `json:"discard"`          // the top first
	Events  []string   `json:"events"`           // the top first
	Passed  []string   `json:"passed,omitempty"` // who knows which of them, as Pile.Known
	Spare   []string   `json:"spare,omitempty"`  // events left out of a duel
	Tasks   []TaskView `json:"tasks,omitempty"`
	Winner  string     `json:"winner,omitempty"`
	Serial  int        `json:"serial,omitempty"`
	NextID  int        `json:"next,omitempty"`
	Asks    []AskView  `json:"asks,omitempty"`
	Options []string   `json:"options,omitempty"` // the rules chosen otherwise
	Viewer  string     `json:"viewer,omitempty"`  // the seat this is the view of
}

// Side is one player's half of the table.
type Side struct {
	Towns   []TownView   `json:"towns"`
	Roads   []int        `json:"roads"` // each right of the town of that number
	Regions []RegionView `json:"regions"`
	Cache   *CacheView   `json:"cache,omitempty"`
	// Stores is for positions set up by hand alone: amounts by place, over those of Regions.
	Stores map[string]int `json:"stores,omitempty"`
	Hand   []string       `json:"hand"` // "?" with the back where unknown: "?gold"
	Known  []string       `json:"known,omitempty"`
	Points PointsView     `json:"points"`
	Hero   bool           `json:"hero,omitempty"`
	Trade  bool           `json:"trade,omitempty"`
	Limit  int            `json:"limit"`
}

// PointsView is Points with the tokens counted in.
type PointsView struct {
	Victory  int `json:"victory"`
	Commerce int `json:"commerce"`
	Strength int `json:"strength"`
	Skill    int `json:"skill"`
	Progress int `json:"progress"`
}

// TownView is a settlement or city; At counts from the first settlement.
type TownView struct {
	At    int      `json:"at"`
	Kind  string   `json:"kind"`
	Above []string `json:"above,omitempty"`
	Below []string `json:"below,omitempty"`
}

// RegionView is a region: "at":"0a" is the gap left of town 0, above.
type RegionView struct {
	At      string `json:"at"`
	Terrain string `json:"terrain"`
	Number  int    `json:"number"`
	Stored  int    `json:"stored"`
}

// CacheView is the Gold Cache.
type CacheView struct {
	At   string `json:"at"`
	Gold int    `json:"gold"`
}

// Centre is what can still be built from the middle of the table.
type Centre struct {
	Roads       int      `json:"roads"`
	Settlements int      `json:"settlements"`
	Cities      int      `json:"cities"`
	Regions     []string `json:"regions"` // the top first
}

// Pile is a draw stack, the top first. Known tells, for a card that somebody has seen lying
// there, whose seats know it.
type Pile struct {
	Back  string   `json:"back"`
	Cards []string `json:"cards"`
	Known []string `json:"known,omitempty"`
}

// TaskView is a task of the queue.
type TaskView struct {
	Kind  string   `json:"kind"`
	Seat  string   `json:"seat,omitempty"`
	N     int      `json:"n,omitempty"`
	Goods []string `json:"goods,omitempty"`
	Need  []int    `json:"need,omitempty"`
	Card  string   `json:"card,omitempty"`
	Site  int      `json:"site,omitempty"`
	Arg   int      `json:"arg,omitempty"`
	Mask  uint64   `json:"mask,omitempty"`
	ID    int      `json:"id,omitempty"`
}

// AskView is a decision awaited.
type AskView struct {
	Seat   string `json:"seat"`
	Kind   string `json:"kind"`
	Task   int    `json:"task,omitempty"`
	Serial int    `json:"serial"`
}

// View is what a viewer may know of a state.
func (Rulebook) View(st domain.State, viewer domain.Viewer) domain.View {
	return st.(*State).board(viewer)
}

func (s *State) board(v domain.Viewer) *Board {
	b := &Board{
		Play: playNames[s.Play], Goal: int(s.Goal), Turn: int(s.Turn), First: s.First.Letter(),
		Active: s.Active.Letter(), Phase: phaseNames[s.Phase], Die: int(s.Die), Face: faceNames[s.Face],
		Mints: int(s.Mints), Removed: int(s.Removals), Since: int(s.Since), High: []int{int(s.High[0]), int(s.High[1])}, Serial: int(s.Serial), NextID: int(s.NextID),
		Centre:  Centre{Roads: int(s.Roads), Settlements: int(s.Settlements), Cities: int(s.Cities), Regions: []string{}},
		Discard: []string{}, Options: s.Rules.words(),
	}
	if v >= 0 {
		b.Viewer = v.Seat().Letter()
	}
	if s.Phase == Over && s.Winner != domain.Nobody {
		b.Winner = s.Winner.Letter()
	}
	if s.Event != NoCard {
		b.Event = s.Event.Name()
	}
	for seat := range domain.Seat(2) {
		b.Seats = append(b.Seats, s.side(seat, v))
		if a := s.Asks[seat]; a.Kind != askNothing {
			b.Asks = append(b.Asks, AskView{Seat: seat.Letter(), Kind: askNames[a.Kind], Task: int(a.Task), Serial: int(a.Serial)})
		}
	}
	s.viewPiles(b, v)
	for i := range int(s.TasksN) {
		b.Tasks = append(b.Tasks, viewTask(&s.Tasks[i]))
	}
	return b
}

// viewPiles adds the stacks, the discard pile and what else lies in the middle.
func (s *State) viewPiles(b *Board, v domain.Viewer) {
	shown := s.shownLands(v)
	for i := int(s.LandsN) - 1; i >= 0; i-- {
		name := "?"
		if v == domain.Referee || int(s.LandsN)-i <= shown {
			name = s.Lands[i].Name()
		}
		b.Centre.Regions = append(b.Centre.Regions, name)
	}
	for i := range int(s.DecksN) {
		d := &s.Decks[i]
		b.Stacks = append(b.Stacks, Pile{Back: d.Set.String(), Cards: d.names(v), Known: d.knowers(v)})
	}
	for range s.OpenN {
		b.Open = append(b.Open, s.Open.Name())
	}
	all := v == domain.Referee || s.searchesDiscard(v)
	for i := int(s.DiscardN) - 1; i >= 0; i-- {
		name := "?"
		if all || i == int(s.DiscardN)-1 {
			name = s.Discard[i].Name()
		}
		b.Discard = append(b.Discard, name)
	}
	b.Events, b.Passed = s.Events.names(v), s.Events.knowers(v)
	for i := range int(s.SpareN) {
		name := "?"
		if v == domain.Referee {
			name = s.Spare[i].Name()
		}
		b.Spare = append(b.Spare, name)
	}
}

// shownLands is how many of the top region cards a viewer sees: two while they are being
// laid, all of them for who plays Scout.
func (s *State) shownLands(v domain.Viewer) int {
	for i := range int(s.TasksN) {
		t := &s.Tasks[i]
		if t.Kind == taskCorners && (t.Card == NoCard || v.Seat() == t.Seat) {
			return int(t.N)
		}
	}
	return 0
}

// searchesDiscard tells whether a viewer is choosing from the discard pile; at other times
// only its top is seen.
func (s *State) searchesDiscard(v domain.Viewer) bool {
	return s.TasksN > 0 && s.Tasks[0].Kind == taskFetch && s.Tasks[0].Seat == v.Seat()
}

func (d *Deck) names(v domain.Viewer) []string {
	list := make([]string, 0, d.N)
	for i := int(d.N) - 1; i >= 0; i-- {
		if d.Slots[i].known(v) {
			list = append(list, d.Slots[i].Card.Name())
		} else {
			list = append(list, "?")
		}
	}
	return list
}

// knowers tells who knows each card, for the referee alone: nil if nobody knows any.
func (d *Deck) knowers(v domain.Viewer) []string {
	if v != domain.Referee {
		return nil
	}
	list := make([]string, 0, d.N)
	some := false
	for i := int(d.N) - 1; i >= 0; i-- {
		list = append(list, seenWord(d.Slots[i].Seen))
		some = some || d.Slots[i].Seen != 0
	}
	if !some {
		return nil
	}
	return list
}

// seenWord writes who knows a card: the seats' letters, "*" for everybody.
func seenWord(seen uint8) string {
	if seen&public != 0 {
		return "*"
	}
	return [...]string{"", "A", "B", "AB"}[seen&3]
}

func seenOf(word string) uint8 {
	switch word {
	case "*":
		return public | 3
	case "A":
		return 1
	case "B":
		return 2
	case "AB":
		return 3
	}
	return 0
}

// points are what a seat counts, with the tokens.
func (s *State) points(seat domain.Seat) PointsView {
	p := s.Realms[seat].Points
	return PointsView{Victory: s.victory(seat), Commerce: int(p.Commerce), Strength: int(p.Strength), Skill: int(p.Skill), Progress: int(p.Progress)}
}

func (s *State) side(seat domain.Seat, v domain.Viewer) Side {
	r := &s.Realms[seat]
	b := Side{Roads: []int{}, Hand: []string{}, Limit: s.handLimit(seat), Hero: s.strongest() == seat, Trade: s.busiest() == seat}
	b.Points = s.points(seat)
	for t := int(r.Left); t <= int(r.Right); t++ {
		town := &r.Towns[t]
		kind := "settlement"
		if town.Level == city {
			kind = "city"
		}
		b.Towns = append(b.Towns, TownView{At: t - origin, Kind: kind, Above: town.names(0), Below: town.names(1)})
	}
	for i := range columns {
		if r.Roads&(1<<i) != 0 {
			b.Roads = append(b.Roads, i-origin)
		}
	}
	for p := range Place(regionsN) {
		if q := r.Regions[p]; q.Number != 0 {
			b.Regions = append(b.Regions, RegionView{At: p.Name(), Terrain: q.Terrain.Terrain(), Number: int(q.Number), Stored: int(q.Stored)})
		}
	}
	if r.Cache != noPlace {
		b.Cache = &CacheView{At: r.Cache.Name(), Gold: int(r.CacheGold)}
	}
	known := false
	var backs [sets]int
	for i := range int(r.HandN) {
		h := r.Hand[i]
		if h.known(v) {
			b.Hand = append(b.Hand, h.Card.Name())
		} else {
			backs[h.Card.Set()]++
		}
		known = known || h.Seen&^bit(seat) != 0
	}
	for set, n := range backs { // where a card lies among those that are known tells nothing
		for range n {
			b.Hand = append(b.Hand, "?"+setNames[set])
		}
	}
	if known && v == domain.Referee {
		for i := range int(r.HandN) {
			b.Known = append(b.Known, seenWord(r.Hand[i].Seen))
		}
	}
	return b
}

// names are the cards on a side of a town; an empty site before a card is "-", so that the
// place of each card stands.
func (t *Town) names(side int) (list []string) {
	last := -1
	for slot := range t.slots() {
		if t.Sites[side][slot] != NoCard {
			last = slot
		}
	}
	for slot := 0; slot <= last; slot++ {
		if c := t.Sites[side][slot]; c == NoCard {
			list = append(list, "-")
		} else {
			list = append(list, c.Name())
		}
	}
	return list
}

func viewTask(t *Task) TaskView {
	v := TaskView{Kind: taskNames[t.Kind], N: int(t.N), Site: int(t.Site), Arg: int(t.Arg), Mask: t.Mask, ID: int(t.ID)}
	if t.Seat >= 0 {
		v.Seat = t.Seat.Letter()
	}
	for res := range Res(resources) {
		if t.Res.has(res) {
			v.Goods = append(v.Goods, res.String())
		}
	}
	if t.Need.total() > 0 {
		for _, n := range t.Need {
			v.Need = append(v.Need, int(n))
		}
	}
	if t.Card != NoCard {
		v.Card = t.Card.Name()
	}
	return v
}
