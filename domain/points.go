package domain

import "slices"

// Points returns the scores or, once the game has ended, the final scores, which are official.
func (s Standing) Points() []int {
	if s.Ended {
		return slices.Clone(s.Final)
	}
	return slices.Clone(s.Scores)
}

// CountPoints adds to the event to be applied next the points that everybody may know after it, by entry of [Standing],
// so that a reader of the log knows them without the rules. It does not change the line. An event gets no points if its
// type has no name for events with points: see [EventType.Counted].
func (l *Line) CountPoints(e *Event) {
	e.Points = nil
	t := l.Rulebook.Codec().find(e.Type)
	if t == nil || t.CountedAs == "" {
		return
	}
	if after := l.Rulebook.Extras().PointsAfter; after != nil {
		e.Points = after(l.State, e)
		return
	}
	after := l.Rulebook.Clone(l.State)
	l.Rulebook.Evolve(after, e)
	e.Points = l.Rulebook.Standing(after, Spectator).Points()
}

// Counted returns the type with a second name, under which its events are logged once their points are counted: the
// same body, plus the points that everybody may know after the event.
func (t EventType) Counted(as string) EventType {
	t.CountedAs = as
	return t
}

// Name returns the type name under which an event is logged, without its rulebook's name.
func (c Codec) Name(e *Event) string {
	if e.Points == nil {
		return e.Type
	}
	if t := c.find(e.Type); t != nil && t.CountedAs != "" {
		return t.CountedAs
	}
	return e.Type
}
