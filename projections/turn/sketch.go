package turn

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/domain/sketch"
	"posthorn/events"
	"posthorn/events/desk"
)

// Sketched is a table as it would be after a line of somebody's sketch: nobody played any of it. What the sketching
// seat does not know was dealt afresh, so it reveals nothing about the table.
type Sketched struct {
	*Model
	Plies  []SketchedPly // of the whole line, as far as it is playable
	At     int           // how many plies the model comes after
	Whole  int           // how many plies the line has; more than Plies if one is no longer playable
	Broken string        // why that one is not; "" if all are
	Opens  []domain.Seat // who is asked something here, each listed once
	Luck   bool          // chance also decided the ply before At
	Chance []string      // the kinds of outcome that the reader may dictate here
	May    []domain.Form // what chance may bring next, to choose from
	// the orders that would make the sketching seat's first moves, up to the first move with no such order
	Orders []Order
	ByHand int // the number of that move, from 1; 0 if there is none
}

// SketchedPly is a move of a sketch, in words.
type SketchedPly struct {
	Happening
	Public string // the move as everybody may read it
	Chance string // the dictated outcome
	Luck   bool   // chance decided, too
}

// Sketch returns the table as it would be at plies into a sketch's line, as a seat would see it. For Nobody that is an
// asked seat, preferably the sketching one. It returns ErrNoStream if the line's stream is not one of the table's.
func (m *Maker) Sketch(ctx context.Context, look desk.Look, l *sketch.Line, at int, as domain.Seat,
	who Asker) (*Sketched, error) {
	line, err := m.Sketching(ctx, look, l)
	if err != nil {
		return nil, err
	}
	printer, names, people, err := m.called(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	t := look.Table
	s := &Sketched{Whole: len(l.Plies), Chance: look.Rulebook.ChanceKinds()}
	s.Model = &Model{Table: look.Name, Rulebook: t.Rulebook, Game: printer.Text("name"), Choices: t.Choices,
		Status: domain.TableStarted,
		me:     who.Person, zone: who.Zone, printer: printer, rulebook: look.Rulebook,
		Players: players(t, names, people, who.Person)}
	s.Title = title(printer, t, people)
	view := look.Rulebook.View(line.State, domain.Spectator)
	tell := func(line *domain.Line) func(sketch.Ply, *domain.Event) {
		return func(p sketch.Ply, e *domain.Event) {
			seen := e.Redact(domain.ViewOf(p.Seat))
			s.Plies = append(s.Plies, SketchedPly{Chance: p.Chance, Luck: len(e.Draws) > 0, Public: e.Move,
				Happening: Happening{Version: line.Version,
					Seat: p.Seat, Who: printer.Name(p.Seat), Move: p.Move,
					Sentences: printer.Lines(look.Rulebook.Tell(&seen, view))}})
			if len(s.Plies) <= at {
				s.marks = []*domain.Event{&seen}
			}
		}
	}
	at, err = s.play(line, l, 0, at, names, tell(line))
	if rest := line.Clone(); err == nil {
		_, err = s.play(rest, l, at, len(l.Plies), names, tell(rest))
	}
	if r, ok := domain.AsRefusal(err); ok {
		s.Broken = printer.Say(r.Say())
	} else if err != nil {
		return nil, err
	}
	if s.At = at; s.At > 0 {
		s.Luck = s.Plies[s.At-1].Luck
		s.Since = []Happening{s.Plies[s.At-1].Happening}
	}
	s.Line, s.Version = look.LineName, line.Version
	s.as(line, l.Seat, as)
	if outcomes := s.rulebook.Extras().Outcomes; outcomes != nil && s.Decision != nil {
		s.May = outcomes(s.view)
	}
	return s, nil
}

// play plays some plies of a line, and finds the orders that would make its seat's own moves.
func (s *Sketched) play(line *domain.Line, l *sketch.Line, from, to int, names []string,
	each func(sketch.Ply, *domain.Event)) (int, error) {
	for i := from; i < min(to, len(l.Plies)); i++ {
		order, own := "", l.Plies[i].Seat == l.Seat
		if own {
			order = s.order(line, l, i)
		}
		if _, err := l.Replay(line, i, i+1, each); err != nil {
			return i, err
		}
		switch rb := s.rulebook.Extras().Orders; {
		case !own || rb == nil || s.ByHand > 0:
		case order == "":
			s.ByHand = i + 1
		case !slices.ContainsFunc(s.Orders, func(o Order) bool { return o.Text == order }):
			s.Orders = append(s.Orders, Order{order, rb.ShowOrder(order, names),
				s.printer.Lines(rb.TellOrder(order, s.rulebook.View(line.State, domain.ViewOf(l.Seat))))})
		}
	}
	return max(from, min(to, len(l.Plies))), nil
}

// order returns the standing order that makes exactly a ply's move, at the line's current point; "" if none does.
func (s *Sketched) order(line *domain.Line, l *sketch.Line, i int) string {
	rb := s.rulebook.Extras().Orders
	m, err := line.Parse(l.Plies[i].Move, nil)
	if rb == nil || err != nil || s.ByHand > 0 {
		return ""
	}
	view := s.rulebook.View(line.State, domain.ViewOf(l.Seat))
	for _, o := range line.Awaited() {
		if o.Seat != l.Seat {
			continue
		}
		if order := rb.OrderFor(m, o.Decision, view); order != "" {
			if does, ok := rb.Obey([]string{order}, o.Decision, view); ok && does.Move == m {
				return order
			}
		}
	}
	return ""
}

// Sketching returns the line of play at which a sketch's line begins: a copy with nothing that the sketching seat does
// not know.
func (m *Maker) Sketching(ctx context.Context, look desk.Look, l *sketch.Line) (*domain.Line, error) {
	name, err := events.ParseName(l.Stream)
	if err != nil {
		return nil, events.ErrNoStream
	}
	line, err := m.desk.LineAt(ctx, look, name, l.Version)
	if err != nil {
		return nil, err
	}
	l.Begin(line)
	return line, nil
}

// as makes the model a seat's own.
func (s *Sketched) as(line *domain.Line, own, as domain.Seat) {
	s.at(line)
	open := line.Awaited()
	for _, o := range open {
		if !slices.Contains(s.Opens, o.Seat) {
			s.Opens = append(s.Opens, o.Seat)
		}
		s.Players[o.Seat].Awaited = true
	}
	switch {
	case slices.Contains(s.Opens, as):
	case len(open) == 0 || slices.Contains(s.Opens, own):
		as = own
	default:
		as = open[0].Seat
	}
	if len(open) == 0 {
		s.Status = domain.TableEnded
	}
	s.Seat, s.Viewer = as, domain.ViewOf(as)
	for i := range open {
		if open[i].Seat == as && s.Decision == nil {
			s.Decision = &open[i]
			s.choices(line)
		}
	}
	s.show(line, s.Viewer)
}
