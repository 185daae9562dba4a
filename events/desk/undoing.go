package desk

import (
	"context"
	"fmt"
	"slices"

	"posthorn/domain"
	"posthorn/events"
)

// Seen counts what the moves after a version of a table's main line revealed, as a proposal to go back there would
// state it.
func (d *Desk) Seen(ctx context.Context, look Look, to uint64) ([]domain.SeenDraws, error) {
	if look.Line == nil {
		return nil, domain.Refuse("not-started")
	}
	p, err := d.played(ctx, look.Name, look.Table, look.Line, look.LineName, to)
	return p.Seen(), err
}

// Undoing is what going back to a version of a main line would undo.
type Undoing struct {
	Seen  []domain.SeenDraws  // by whose moves
	Moves map[uint64]Revealed // by version, those that revealed something
	Dealt uint64              // before this version nothing can come out the same again; 0: no such version
}

// Revealed is how much one move revealed.
type Revealed struct{ Draws, Cards int }

// Undoes returns what going back to a version of a table's main line would undo.
func (d *Desk) Undoes(ctx context.Context, look Look, to uint64) (Undoing, error) {
	u := Undoing{Moves: map[uint64]Revealed{}}
	if look.Line == nil {
		return u, domain.Refuse("not-started")
	}
	draws, cards := 0, 0
	p, err := d.playedWith(ctx, look.Name, look.Table, look.Line, look.LineName, to,
		func(version uint64, p *domain.Played) {
			var lit Revealed
			for _, d := range p.Draws[draws:] {
				if !d.Unseen {
					lit.Draws++
				}
			}
			for _, c := range p.Cards[cards:] {
				lit.Cards += c.N
			}
			if draws, cards = len(p.Draws), len(p.Cards); lit != (Revealed{}) {
				u.Moves[version] = lit
			}
		})
	u.Seen, u.Dealt = p.Seen(), p.Dealt
	return u, err
}

// OwnLast returns the version before the last move that a person made on a main line, whatever stand-ins, the clock
// or their standing orders did after it; 0 if they have made none that may be taken back.
func (d *Desk) OwnLast(ctx context.Context, look Look, by domain.PersonID) (last uint64, err error) {
	if look.Line == nil || by == "" {
		return 0, nil
	}
	err = d.ownMoves(ctx, look, by, domain.NewPlayed(look.Table, look.Line).First, func(version uint64) (more bool) {
		last = version - 1
		return false
	})
	return last, err
}

// OwnSince counts the moves that a person made themselves on a main line after a version.
func (d *Desk) OwnSince(ctx context.Context, look Look, by domain.PersonID, after uint64) (n int, err error) {
	if look.Line == nil || by == "" {
		return 0, nil
	}
	err = d.ownMoves(ctx, look, by, after, func(uint64) (more bool) {
		n++
		return true
	})
	return n, err
}

// ownMoves calls each for the moves that a person made on a main line after a version, the last one first.
func (d *Desk) ownMoves(ctx context.Context, look Look, by domain.PersonID, first uint64,
	each func(version uint64) (more bool)) error {
	for upTo := look.Line.Version; upTo > first; {
		after := max(first, upTo-min(upTo, 64))
		recs, err := d.log.Load(ctx, look.LineName, after, upTo)
		if err != nil {
			return fmt.Errorf("look for the moves of a person: %w", err)
		}
		for _, rec := range slices.Backward(recs) {
			meta, err := events.ReadMeta(&rec)
			if err != nil {
				return err
			}
			if meta.By == by && meta.Door != domain.DoorOrder && rec.Type != events.TypeForked && !each(rec.Version) {
				return nil
			}
		}
		upTo = after
	}
	return nil
}

func (d *Desk) played(ctx context.Context, table events.Name, t *domain.Table, main *domain.Line, name events.Name,
	to uint64) (domain.Played, error) {
	return d.playedWith(ctx, table, t, main, name, to, nil)
}

// playedWith passes what it has noted so far to each, after each move that would be taken back.
func (d *Desk) playedWith(ctx context.Context, table events.Name, t *domain.Table, main *domain.Line, name events.Name,
	to uint64,
	each func(uint64, *domain.Played)) (domain.Played, error) {
	p := domain.NewPlayed(t, main)
	if to == 0 || to >= p.Version || to < p.First {
		return p, nil
	}
	line, err := d.foldTo(ctx, table, t, main.Rulebook, name, to)
	if err != nil {
		return p, fmt.Errorf("fold up to where a rewind goes back: %w", err)
	}
	recs, err := d.log.Load(ctx, name, to, main.Version)
	if err != nil {
		return p, fmt.Errorf("load what a rewind takes back: %w", err)
	}
	for i := range recs {
		e, ok, err := events.DecodePlay(line.Rulebook, &recs[i], d.keys, domain.Referee)
		switch {
		case err != nil:
			return p, &Unreadable{Table: table, Stream: recs[i].Stream, Version: recs[i].Version, Err: err}
		case !ok:
			line.Skip()
		default:
			p.Add(line, &e, recs[i].Stream.String())
			if p.By, p.At, err = events.ByHand(&recs[i]); err != nil {
				return p, &Unreadable{Table: table, Stream: recs[i].Stream, Version: recs[i].Version, Err: err}
			}
			if each != nil {
				each(recs[i].Version, &p)
			}
			line.Apply(&e)
		}
	}
	return p, nil
}
