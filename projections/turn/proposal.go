package turn

import (
	"context"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/words"
)

func (m *Maker) proposal(ctx context.Context, mod *Model, look events.Look, me domain.PersonID) (*Proposal, error) {
	p := look.Table.Proposal
	if p == nil || mod.Status != domain.TableStarted {
		return nil, nil
	}
	out := &Proposal{Proposal: *p, Mine: me != "" && p.By == me, MayAgree: mod.Asked(events.AskConsent)}
	var err error
	if out.Who, err = m.NameAt(ctx, mod.printer, look.Table, p.By); err != nil {
		return nil, err
	}
	for _, id := range look.Table.People() {
		name, err := m.NameAt(ctx, mod.printer, look.Table, id)
		if err != nil {
			return nil, err
		}
		switch {
		case p.Agreed[id]:
			if id != p.By {
				out.Agreed = append(out.Agreed, name)
			}
		default:
			out.Waiting = append(out.Waiting, name)
		}
	}
	out.Sentence = mod.printer.Say(proposed(p, out.Who))
	out.Reveals = Reveals(mod.printer, p.Seen)
	if p.Kind == domain.ProposeRewind {
		out.Luck = mod.printer.Text(luckKey(p.Fresh))
	}
	return out, nil
}

// Reveals says whose moves brought how many draws and hidden cards to light.
func Reveals(p words.Printer, seen []domain.SeenDraws) (out []string) {
	for _, s := range seen {
		if s.Draws > 0 {
			out = append(out, p.Text("house.revealed", "who", s.Seat, "n", s.Draws))
		}
		if s.Cards > 0 {
			out = append(out, p.Text("house.uncovered", "who", s.Seat, "n", s.Cards))
		}
	}
	return out
}

// luckKey is what luck after a rewind is, in words.
func luckKey(fresh bool) string {
	if fresh {
		return "house.luck.fresh"
	}
	return "house.luck.same"
}
