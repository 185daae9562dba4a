package desk

import (
	"context"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// Move is a move from any door. It names the decision it answers: if that decision is no longer awaited, the move is
// refused, whatever else is awaited of the seat.
type Move struct {
	ID       events.CommandID // as a door's caller chose it; for a stand-in's move, as the desk made it
	Table    events.Name
	Line     events.Name
	Seat     domain.Seat
	Decision domain.Open // as the mover saw it
	Move     domain.Move // or nil, to read Text instead
	Text     string      // the move in notation; for PlayAll, a press
	Rest     string      // for PlayAll and PlayRest: what an earlier press left
	// Next reads, for PlayAll, the next move after Move from whatever is asked by then; nil after the last. It is asked
	// again with settled once the house and standing orders have answered what is asked, if it had none before. It may
	// be nil itself.
	Next func(at *domain.Line, settled bool) domain.Move
	// Names returns the names of the seats' people, which the text of a press may use instead of letters; nil if there
	// are none. It is not called for a text in the canonical form, which buttons and forms send.
	Names func(context.Context, *domain.Table) ([]string, error)
	Then  func() error // see PlayAll; may be nil

	because *events.Cause // of a stand-in's move: its ID is the house's own
	door    string        // of a stand-in's move
}

// Actor returns who makes a stand-in's move, as the desk listed it.
func (m Move) Actor() events.Actor { return events.Actor{Door: m.door} }

// Play runs a move.
func (d *Desk) Play(ctx context.Context, a events.Actor, m Move) (Answer, error) {
	r := d.folded(m.Table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return Answer{}, err
	}
	if m.Move == nil {
		var err error
		if m.Move, err = r.rulebook.ParseMove(m.Text, nil); err != nil {
			return Answer{}, err
		}
	}
	id := d.keys.Asked(m.ID)
	if m.because != nil {
		id = d.keys.Own(*m.because)
	}
	return d.play(ctx, r, a, m, id)
}

// play runs a move at a locked, refreshed table.
func (d *Desk) play(ctx context.Context, r *folded, a events.Actor, m Move, id events.CommandID) (Answer, error) {
	var e domain.Event
	var after *domain.Line // nil if nobody asked
	var asks bool
	var dues []events.Due
	wish := fmt.Sprintf("move %s %d %s", m.Line, m.Seat, r.rulebook.FormatMove(m.Move, nil))
	// Nobody can have answered yet what came up with the line's last event.
	fresh := !id.Own() && r.line != nil && r.lineName == m.Line && m.Decision.Since == r.line.Version
	ans, err := d.run(ctx, r, a, id, wish, fresh, &dues, func(bool) (events.Draft, error) {
		after = nil
		err := r.look().mayMove(a, m.Line, m.Seat, m.Decision)
		if err == nil {
			e, _, err = r.line.Decide(m.Seat, m.Move)
		}
		if err == nil && (r.table.Clock != nil || d.countsAsks(a)) {
			after = r.line.Clone()
			after.Apply(&e)
		}
		if err == nil {
			asks, err = d.admitAsk(r, a, after)
		}
		if err == nil {
			dues, err = d.duesAfter(ctx, r, &e, a, after)
		}
		if err != nil {
			return events.Draft{}, err
		}
		r.line.CountPoints(&e)
		return d.draftPlay(r, &e, r.lineHead.Version)
	})
	if err != nil || ans.Again {
		return ans, err
	}
	if asks {
		d.countAsk(r, a)
	}
	r.follow(&e, after)
	if r.table.Clock != nil {
		r.openings.note(r.line, false, e.Seat, a.Door, dues)
	}
	r.lineHead = events.Head{Version: ans.Record.Version, Hash: ans.Record.Hash}
	return ans, nil
}

// mayMove judges everything about a move except the game's rules.
func (l Look) mayMove(a events.Actor, line events.Name, seat domain.Seat, answers domain.Open) error {
	j := l.judge()
	j.By, j.Door = a.Person, a.Door
	return j.MayMove(line.String(), seat, answers)
}

// draftPlay drafts an event of play on the table's main line, guarded by the table.
func (d *Desk) draftPlay(r *folded, e *domain.Event, expect uint64) (events.Draft, error) {
	public, secrets, err := r.rulebook.Codec().Encode(e)
	if err != nil {
		return events.Draft{}, err
	}
	draft := events.Draft{Stream: r.lineName, Expect: expect,
		Guards: []events.Guard{{Stream: r.name, Version: r.tableHead.Version}},
		Type:   events.PlayType(r.rulebook, e), Data: public}
	for n, s := range secrets {
		draft.Parts = append(draft.Parts, d.keys.SealIn(s.PadTo, r.lineName, expect+1, n, s.To, s.Data))
	}
	return draft, nil
}
