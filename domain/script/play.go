package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"posthorn/domain"
)

// Result is the result of one move of a script.
type Result struct {
	Line     int
	Seat     domain.Seat
	Name     string        // of the seat
	Text     string        // the move as the script has it
	Err      error         // why it was refused; nil if it was played
	Event    *domain.Event // what it did; nil if refused
	Standing domain.Standing
	Awaited  []domain.Open
	State    domain.View // the referee's

	names    []string
	rulebook domain.Rulebook
	line     *domain.Line // the line after this result, valid until the next
	viewer   domain.Viewer
}

// Play plays the script's moves in order and yields one result per move; a script without moves yields one result, its
// position. A refused move changes nothing and uses no chance, and play goes on. Luck draws what was not dictated; a
// script with a seed brings its own, and then luck is not used.
//
// An error is always an *Error and always last: the position or an outcome is impossible.
func (s *Script) Play(luck *domain.Source) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		if s.Seed != nil {
			luck = domain.NewThrowaway(*s.Seed)
		}
		if s.Luck != nil {
			luck = domain.NewSource(*s.Luck)
			for _, a := range s.again {
				luck.TakeOver(a.Purpose, a.K, a.Key)
			}
		}
		line, err := s.start(luck)
		if err != nil {
			yield(Result{}, err)
			return
		}
		if len(s.moves) == 0 {
			r := Result{Line: s.lines.last, Seat: domain.Nobody, names: s.Names, rulebook: s.Rulebook, line: line}
			r.As(domain.Referee)
			yield(r, nil)
			return
		}
		for _, m := range s.moves {
			r, err := s.play(line, m)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (s *Script) start(luck *domain.Source) (*domain.Line, error) {
	for _, c := range s.chance {
		luck.Dictate(c.kind, c.Outcome)
	}
	line := domain.NewLine(s.Rulebook, luck)
	first := domain.Seat(0)
	if s.Luck != nil {
		first = domain.Nobody // luck decides who begins, as at a table
	}
	e, used, err := line.Setup(domain.Game{Choices: s.Choices, Seats: len(s.Names), First: first, Given: s.Given})
	if err != nil {
		at := s.lines.game
		if s.Given != nil {
			at = s.lines.given
		}
		return nil, fault(at, fmt.Errorf("the position cannot be set up: %w", err))
	}
	line.Luck.Commit(used)
	line.Apply(&e)
	return line, nil
}

// fault returns an error at a line, or at the line of the dictated outcome that caused it.
func fault(line int, err error) *Error {
	var impossible *domain.Impossible
	if errors.As(err, &impossible) {
		return &Error{Line: impossible.Line, Err: impossible}
	}
	return &Error{Line: line, Err: err}
}

func (s *Script) play(line *domain.Line, m move) (Result, error) {
	r := Result{Line: m.line, Seat: m.seat, Name: s.Names[m.seat], Text: m.text, names: s.Names, rulebook: s.Rulebook,
		line: line}
	r.Event, r.Err = s.try(line, m)
	var impossible *domain.Impossible
	if errors.As(r.Err, &impossible) {
		return Result{}, fault(m.line, impossible)
	}
	r.As(domain.Referee)
	return r, nil
}

// As limits the result to what a viewer may see: the position, the scores, what is told, and the move, which others see
// only in its public form. It is valid until the next result.
func (r *Result) As(viewer domain.Viewer) {
	r.viewer = viewer
	r.Standing = r.rulebook.Standing(r.line.State, viewer)
	r.Awaited = r.line.Awaited()
	r.State = r.rulebook.View(r.line.State, viewer)
	if viewer == domain.Referee || viewer.Seat() == r.Seat {
		return
	}
	switch {
	case r.Event != nil:
		r.Text = r.Event.Move
	case r.Err != nil:
		r.Text = "?"
	}
}

// Legal holds the legal moves of an awaited seat.
type Legal struct {
	Name  string
	Moves []string
}

// LegalMoves lists the legal moves after the result, in notation, by awaited seat: only the viewer's if As chose one.
// It is valid until the next result.
func (r *Result) LegalMoves() (list []Legal) {
	for _, seat := range r.awaitedSeats() {
		if r.viewer != domain.Referee && r.viewer.Seat() != seat {
			continue
		}
		l := Legal{Name: r.names[seat]}
		for m := range r.rulebook.Legal(r.line.State, seat) {
			l.Moves = append(l.Moves, r.rulebook.FormatMove(m, r.names))
		}
		list = append(list, l)
	}
	return list
}

// Describe says the position in words, as the viewer may know it.
func (r *Result) Describe() domain.Description { return r.rulebook.Describe(r.State) }

func (s *Script) try(line *domain.Line, m move) (*domain.Event, error) {
	mv, err := line.Parse(m.text, s.Names)
	if err != nil {
		return nil, err
	}
	e, used, err := line.Decide(m.seat, mv)
	if err != nil {
		return nil, err
	}
	line.Luck.Commit(used)
	line.Apply(&e)
	return &e, nil
}

// Sentence renders a Say in a language.
type Sentence func(domain.Say) string

// AppendJSON appends the result as one line of JSON, without a line end. It renders a refusal's reason with say; if say
// is nil, the reason is its code with its arguments. The legal moves of the given seats, if any, follow as one list.
func (r *Result) AppendJSON(dst []byte, say Sentence, legal ...Legal) ([]byte, error) {
	row := row{
		Line: r.Line, Seat: r.Name, OK: r.Err == nil, Error: r.Reason(say),
		Scores: append([]int{}, r.Standing.Scores...), Final: append([]int{}, r.Standing.Final...),
		Ended:   r.Standing.Ended,
		Awaited: r.AwaitedNames(), State: r.State,
	}
	for _, l := range legal {
		row.Legal = append(row.Legal, l.Moves...)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(row); err != nil {
		return dst, fmt.Errorf("write the result of line %d: %w", r.Line, err)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}

// row is a result as written; the order of the keys is part of the format.
type row struct {
	Line    int         `json:"line"`
	Seat    string      `json:"seat"`
	OK      bool        `json:"ok"`
	Error   string      `json:"error,omitempty"`
	Scores  []int       `json:"scores"`
	Final   []int       `json:"final"`
	Ended   bool        `json:"ended"`
	Awaited []string    `json:"awaited"`
	State   domain.View `json:"state"`
	Legal   []string    `json:"legal,omitempty"`
}

// Reason returns why a move was refused, "" if it was not.
func (r *Result) Reason(say Sentence) string {
	if r.Err == nil {
		return ""
	}
	if refusal, ok := domain.AsRefusal(r.Err); ok && say != nil {
		return say(refusal.Say())
	}
	return r.Err.Error()
}

// AwaitedNames lists the names of the awaited seats, each once, in the order in which the rulebook lists their
// decisions.
func (r *Result) AwaitedNames() []string {
	names := []string{}
	for _, seat := range r.awaitedSeats() {
		names = append(names, r.names[seat])
	}
	return names
}

func (r *Result) awaitedSeats() (list []domain.Seat) {
	for _, o := range r.Awaited {
		if !slices.Contains(list, o.Seat) {
			list = append(list, o.Seat)
		}
	}
	return list
}

// Told returns what the move did, as the viewer may know it; nothing if it was refused.
func (r *Result) Told() []domain.Say {
	if r.Event == nil {
		return nil
	}
	e := r.Event.Redact(r.viewer)
	return r.rulebook.Tell(&e, r.State)
}
