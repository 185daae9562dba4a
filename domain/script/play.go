package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"posthorn/domain"
)

// Result is what one move of a script came to.
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
}

// Play plays the script's moves in their order, one result a move. A refused move changes
// nothing and uses no chance, and play goes on. Luck draws what was not dictated; a script
// with a seed brings its own, and luck is not used.
//
// The error, always an *Error and always last, is a position or an outcome that cannot be.
func (s *Script) Play(luck *domain.Source) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		if s.Seed != nil {
			luck = domain.NewThrowaway(*s.Seed)
		}
		line, err := s.start(luck)
		if err != nil {
			yield(Result{}, err)
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
	e, used, err := line.Setup(domain.Game{Choices: s.Choices, Seats: len(s.Names), Given: s.Given})
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

// fault is an error at a line, or at the line of the dictated outcome that it is about.
func fault(line int, err error) *Error {
	var impossible *domain.Impossible
	if errors.As(err, &impossible) {
		return &Error{Line: impossible.Line, Err: impossible}
	}
	return &Error{Line: line, Err: err}
}

func (s *Script) play(line *domain.Line, m move) (Result, error) {
	r := Result{Line: m.line, Seat: m.seat, Name: s.Names[m.seat], Text: m.text, names: s.Names, rulebook: s.Rulebook}
	r.Event, r.Err = s.try(line, m)
	var impossible *domain.Impossible
	if errors.As(r.Err, &impossible) {
		return Result{}, fault(m.line, impossible)
	}
	r.Standing = s.Rulebook.Standing(line.State, domain.Referee)
	r.Awaited = line.Awaited()
	r.State = s.Rulebook.View(line.State, domain.Referee)
	return r, nil
}

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

// Sentence renders something to be said in a language.
type Sentence func(domain.Say) string

// AppendJSON appends the result as one line of JSON, without a line end. A refusal's reason
// is rendered by say; if say is nil it is the reason's code with its arguments.
func (r *Result) AppendJSON(dst []byte, say Sentence) ([]byte, error) {
	row := row{
		Line: r.Line, Seat: r.Name, OK: r.Err == nil, Error: r.Reason(say),
		Scores: listed(r.Standing.Scores), Final: listed(r.Standing.Final), Ended: r.Standing.Ended,
		Awaited: r.AwaitedNames(), State: r.State,
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(row); err != nil {
		return dst, fmt.Errorf("write the result of line %d: %w", r.Line, err)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}

// row is a result on its way out; the order of the keys is part of the form.
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
}

func listed(scores []int) []int {
	if scores == nil {
		return []int{}
	}
	return scores
}

// Reason says why a move was refused, "" if it was not.
func (r *Result) Reason(say Sentence) string {
	if r.Err == nil {
		return ""
	}
	if refusal, ok := domain.AsRefusal(r.Err); ok && say != nil {
		return say(refusal.Say())
	}
	return r.Err.Error()
}

// AwaitedNames lists the names of the seats that are awaited, each once, in the order in
// which the rulebook lists their decisions.
func (r *Result) AwaitedNames() []string {
	names := []string{}
	seen := map[domain.Seat]bool{}
	for _, o := range r.Awaited {
		if !seen[o.Seat] {
			seen[o.Seat] = true
			names = append(names, r.names[o.Seat])
		}
	}
	return names
}

// Told says what the move did, as the referee may know it; nothing if it was refused.
func (r *Result) Told() []domain.Say {
	if r.Event == nil {
		return nil
	}
	return r.rulebook.Tell(r.Event)
}
