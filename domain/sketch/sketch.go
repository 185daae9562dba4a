// Package sketch plays on from a position of a running game as one seat knows it: "what if". It deals afresh, with
// throw-away luck, what that seat does not know, so that a sketch reveals nothing that its seat could not have thought
// of. A sketch is stored as moves in notation, and played again whenever somebody looks at it.
package sketch

import (
	"cmp"
	"errors"
	"strings"

	"posthorn/domain"
	"posthorn/domain/script"
)

// The most lines of a sketch, moves of a line, and bytes of a line's name, a move and dictated chance.
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
	Last  int    `json:"last"` // the number of the line last viewed or changed
}

// Line is one way the game might go on from a version of one of the table's lines.
type Line struct {
	ID      int         `json:"id"` // stays the same, whatever happens to other lines
	Name    string      `json:"name,omitempty"`
	Stream  string      `json:"stream"`
	Version uint64      `json:"version"`
	Seat    domain.Seat `json:"seat"` // the seat that tries it: what it does not know is dealt afresh
	Luck    uint64      `json:"luck"`
	Plies   []Ply       `json:"plies,omitempty"`
}

// Ply is one move of a line.
type Ply struct {
	Seat   domain.Seat `json:"seat"`
	Move   string      `json:"move"`             // the whole move, seats by letter
	Chance string      `json:"chance,omitempty"` // dictated before it, outcomes with ";" between them
	Again  int         `json:"again,omitempty"`  // how often the person asked for other luck
	// Left is what the press that ended with it left: moves that wait until its seat has answered what is asked first.
	Left string `json:"left,omitempty"`
}

// Find returns a line by its number; nil if there is none.
func (s *Sketch) Find(id int) *Line {
	for i := range s.Lines {
		if s.Lines[i].ID == id {
			return &s.Lines[i]
		}
	}
	return nil
}

// Add adds a line under the next number. It refuses with "sketch-many" if there are too many.
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

// Drop removes a line, if it exists.
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

// Play puts a ply after the first at plies of a line, and returns the line that now holds it: this one if it ended
// there or went on with the same ply, otherwise a new one, so that nothing tried is lost.
func (s *Sketch) Play(l *Line, at int, p Ply) (*Line, error) {
	at = min(at, len(l.Plies))
	if s.Last = l.ID; at < len(l.Plies) && l.Plies[at].same(p) {
		l.Plies[at].Left = p.Left
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

// same reports whether two plies are the same move after the same dictated chance.
func (p Ply) same(q Ply) bool { return p.Seat == q.Seat && p.Move == q.Move && p.Chance == q.Chance }

// Begin turns a line of play into a sketch's: it deals afresh what the sketching seat does not know, and makes all luck
// throw-away. It changes the line, which must be a copy.
func (l *Line) Begin(line *domain.Line) {
	line.Luck = domain.NewThrowaway(l.Luck)
	luck := line.Luck.Begin()
	e := line.Rulebook.Blind(line.State, domain.ViewOf(l.Seat), luck)
	line.Rulebook.Evolve(line.State, &e)
	line.Luck.Count(luck.Used())
}

// Replay plays a sketch line's plies from one index up to another, counted from 0, on a line that has reached the first
// of them, and passes each whole event to each once it is applied. It returns how far it came, and the refusal of the
// first ply that can no longer be played.
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

// Press plays a seat's press in notation after the first at plies of a line, and then what an earlier press left there;
// the first move after dictated chance. The game is as the line begins. It returns the line that now holds the moves,
// as [Sketch.Play] does, and how many plies that has up to the last of them. It refuses a press of which nothing can be
// played.
func (s *Sketch) Press(l *Line, game *domain.Line, at int, seat domain.Seat, text, chance string) (*Line, int,
	domain.Pressed, error) {
	var p domain.Pressed
	if _, err := l.Replay(game, 0, at, nil); err != nil {
		return nil, 0, p, err
	}
	if left := l.Waiting(at, seat); left != "" {
		text += domain.PressSeparator + left
	}
	moves, err := domain.ReadPress(game.Rulebook, text, nil)
	if err != nil {
		return nil, 0, p, err
	}
	var plies []Ply
	next := func(n int) (*domain.Line, domain.Move, error) {
		if n == len(moves) {
			return nil, nil, nil
		}
		return game, moves[n], nil
	}
	p, err = domain.PlayPress(seat, game.Version, next, func(n int, m domain.Move) error {
		ply := Ply{Seat: seat, Move: game.Rulebook.FormatMove(m, nil), Chance: chance}
		e, err := l.Try(game, at+n, ply)
		if err == nil {
			game.Apply(&e)
			plies, chance = append(plies, ply), ""
		}
		return err
	})
	if err != nil || p.Made == 0 {
		return nil, 0, p, cmp.Or(err, p.Why)
	}
	if p.Left {
		plies[p.Made-1].Left = domain.WritePress(game.Rulebook, moves[p.Made:])
	}
	for _, ply := range plies {
		if l, err = s.Play(l, at, ply); err != nil {
			return nil, 0, p, err
		}
		at++
	}
	return l, at, p, nil
}

// Waiting returns what a press left that ended with the ply before i, counted from 0, if a seat is the one to go on.
func (l *Line) Waiting(i int, seat domain.Seat) string {
	if i == 0 || l.Plies[i-1].Seat != seat {
		return ""
	}
	return l.Plies[i-1].Left
}

// Try judges ply i, counted from 0, on a line that has reached it. It does not change the game.
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
