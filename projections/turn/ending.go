package turn

import (
	"context"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// endingPart is how many events of a table are read at once to find how its game was broken off: mostly it is the last but one.
const endingPart = 40

// Ending tells by whom and why a game was broken off; nothing of one that was played to its end.
func (m *Maker) Ending(ctx context.Context, look events.Look, lang string) ([]string, error) {
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
	proposed := t.End == domain.EndAgreed // it is looked for who did, before the last consent
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

// brokenOff tells the event that a game was broken off by, if it is that one: of an end that was agreed to, who proposed it.
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
