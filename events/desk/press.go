package desk

import (
	"context"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// PlayAll plays a press: the moves in the text of m, the first as the answer to the decision that m names, and the
// others as answers to whatever the seat is asked on that line, once the house and standing orders have answered what
// comes in between. The answer is the first move's; m.Then is called once that is made. A press sent again plays
// nothing more.
func (d *Desk) PlayAll(ctx context.Context, a events.Actor, m Move) (ans Answer, p domain.Pressed, err error) {
	moves, err := d.readPress(ctx, &m)
	if err != nil {
		return ans, p, err
	}
	m.Move = moves[0]
	if ans, err = d.Play(ctx, a, m); err != nil || ans.Again {
		return ans, p, err
	}
	if m.Then != nil {
		if err = m.Then(); err != nil {
			return ans, p, err
		}
	}
	p, err = d.playOn(ctx, a, m, moves[1:])
	p.Made++
	return ans, p, err
}

// PlayOn plays what a press left as [Desk.PlayAll] plays all moves but the first.
func (d *Desk) PlayOn(ctx context.Context, a events.Actor, m Move) (domain.Pressed, error) {
	moves, err := d.readPress(ctx, &m)
	if err != nil {
		return domain.Pressed{}, err
	}
	return d.playOn(ctx, a, m, moves)
}

// playOn plays moves after one with m's id. What settling leaves undone is the runner's, which tells the host.
func (d *Desk) playOn(ctx context.Context, a events.Actor, m Move, moves []domain.Move) (domain.Pressed, error) {
	id := m.ID
	p, err := domain.PlayPress(m.Seat, moves, func() (*domain.Line, error) {
		_ = d.Settle(ctx, m.Table)
		look, err := d.Look(ctx, m.Table)
		if err != nil || look.Line == nil || look.LineName != m.Line {
			return nil, err
		}
		m.Decision = domain.Open{}
		if i := slices.IndexFunc(look.Line.Awaited(), func(o domain.Open) bool { return o.Seat == m.Seat }); i >= 0 {
			m.Decision = look.Line.Awaited()[i]
		}
		return look.Line, nil
	}, func(i int, next domain.Move) error {
		m.ID, m.Move = events.Derive("press", id[:], []byte{byte(i)}), next
		_, err := d.Play(ctx, a, m)
		return err
	})
	_ = d.Settle(ctx, m.Table)
	if _, refused := domain.AsRefusal(err); refused {
		err = nil
	}
	return p, err
}

// readPress reads the text of a press. A text in the canonical form names seats by letter, so it is not compared with
// anybody's name.
func (d *Desk) readPress(ctx context.Context, m *Move) ([]domain.Move, error) {
	r := d.room(m.Table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return nil, err
	}
	moves, err := domain.ReadPress(r.rulebook, m.Text, nil)
	if m.Names == nil || err == nil && domain.WritePress(r.rulebook, moves) == m.Text {
		return moves, err
	}
	names, err := m.Names(ctx, r.table)
	if err != nil {
		return nil, err
	}
	return domain.ReadPress(r.rulebook, m.Text, names)
}
