// Package sketch plays on from a position of a running game as one seat knows it: "what if". What that
// seat does not know is dealt afresh with throw-away luck, so that a sketch tells nothing that its
// seat could not have thought of. A sketch is kept as moves in notation, and played again whenever it is
// looked at.
package sketch

import (
	"errors"
	"strings"

	"posthorn/domain"
	"posthorn/domain/script"
)

// The most lines of a sketch, moves of a line, and bytes of a line's name, of a move and of dictated chance.
const (
	MaxLines  = 20
	MaxPlies  = 200
	MaxName   = 60
	MaxMove   = 400
	MaxChance = 200
)

// Sketch is what somebody tries at one table.
type Sketch struct {
	Lines []Line `json:"lines"`
	Next  int    `json:"next"` // the number of the next line
	Last  int    `json:"last"` // the number of the line that was looked at or changed last
}

// Line is one way in which the game might go on from a version of one of the table's lines.
type Line struct {
	ID      int         `json:"id"` // stays, whatever becomes of other lines
	Name    string      `json:"name,omitempty"`
	Stream  string      `json:"stream"`
	Version uint64      `json:"version"`
	Seat    domain.Seat `json:"seat"` // that tries it: what it does not know is dealt afresh
	Luck    uint64      `json:"luck"`
	Plies   []Ply       `json:"plies,omitempty"`
}

// Ply is one move of a line.
type Ply struct {
	Seat   domain.Seat `json:"seat"`
	Move   string      `json:"move"`             // whole, seats by letter
	Chance string      `json:"chance,omitempty"` // dictated before it, outcomes with ";" between them
	Again  int         `json:"again,omitempty"`  // how often other luck was asked for
}

// Find gives a line by its number; nil if there is none.
func (s *Sketch) Find(id int) *Line {
	for i := range s.Lines {
		if s.Lines[i].ID == id {
			return &s.Lines[i]
		}
	}
	return nil
}

// Add takes in a line under the next number. Refused: "sketch-many".
func (s *Sketch) Add(l Line) (*Line, error) {
	if len(s.Lines) >= MaxLines {
		return nil, domain.Refuse("sketch-many", "n", MaxLines)
	}
	s.Next++
	l.ID = s.Next
	s.Lines = append(s.Lines, l)
	s.Last = l.ID
	return &s.Lines[len(s.Lines)-1], nil
}

// Drop forgets a line, if there is such a one.
func (s *Sketch) Drop(id int) {
	kept := s.Lines[:0]
	for _, l := range s.Lines {
		if l.ID != id {
			kept = append(kept, l)
		}
	}
	s.Lines = kept
	if s.Last == id {
		if s.Last = 0; len(kept) > 0 {
			s.Last = kept[len(kept)-1].ID
		}
	}
}

// Play puts a ply after the first at of a line, and gives the line where it now stands: this one if it
// ended there or went on with the same, or else a new one, so that nothing that was tried is lost.
func (s *Sketch) Play(l *Line, at int, p Ply) (*Line, error) {
	at = min(at, len(l.Plies))
	if s.Last = l.ID; at < len(l.Plies) && l.Plies[at].Same(p) {
		return l, nil
	}
	if at >= MaxPlies {
		return nil, domain.Refuse("sketch-long", "n", MaxPlies)
	}
	if at < len(l.Plies) {
		other := *l
		other.Name, other.Plies = "", append([]Ply(nil), l.Plies[:at]...)
		var err error
		if l, err = s.Add(other); err != nil {
			return nil, err
		}
	}
	l.Plies = append(l.Plies, p)
	return l, nil
}

// Same reports whether two plies are the same move after the same dictated chance.
func (p Ply) Same(q Ply) bool { return p.Seat == q.Seat && p.Move == q.Move && p.Chance == q.Chance }

// Begin makes a line of play a sketch's: what the sketching seat does not know is dealt afresh, and all
// its luck is throw-away luck. The line is changed; it must be a copy.
func (l *Line) Begin(line *domain.Line) {
	line.Luck = domain.NewThrowaway(l.Luck)
	luck := line.Luck.Begin()
	e := line.Rulebook.Blind(line.State, domain.ViewOf(l.Seat), luck)
	line.Rulebook.Evolve(line.State, &e)
	line.Luck.Count(luck.Used())
}

// Replay plays the plies of a sketch's line from one number up to another, from 0, where the line has come to
// the first of them, and shows each event, whole, once it is applied. It tells how far it came; the
// refusal is that of the first ply that cannot be played any more.
func (l *Line) Replay(line *domain.Line, from, to int, each func(Ply, *domain.Event)) (int, error) {
	for i := from; i < min(to, len(l.Plies)); i++ {
		e, err := l.Try(line, i, l.Plies[i])
		if err != nil {
			return i, err
		}
		line.Apply(&e)
		if each != nil {
			each(l.Plies[i], &e)
		}
	}
	return max(from, min(to, len(l.Plies))), nil
}

// Try judges the ply with a number, from 0, where the line has come to it. It changes nothing of the game.
func (l *Line) Try(line *domain.Line, i int, p Ply) (domain.Event, error) {
	if p.Again > 0 {
		line.Luck = domain.NewThrowaway(l.Luck + uint64(i+1)<<32 + uint64(p.Again)) // #nosec G115: both are small
	}
	for _, words := range strings.Split(p.Chance, ";") {
		if words = strings.TrimSpace(words); words == "" {
			continue
		}
		kind, rest, err := script.Chance(line.Rulebook, words)
		if err != nil {
			return domain.Event{}, domain.Refuse("sketch-chance", "text", words)
		}
		line.Luck.Dictate(kind, domain.Outcome{Words: rest})
	}
	m, err := line.Parse(p.Move, nil)
	if err != nil {
		return domain.Event{}, err
	}
	e, luck, err := line.Decide(p.Seat, m)
	if bad := (*domain.Impossible)(nil); errors.As(err, &bad) {
		err = domain.Refuse("sketch-chance", "text", bad.Words)
	}
	if err != nil {
		return e, err
	}
	line.Luck.Commit(luck)
	return e, nil
}
