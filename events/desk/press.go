package desk

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// Played is what became of a press.
type Played struct {
	Answer // to its first move
	domain.Pressed
	Rest string // what is left, for Move.Rest of the answer to what is asked first; sealed
}

// PlayAll plays a press: the moves in the text of m, or its move and what m.Next reads. The first is the answer to the
// decision that m names; the others, and then what an earlier press left, answer whatever the seat is asked on that
// line; those of a text once the house and standing orders have answered what comes in between. m.Then is called once
// the first move is made. A press sent again plays nothing more.
func (d *Desk) PlayAll(ctx context.Context, a events.Actor, m Move) (p Played, err error) {
	var moves []domain.Move
	if m.Move == nil {
		if moves, err = d.readPress(ctx, &m); err != nil {
			return p, err
		}
		m.Move, moves = moves[0], moves[1:]
	}
	if p.Answer, err = d.Play(ctx, a, m); err != nil || p.Again {
		return p, err
	}
	if m.Then != nil {
		if err = m.Then(); err != nil {
			return p, err
		}
	}
	first := p.Answer
	p, err = d.playOn(ctx, a, m, moves, first.Record.Version-1)
	p.Answer, p.Made = first, p.Made+1
	return p, err
}

// PlayRest plays what an earlier press left, once what it waited for was answered otherwise. m names no decision.
func (d *Desk) PlayRest(ctx context.Context, a events.Actor, m Move) (p Played, err error) {
	look, err := d.Look(ctx, m.Table)
	if err != nil {
		return p, err
	}
	m.Line = look.LineName
	left, _ := d.Left(m.Table, m.Line, m.Seat, m.Rest)
	if left == "" {
		return p, nil
	}
	moves, err := domain.ReadPress(look.Rulebook, left, nil)
	if err != nil {
		return p, err
	}
	return d.playOn(ctx, a, m, moves, look.LineHead.Version)
}

// playOn plays moves after one with m's id, of a press begun after a version. What settling leaves undone is the
// runner's, which tells the host.
func (d *Desk) playOn(ctx context.Context, a events.Actor, m Move, moves []domain.Move, begun uint64) (p Played,
	err error) {
	var look Look
	id := m.ID
	p.Pressed, err = domain.PlayPress(m.Seat, begun, func(i int) (_ *domain.Line, next domain.Move, err error) {
		if m.Next == nil { // what is read on the way may name a move that the house would make
			if i == len(moves) {
				return nil, nil, nil
			}
			next = moves[i]
			_ = d.Settle(ctx, m.Table)
		}
		if look, err = d.Look(ctx, m.Table); err != nil || look.Line == nil || look.LineName != m.Line {
			return nil, nil, err
		}
		if m.Next != nil {
			next = m.Next(look.Line, false)
			if asked := next == nil; asked || look.Line.Unasks(m.Seat, next, begun) {
				_ = d.Settle(ctx, m.Table) // standing orders may answer at once
				if look, err = d.Look(ctx, m.Table); err != nil || look.Line == nil || look.LineName != m.Line {
					return nil, nil, err
				}
				if asked {
					next = m.Next(look.Line, true)
				}
			}
		}
		m.Decision = domain.Open{}
		if i := slices.IndexFunc(look.Line.Awaited(), func(o domain.Open) bool { return o.Seat == m.Seat }); i >= 0 {
			m.Decision = look.Line.Awaited()[i]
		}
		return look.Line, next, nil
	}, func(i int, next domain.Move) error {
		m.ID, m.Move = events.Derive("press", id[:], []byte{byte(i)}), next
		_, err := d.Play(ctx, a, m)
		return err
	})
	_ = d.Settle(ctx, m.Table)
	if p.Left && m.Next == nil {
		left := domain.WritePress(look.Rulebook, moves[p.Made:])
		p.Rest = d.seal(m.Table, m.Line, m.Seat, left, look.LineHead.Version)
	}
	return p, err
}

// readPress reads the text of a press, and then what an earlier one left. A text in the canonical form names seats by
// letter, so it is not compared with anybody's name.
func (d *Desk) readPress(ctx context.Context, m *Move) ([]domain.Move, error) {
	r := d.folded(m.Table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return nil, err
	}
	moves, err := domain.ReadPress(r.rulebook, m.Text, nil)
	if m.Names != nil && (err != nil || domain.WritePress(r.rulebook, moves) != m.Text) {
		var names []string
		if names, err = m.Names(ctx, r.table); err == nil {
			moves, err = domain.ReadPress(r.rulebook, m.Text, names)
		}
	}
	if left, _ := d.Left(m.Table, m.Line, m.Seat, m.Rest); err == nil && left != "" {
		text := domain.WritePress(r.rulebook, moves) + domain.PressSeparator + left
		moves, err = domain.ReadPress(r.rulebook, text, nil)
	}
	return moves, err
}

// Left returns the moves that a press of a seat's left on a line, in notation, and the version at which something else
// was asked; "" if sealed is not what this house sealed for them.
func (d *Desk) Left(table, line events.Name, seat domain.Seat, sealed string) (moves string, version uint64) {
	_, rest, _ := strings.Cut(sealed, " ")
	number, moves, _ := strings.Cut(rest, " ")
	version, err := strconv.ParseUint(number, 10, 64)
	if err != nil || !hmac.Equal([]byte(sealed), []byte(d.seal(table, line, seat, moves, version))) {
		return "", 0
	}
	return moves, version
}

func (d *Desk) seal(table, line events.Name, seat domain.Seat, moves string, version uint64) string {
	mac := hmac.New(sha256.New, d.keys.For("rest of a press"))
	fmt.Fprintf(mac, "%s %d %s %d %s", table, seat, line, version, moves)
	return fmt.Sprintf("%s %d %s", hex.EncodeToString(mac.Sum(nil)[:12]), version, moves)
}
