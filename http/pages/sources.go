package pages

import (
	"strings"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// What the points of a finished game come from is a bar for each player, as long as the points are many, with a part
// for each kind of thing.

// sourceBar is what an entry's points come from.
type sourceBar struct {
	Parts []barPart
	Said  string // the same in words
}

// barPart is what one kind brought. Where it begins, how wide it is and where its middle lies are hundredths of the
// longest bar.
type barPart struct {
	Kind, Points int
	X, W, Middle float64
}

// Wide reports whether there is room for the number.
func (p barPart) Wide() bool { return p.W >= 4 }

// bars gives each entry its bar, if it is known what the points come from.
func bars(sources []turn.Source, entries []score) {
	most := 1
	for _, e := range entries {
		most = max(most, e.Final)
	}
	for i := range entries {
		b, said, sum := &sourceBar{}, []string(nil), 0
		for kind, s := range sources {
			n := s.Points[entries[i].Entry]
			if n <= 0 {
				continue
			}
			at := func(n int) float64 { return float64(n) * 100 / float64(most) }
			b.Parts = append(b.Parts, barPart{Kind: kind, Points: n, X: at(sum), W: at(n), Middle: at(sum) + at(n)/2})
			said, sum = append(said, s.Name+": "+domain.Number(n)), sum+n
		}
		if len(b.Parts) > 0 {
			b.Said, entries[i].Bar = strings.Join(said, ", "), b
		}
	}
}

// barred adds what the points come from, and which moves brought most, to a page that shows the end of a game.
func (v pastPages) barred(g *gamePage) error {
	look, err := v.Look()
	if err != nil || !g.AtEnd() || !g.M.HasBoard() {
		return err
	}
	course, err := v.course(look, g.M)
	if err != nil {
		return err
	}
	g.Sources = course.Sources
	bars(course.Sources, g.Scores)
	var all []ranked
	for _, e := range g.Scores {
		all = append(all, v.ranked(e, e.Entry, g.M, course.Gains))
	}
	g.Decided = largest(all, mostDeciding)
	return nil
}
