package domain

import "slices"

// Points belong to a rulebook that can tell the public points after an event for less than a copy of the state costs.
type Points interface {
	// PointsAfter are the points that everybody may know once an event is applied to a state, which it leaves as it
	// is: those of the spectator's [Standing] then.
	PointsAfter(s State, e *Event) []int
}

// Points are the scores, or once the game has ended the final ones, which are official.
func (s Standing) Points() []int {
	if s.Ended {
		return slices.Clone(s.Final)
	}
	return slices.Clone(s.Scores)
}

// CountPoints puts into an event that is to be applied next the points that everybody may know after it, by the
// entries of a [Standing], so that whoever reads the log knows them without the rules. It changes nothing of the
// line. An event whose type has no name to be logged under with its points has none: see [EventType.Counted].
func (l *Line) CountPoints(e *Event) {
	e.Points = nil
	t := l.Rulebook.Codec().find(e.Type)
	if t == nil || t.CountedAs == "" {
		return
	}
	if p := l.Rulebook.Extras().Points; p != nil {
		e.Points = p.PointsAfter(l.State, e)
		return
	}
	after := l.Rulebook.Clone(l.State)
	l.Rulebook.Evolve(after, e)
	e.Points = l.Rulebook.Standing(after, Spectator).Points()
}

// Counted is the type with another one beside it, under which its events are logged once their points are
// counted: the same body, and the points that everybody may know after the event.
func (t EventType) Counted(as string) EventType {
	t.CountedAs = as
	return t
}

// Name is the name of the type that an event is logged under, without its rulebook's.
func (c Codec) Name(e *Event) string {
	if e.Points == nil {
		return e.Type
	}
	if t := c.find(e.Type); t != nil && t.CountedAs != "" {
		return t.CountedAs
	}
	return e.Type
}
