package carcassonne

// The types of event ever released.
const (
	eventSetUp  = "set-up.v1" // the line's first event; body *SetUp
	eventPlayed = "played.v1" // a move and what followed; body *Played
	eventDealt  = "dealt.v1"  // what Blind makes; body *Dealt
)

// SetUp is the line's first event: the position play starts from, with the first tile drawn.
type SetUp struct {
	View View `json:"view"`
}

// Dealt deals afresh what a viewer does not know. In Carcassonne that is nothing: what is
// unknown is drawn when it is needed.
type Dealt struct{}

// Played is a turn and everything that followed from it.
type Played struct {
	By     Owner   // whose turn it was; in a solo game the colour
	Tile   TileID  // the tile placed
	X, Y   int     // where
	Turn   int     // its turn in degrees
	Placed *Stands // the figure placed, or nil
	// Scores are the features scored, in their order: an abbot called back first, then what
	// the tile completed.
	Scores []Score
	SetOff []TileID // tiles drawn next that fitted nowhere, set aside
	Next   TileID   // the tile drawn for the next turn, NoTile once the game is over
	NextBy Owner    // whose turn is next
	// Final is the final scoring, in its order. It is told with the last move, but is
	// not in the scores of the board.
	Final []Score
	// Stopped is set where the game ended because a follower had to be placed and none was
	// left (solo).
	Stopped bool
}

// Over tells whether the game ended with this turn.
func (p *Played) Over() bool { return p.Next == NoTile }

// Score is one feature scored, with its causes.
type Score struct {
	What     Kind // Road, City, Cloister, Garden, Field; Figure in a solo game's final scoring
	Recalled bool // the owner called an abbot back
	// X, Y and On name the feature: a tile of it, and its part as the tile lies.
	X, Y     int
	On       Place
	Tiles    int       // tiles counted; of a cloister or garden with itself
	Pennants int       // of a city
	Cities   int       // of a field: completed cities that it touches
	Worth    int       // what it pays
	Figures  []Posted  // everybody who stood in it; during play they go back to hand
	Points   []Awarded // who gets how much; empty where nobody does (solo: nobody was lowest)
}

// Posted is a figure and where it stood.
type Posted struct {
	Seat  Owner
	Abbot bool
	X, Y  int
	On    Place
}

// Awarded is points for an owner.
type Awarded struct {
	Seat   Owner
	Points int
}
