package state

import (
	"errors"

	"posthorn/domain"
	"posthorn/domain/carcassonne/table"
	"posthorn/domain/kit"
)

// Codec lists the event types.
func (Room) Codec() domain.Codec {
	return domain.Codec{Types: []domain.EventType{
		kit.Type[SetUp](EventSetUp).Counted("set-up.v2"), kit.Type[Played](EventPlayed).Counted("played.v2"),
		kit.NothingDealt,
	}}
}

// All event types ever released.
const (
	EventSetUp  = "set-up.v1" // the line's first event; body *SetUp
	EventPlayed = "played.v1" // a move and what followed; body *Played
)

// SetUp is the line's first event: the position at which play starts, with the first tile drawn.
type SetUp struct {
	View View `json:"view"`
}

// Played is a turn and everything that followed from it.
type Played struct {
	By     Owner        `json:"by"`   // whose turn it was; in a solo game the colour
	Tile   table.TileID `json:"tile"` // the tile placed
	X      int          `json:"x"`
	Y      int          `json:"y"`
	Turn   int          `json:"turn"`             // its turn in degrees
	Placed *Stands      `json:"placed,omitempty"` // the figure placed, or nil
	// Scores are the features scored, in order: a recalled abbot first, then what the tile completed.
	Scores []Score        `json:"scores,omitempty"`
	SetOff []table.TileID `json:"set_off,omitempty"` // tiles drawn next that fitted nowhere and were set aside
	Next   table.TileID   `json:"next"`              // the tile drawn for the next turn, "" once the game is over
	NextBy Owner          `json:"next_by"`           // whose turn is next
	Piles  []int          `json:"piles,omitempty"`   // in a solo game: what each colour's pile then holds
	// Final is the final scoring, in order. It comes with the last move, but is not in the board's scores.
	Final []Score `json:"final,omitempty"`
	// Stopped is true if the game ended because a player had to place a follower and had none left (solo).
	Stopped bool `json:"stopped,omitempty"`
}

// Over reports whether the game ended with this turn.
func (p *Played) Over() bool { return p.Next == table.NoTile }

// Score is one feature scored, with its causes.
type Score struct {
	// Road, City, Cloister, Garden, Field; Figure in a solo game's final scoring
	What     table.Kind `json:"what"`
	Recalled bool       `json:"recalled,omitempty"` // the owner recalled an abbot
	// X, Y and On name the feature: a tile of it, and its part as the tile lies.
	X        int         `json:"x"`
	Y        int         `json:"y"`
	On       table.Place `json:"on"`
	Tiles    int         `json:"tiles,omitempty"`    // tiles counted; a cloister or garden counts itself
	Pennants int         `json:"pennants,omitempty"` // of a city
	Cities   int         `json:"cities,omitempty"`   // of a field: completed cities that it touches
	Worth    int         `json:"worth"`              // what it pays
	Figures  []Posted    `json:"figures"`            // everybody who stood in it; during play they return to hand
	Points   []Awarded   `json:"points,omitempty"`   // who gets how much; empty if nobody does
}

// Posted is a figure and where it stood.
type Posted struct {
	Seat  Owner       `json:"seat"`
	Abbot bool        `json:"abbot,omitempty"`
	X     int         `json:"x"`
	Y     int         `json:"y"`
	On    table.Place `json:"on"`
}

// Awarded is points for an owner.
type Awarded struct {
	Seat   Owner `json:"seat"`
	Points int   `json:"points"`
}

// errOdd rejects an event that no turn or set-up makes.
var errOdd = errors.New("it names a tile, an owner or a part that there is not")

// farAway is farther from the first tile than all tiles in a row would reach.
const farAway = 2 * table.MaxTiles

func tileFits(id table.TileID, x, y, turn int) bool {
	return int(id) < table.TileKinds && turn >= 0 && turn < 360 && turn%90 == 0 && max(x, -x, y, -y) <= farAway
}

// Check implements domain.Checker.
func (p *Played) Check(*domain.Event) error {
	fits := tileFits(p.Tile, p.X, p.Y, p.Turn) && int(p.By) < table.MaxOwners && int(p.NextBy) < table.MaxOwners &&
		len(p.Piles) <= table.MaxOwners &&
		len(p.SetOff) <= table.MaxTiles && (p.Next == table.NoTile || int(p.Next) < table.TileKinds)
	for _, id := range p.SetOff {
		fits = fits && int(id) < table.TileKinds
	}
	for i := range p.Scores {
		for _, f := range p.Scores[i].Figures {
			fits = fits && int(f.Seat) < table.MaxOwners
		}
		for _, a := range p.Scores[i].Points {
			fits = fits && int(a.Seat) < table.MaxOwners
		}
	}
	if !fits || p.Placed != nil &&
		(int(p.Placed.Seat) >= table.MaxOwners || part(p.Tile, uint8(p.Turn/90), p.Placed) < 0) {
		return errOdd
	}
	return nil
}

// Check implements domain.Checker.
func (b *SetUp) Check(*domain.Event) error {
	v, owners := &b.View, len(b.View.Scores)
	fits := owners >= 1 && owners <= table.MaxOwners && len(v.Followers) == owners && len(v.Abbots) == owners &&
		(len(v.Piles) == 0 || len(v.Piles) == owners) &&
		int(v.ToMove) < owners && (v.Tile == table.NoTile && v.Phase == PhaseOver || int(v.Tile) < table.TileKinds) &&
		len(v.Tiles) <= table.MaxTiles && len(v.SetAside) <= table.MaxTiles
	if c := table.ChoicesOf(v.Options, owners); c.Solo {
		fits = fits && len(v.Piles) == owners && int(c.Owners) == owners
	}
	for i := range v.Tiles {
		t := &v.Tiles[i]
		fits = fits && tileFits(t.Tile, t.X, t.Y, t.Turn) && len(t.Figures) <= table.MaxOwners
	}
	if !fits || !new(State).load(v) {
		return errOdd
	}
	return nil
}
