package carcassonne

import (
	"encoding/json"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Setup makes a line's first event: the start tile or the spring (S1, preparation and the
// river), or the position that was given, and the first tile drawn.
func (rulesRoom) Setup(g domain.Game, luck *domain.Luck) (domain.Event, error) {
	o, err := domain.Complete(tableRoom, g.Choices)
	if err != nil {
		return domain.Event{}, err
	}
	least, most := tableRoom.Seats(o)
	if g.Seats < least || g.Seats > most {
		return domain.Event{}, domain.Refuse("seats", "least", least, "most", most, "n", g.Seats)
	}
	c := choicesOf(o, g.Seats)
	first := Owner(g.First)
	if c.solo || first < 0 || first >= Owner(c.owners) {
		first = 0
	}
	s, err := c.given(g.Given, first)
	if err != nil {
		return domain.Event{}, err
	}
	if s.current == NoTile && !s.over {
		k := stack{bag: s.bag, nLand: s.nLand, nRiver: s.nRiver, piles: s.piles}
		aside, next, by := s.draw(&k, s.toMove, luck, nil)
		s.nAside += uint8(copy(s.aside[s.nAside:], aside))
		s.bag, s.nLand, s.nRiver, s.piles = k.bag, k.nLand, k.nRiver, k.piles
		s.current, s.toMove, s.over = next, by, next == NoTile
	}
	return domain.Event{Type: eventSetUp, Body: &SetUp{View: *s.view()}}, nil
}

// start is the position every game begins with: one tile, full hands, no points; in a solo
// game one to four points, by the order of the colours (S0, preparation; point 51).
func (c *choices) start(first Owner) *State {
	s := &State{choices: *c, current: NoTile, toMove: first, turn: 1, ready: true}
	for o := range c.owners {
		s.hand[o] = c.hand
		if c.abbot {
			s.abbotsHome[o] = 1
		}
		if c.solo {
			s.scores[o] = int32(o) + 1
		}
	}
	s.bag = c.fullBag()
	return s
}

// firstTile lays the start tile, or the spring. With the river the start tile stays in the
// box, or goes into the bag with the others (point 43: both are played).
func (s *State) firstTile() {
	id := startTile
	if s.river {
		id = spring
	}
	s.put(id, 0, 0, 0)
	s.bag[id]--
}

// boxStartTile leaves one start tile out of a game with the river.
func (s *State) boxStartTile() {
	if s.river && !s.startInBag && s.bag[startTile] > 0 {
		s.bag[startTile]--
	}
}

// deal divides what is left into piles as even as can be, whoever draws next first: 24, 24
// and 23 of the 71 of a whole game (S0, preparation; point 52), or 18, 18, 18 and 17.
func (s *State) deal() {
	next := s.toMove
	if s.current != NoTile {
		next = s.after(next)
	}
	for i := range s.owners {
		s.piles[next] = (s.nLand + s.owners - 1 - i) / s.owners
		next = s.after(next)
	}
}

// View is the same for everybody.
func (stateRoom) View(s *State, _ domain.Viewer) *View { return s.view() }

// Codec lists the types of event.
func (stateRoom) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		kit.Type[SetUp](eventSetUp), kit.Type[Played](eventPlayed), kit.NothingDealt,
	}}
}

func (s *State) view() *View {
	counts := make([]int, 4*s.owners)
	v := &View{
		Options: s.asChoices(), Phase: s.phase(), Turn: int(s.turn), ToMove: s.toMove, Tile: s.current,
		Tiles: make([]ViewTile, s.nTiles), Remaining: s.bag,
		SetAside: append([]TileID{}, s.aside[:s.nAside]...), Piles: []int{},
	}
	for i := range v.Tiles {
		t := &s.tiles[i]
		v.Tiles[i] = ViewTile{Tile: t.id, X: int(t.x), Y: int(t.y), Turn: 90 * int(t.turn)}
	}
	for i := range s.figures[:s.nFigures] {
		f := &s.figures[i]
		t := &v.Tiles[f.tile]
		t.Figures = append(t.Figures, Stands{Seat: f.owner, Abbot: f.abbot, On: s.posted(f).On})
	}
	n := int(s.owners)
	v.Scores, v.Followers, v.Abbots = counts[:n:n], counts[n:2*n:2*n], counts[2*n:3*n:3*n]
	if s.solo {
		v.Piles = counts[3*n:]
	}
	for o := range n {
		v.Scores[o], v.Followers[o], v.Abbots[o] = int(s.scores[o]), int(s.hand[o]), int(s.abbotsHome[o])
		if s.solo {
			v.Piles[o] = int(s.piles[o])
		}
	}
	return v
}

func (s *State) phase() Phase {
	switch {
	case s.over:
		return PhaseOver
	case s.current != NoTile && shapes[s.current].set != Base:
		return PhaseRiver
	}
	return PhaseLand
}

// load makes the state that a view shows: what is in it was judged when the event was made. It
// tells whether it can be, with a place for every tile and an owner for every figure; what
// cannot is left out.
func (s *State) load(v *View) bool {
	whole := true
	*s = State{}
	s.choices, s.current, s.toMove = choicesOf(v.Options, len(v.Scores)), v.Tile, v.ToMove
	s.ready, s.over, s.turn, s.bag = true, v.Phase == PhaseOver, uint16(v.Turn), v.Remaining
	s.nLand, s.nRiver = s.bag.sums()
	for o := range v.Scores {
		s.hand[o], s.abbotsHome[o] = fullHand, 1
	}
	for i := range v.Tiles {
		t := &v.Tiles[i]
		if !s.lies(t.Tile, uint8(t.Turn/90), int16(t.X), int16(t.Y)) {
			whole = false
			continue
		}
		s.put(t.Tile, uint8(t.Turn/90), int16(t.X), int16(t.Y))
		for k := range t.Figures {
			if !s.posts(&t.Figures[k]) {
				whole = false
				continue
			}
			s.post(int(s.nTiles)-1, &t.Figures[k])
		}
	}
	for o := range v.Scores {
		s.scores[o] = int32(v.Scores[o])
		s.hand[o], s.abbotsHome[o] = uint8(v.Followers[o]), uint8(v.Abbots[o])
		if s.solo {
			s.piles[o] = uint8(v.Piles[o])
		}
	}
	s.nAside = uint8(copy(s.aside[:], v.SetAside))
	return whole
}

// givenView is a View of which anything may be missing.
type givenView struct {
	Options   domain.Choices `json:"options"`
	Phase     *Phase         `json:"phase"`
	Turn      *int           `json:"turn"`
	ToMove    *Owner         `json:"to_move"`
	Tile      *TileID        `json:"tile"`
	Tiles     []ViewTile     `json:"tiles"`
	Scores    []int          `json:"scores"`
	Followers []int          `json:"followers"`
	Abbots    []int          `json:"abbots"`
	Remaining *Counts        `json:"remaining"`
	SetAside  []TileID       `json:"set_aside"`
	Piles     []int          `json:"piles"`
}

func readGiven(raw json.RawMessage) (*givenView, error) {
	g := &givenView{}
	if len(raw) == 0 {
		return g, nil
	}
	return g, kit.Given(raw, givenSchema, g)
}
