package turn

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

func (m *Maker) proposal(ctx context.Context, mod *Model, look desk.Look, me domain.PersonID) (*Proposal, error) {
	p := look.Table.Proposal
	if p == nil || mod.Status != domain.TableStarted {
		return nil, nil
	}
	out := &Proposal{Proposal: *p, Mine: p.By == me && slices.Contains(look.Table.People(), me),
		MayAgree: mod.Asked(desk.AskConsent)}
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
	out.Reveals = reveals(mod.printer, p.Seen)
	if p.Kind == domain.ProposeRewind {
		out.Luck = mod.printer.Text(luckKey(p.Fresh))
	}
	return out, nil
}

// reveals says whose moves revealed how many draws and hidden cards.
func reveals(p words.Printer, seen []domain.SeenDraws) (out []string) {
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

// Undone is a move that a rewind would undo, and how much the move revealed.
type Undone struct {
	Happening
	Draws, Cards int
}

// Undoing is what going back to a version would undo, as an asker may know it.
type Undoing struct {
	Moves   []Undone // the last first
	More    int      // how many earlier moves it would undo as well
	Reveals []string
	Dealt   uint64 // going back to before this version, nothing comes the same again; 0: no such version
}

// Undoing returns what going back to a version of the main line would undo: no more than most moves, the last first.
func (m *Maker) Undoing(ctx context.Context, look desk.Look, to uint64, who Asker, most int) (out Undoing,
	err error) {
	u, err := m.desk.Undoes(ctx, look, to)
	if err != nil {
		return out, err
	}
	told, err := m.Timeline(ctx, look.Name, look.LineName, who, to, look.Line.Version)
	if err != nil {
		return out, err
	}
	for i, h := range slices.Backward(told) {
		if len(out.Moves) == most {
			out.More = i + 1
			break
		}
		lit := u.Moves[h.Version]
		out.Moves = append(out.Moves, Undone{h, lit.Draws, lit.Cards})
	}
	p, _, err := m.Printer(ctx, look, who.Lang)
	out.Reveals, out.Dealt = reveals(p, u.Seen), u.Dealt
	return out, err
}

// Luck says in the game's words what comes after a rewind: the same, or new.
func (mod *Model) Luck(fresh bool) string { return mod.printer.Text(luckKey(fresh)) }

// luckKey returns the text key for the luck after a rewind.
func luckKey(fresh bool) string {
	if fresh {
		return "house.luck.fresh"
	}
	return "house.luck.same"
}
