package turn

import (
	"context"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events/desk"
)

// endingPart is how many of a table's events to read at once when looking for how its game was broken off: mostly it is
// the last event but one.
const endingPart = 40

// Ending tells who broke off a game, and why; it returns nothing for a game that was played to its end.
func (m *Maker) Ending(ctx context.Context, look desk.Look, lang string) ([]string, error) {
	t := look.Table
	if !t.IsOver() || t.End != domain.EndAgreed && t.End != domain.EndResigned {
		return nil, nil
	}
	printer, _, err := m.Printer(ctx, look, lang)
	if err != nil {
		return nil, err
	}
	var unnamed error
	name := func(id domain.PersonID) (who string) {
		who, unnamed = m.NameAt(ctx, printer, t, id)
		return who
	}
	proposed := t.End == domain.EndAgreed // find the proposal, which comes before the last consent
	for upTo := look.TableHead.Version; upTo > 0; upTo -= min(upTo, endingPart) {
		part, err := m.desk.TablePart(ctx, look.Name, upTo-min(upTo, endingPart), upTo)
		if err != nil {
			return nil, fmt.Errorf("how the game ended: %w", err)
		}
		for _, e := range slices.Backward(part) {
			if says := brokenOff(e.Event, proposed, name); says != nil {
				return printer.Lines(says), unnamed
			}
		}
	}
	return nil, nil
}

// brokenOff tells the event that broke off a game, if e is that event. For an end that people agreed to, that is the
// proposal.
func brokenOff(e domain.TableEvent, agreed bool, name func(domain.PersonID) string) []domain.Say {
	end := domain.S("table.ended." + string(domain.EndResigned))
	switch e := e.(type) {
	case *domain.Proposed:
		if agreed && e.End != "" {
			return []domain.Say{domain.S("table.stopped", "who", name(e.Proposal.By))}
		}
		if agreed && e.Proposal.Kind == domain.ProposeEnd {
			return []domain.Say{domain.S("table.stopped-agreed", "who", name(e.Proposal.By))}
		}
	case *domain.Resigned:
		if !agreed && e.End != "" {
			return []domain.Say{domain.S("table.resigned-last", "who", name(e.Person)), end}
		}
	case *domain.TimedOut:
		if !agreed && e.End != "" {
			return append(timed(e, nil), end)
		}
	}
	return nil
}
