package carcassonne

import (
	"strconv"

	"posthorn/domain"
)

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
	By     Owner   `json:"by"`   // whose turn it was; in a solo game the colour
	Tile   TileID  `json:"tile"` // the tile placed
	X      int     `json:"x"`
	Y      int     `json:"y"`
	Turn   int     `json:"turn"`             // its turn in degrees
	Placed *Stands `json:"placed,omitempty"` // the figure placed, or nil
	// Scores are the features scored, in their order: an abbot called back first, then what
	// the tile completed.
	Scores []Score  `json:"scores,omitempty"`
	SetOff []TileID `json:"set_off,omitempty"` // tiles drawn next that fitted nowhere, set aside
	Next   TileID   `json:"next"`              // the tile drawn for the next turn, NoTile once the game is over
	NextBy Owner    `json:"next_by"`           // whose turn is next
	Piles  []int    `json:"piles,omitempty"`   // of a solo game: what each colour's pile holds then
	// Final is the final scoring, in its order. It is told with the last move, but is
	// not in the scores of the board.
	Final []Score `json:"final,omitempty"`
	// Stopped is set where the game ended because a follower had to be placed and none was
	// left (solo).
	Stopped bool `json:"stopped,omitempty"`
}

// Over tells whether the game ended with this turn.
func (p *Played) Over() bool { return p.Next == NoTile }

// Score is one feature scored, with its causes.
type Score struct {
	What     Kind `json:"what"`               // Road, City, Cloister, Garden, Field; Figure in a solo game's final scoring
	Recalled bool `json:"recalled,omitempty"` // the owner called an abbot back
	// X, Y and On name the feature: a tile of it, and its part as the tile lies.
	X        int       `json:"x"`
	Y        int       `json:"y"`
	On       Place     `json:"on"`
	Tiles    int       `json:"tiles,omitempty"`    // tiles counted; of a cloister or garden with itself
	Pennants int       `json:"pennants,omitempty"` // of a city
	Cities   int       `json:"cities,omitempty"`   // of a field: completed cities that it touches
	Worth    int       `json:"worth"`              // what it pays
	Figures  []Posted  `json:"figures"`            // everybody who stood in it; during play they go back to hand
	Points   []Awarded `json:"points,omitempty"`   // who gets how much; empty where nobody does
}

// Posted is a figure and where it stood.
type Posted struct {
	Seat  Owner `json:"seat"`
	Abbot bool  `json:"abbot,omitempty"`
	X     int   `json:"x"`
	Y     int   `json:"y"`
	On    Place `json:"on"`
}

// Awarded is points for an owner.
type Awarded struct {
	Seat   Owner `json:"seat"`
	Points int   `json:"points"`
}

var _ domain.Appender = (*Played)(nil)

// AppendJSON writes what encoding/json would, without reflection: a turn is encoded at every
// move of a simulation.
func (p *Played) AppendJSON(dst []byte) []byte {
	dst = appendOwner(append(dst, `{"by":`...), p.By)
	dst = appendTile(append(dst, `,"tile":`...), p.Tile)
	dst = appendXY(dst, p.X, p.Y)
	dst = strconv.AppendInt(append(dst, `,"turn":`...), int64(p.Turn), 10)
	if p.Placed != nil {
		dst = appendOwner(append(dst, `,"placed":{"seat":`...), p.Placed.Seat)
		dst = append(appendOn(dst, p.Placed.Abbot, p.Placed.On), '}')
	}
	dst = appendScores(dst, `,"scores":[`, p.Scores)
	if len(p.SetOff) > 0 {
		dst = append(dst, `,"set_off":`...)
		for i, id := range p.SetOff {
			dst = appendTile(append(dst, listMark(i)), id)
		}
		dst = append(dst, ']')
	}
	dst = appendTile(append(dst, `,"next":`...), p.Next)
	dst = appendOwner(append(dst, `,"next_by":`...), p.NextBy)
	if len(p.Piles) > 0 {
		dst = append(dst, `,"piles":`...)
		for i, n := range p.Piles {
			dst = strconv.AppendInt(append(dst, listMark(i)), int64(n), 10)
		}
		dst = append(dst, ']')
	}
	dst = appendScores(dst, `,"final":[`, p.Final)
	if p.Stopped {
		dst = append(dst, `,"stopped":true`...)
	}
	return append(dst, '}')
}

func listMark(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}

func appendScores(dst []byte, key string, list []Score) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(dst, key...)
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = list[i].append(dst)
	}
	return append(dst, ']')
}

func (x *Score) append(dst []byte) []byte {
	dst = append(append(append(dst, `{"what":"`...), x.What.String()...), '"')
	if x.Recalled {
		dst = append(dst, `,"recalled":true`...)
	}
	dst = appendXY(dst, x.X, x.Y)
	dst = append(x.On.append(append(dst, `,"on":"`...)), '"')
	for _, n := range [...]struct {
		key string
		n   int
	}{{`,"tiles":`, x.Tiles}, {`,"pennants":`, x.Pennants}, {`,"cities":`, x.Cities}} {
		if n.n != 0 {
			dst = strconv.AppendInt(append(dst, n.key...), int64(n.n), 10)
		}
	}
	dst = strconv.AppendInt(append(dst, `,"worth":`...), int64(x.Worth), 10)
	dst = append(dst, `,"figures":`...)
	for i := range x.Figures {
		f := &x.Figures[i]
		dst = appendOwner(append(append(dst, listMark(i)), `{"seat":`...), f.Seat)
		if f.Abbot {
			dst = append(dst, `,"abbot":true`...)
		}
		dst = append(appendOn(appendXY(dst, f.X, f.Y), false, f.On), '}')
	}
	dst = append(dst, ']')
	if len(x.Points) > 0 {
		dst = append(dst, `,"points":`...)
		for i, a := range x.Points {
			dst = appendOwner(append(append(dst, listMark(i)), `{"seat":`...), a.Seat)
			dst = append(strconv.AppendInt(append(dst, `,"points":`...), int64(a.Points), 10), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendXY(dst []byte, x, y int) []byte {
	dst = strconv.AppendInt(append(dst, `,"x":`...), int64(x), 10)
	return strconv.AppendInt(append(dst, `,"y":`...), int64(y), 10)
}

func appendOn(dst []byte, abbot bool, on Place) []byte {
	if abbot {
		dst = append(dst, `,"abbot":true`...)
	}
	return append(on.append(append(dst, `,"on":"`...)), '"')
}

func appendOwner(dst []byte, o Owner) []byte { return append(dst, '"', byte('A'+o), '"') }

func appendTile(dst []byte, id TileID) []byte {
	return append(append(append(dst, '"'), id.String()...), '"')
}
