package domain

// Played is what a rewind must know of the main line: NewPlayed, and then Add for each event after
// the version that is gone back to.
type Played struct {
	Version uint64      // its head
	Ended   bool        // the game has come to its end
	First   uint64      // the earliest version that may be gone back to
	Draws   []PastDraw  // the draws after the version that is gone back to
	Cards   []PastCards // the hidden cards that came to light after it
	// Reshuffles tells that the game has something to shuffle anew for fresh luck: it is a [Reshuffler].
	Reshuffles bool
	// Dealt is the last version after the one that is gone back to that shuffled anew; 0 if there is
	// none. What came to light from there on cannot come again from before it.
	Dealt  uint64
	before bool // see Before
}

// Before is the same as programs knew it before hidden cards counted: they are in no proposal,
// draws that nobody saw do not come again, and fresh luck shuffles nothing. Records of that time are
// judged by it.
func (p Played) Before() Played {
	p.Cards, p.Reshuffles, p.Dealt, p.before = nil, false, 0, true
	return p
}

// PastDraw is a draw that was used on a line of the table.
type PastDraw struct {
	Draw
	Line string // whose event used it
	Seat Seat   // whose move
}

// PastCards is how many hidden cards a move brought to light.
type PastCards struct {
	Seat Seat // whose move
	N    int
}

// NewPlayed is the main line of a table as it stands, of which nothing is taken back yet.
func NewPlayed(t *Table, main *Line) Played {
	p := Played{Version: main.Version, Ended: len(main.Awaited()) == 0, First: 1, Reshuffles: main.Rulebook.Extras().Reshuffler != nil}
	if t.Branch != nil {
		p.First = t.Branch.Version + 1
	}
	return p
}

// Add notes an event of play, whole, that would be taken back: the line before it, and the line
// whose stream holds it.
func (p *Played) Add(before *Line, e *Event, line string) {
	for _, d := range e.Draws {
		p.Draws = append(p.Draws, PastDraw{Draw: d, Line: line, Seat: e.Seat})
	}
	if e.Anew {
		p.Dealt = before.Version + 1
		return
	}
	if r := before.Rulebook.Extras().Reshuffler; r != nil {
		if n := r.Uncovered(before.State, e); n > 0 {
			p.Cards = append(p.Cards, PastCards{Seat: e.Seat, N: n})
		}
	}
}

// Seen counts by seat what came to light, in the order of the seats' first draws, and then of
// their first cards.
func (p Played) Seen() []SeenDraws {
	var out []SeenDraws
	of := func(s Seat) *SeenDraws {
		for i := range out {
			if out[i].Seat == s {
				return &out[i]
			}
		}
		out = append(out, SeenDraws{Seat: s})
		return &out[len(out)-1]
	}
	for _, d := range p.Draws {
		if !d.Unseen {
			of(d.Seat).Draws++
		}
	}
	for _, c := range p.Cards {
		of(c.Seat).Cards += c.N
	}
	return out
}
