package record

import (
	"context"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
)

// rehearse imports the tables into a throwaway log, and looks at each there as the house will: every line must fold,
// and every viewer's view, its drawing and its words must be possible to make.
func (m *moving) rehearse() (err error) {
	log := memory.New()
	defer func() { err = errors.Join(err, log.Close()) }()
	var streams []events.Stream
	var recs []events.Record
	for _, t := range m.tables {
		streams, recs = append(streams, t.streams...), append(recs, t.recs...)
	}
	if err := log.Adopt(m.ctx, streams, recs); err != nil {
		return fmt.Errorf("adopt table %s: %w", m.f.Header.Table, err)
	}
	desk := desk.NewDesk(log, m.keys, m.named, nil)
	for _, t := range m.tables {
		if err := rehearseTable(m.ctx, desk, t.v.f.Header.Table); err != nil {
			return err
		}
	}
	return nil
}

func rehearseTable(ctx context.Context, desk *desk.Desk, table events.Name) error {
	look, err := desk.Look(ctx, table)
	if err != nil {
		return err
	}
	if err := fits(look); err != nil {
		return err
	}
	if _, err := desk.TableHistory(ctx, table, 0); err != nil {
		return err
	}
	for _, l := range look.Table.Lines {
		if err := rehearseLine(ctx, desk, look, l); err != nil {
			return err
		}
	}
	return nil
}

// fits checks that people can sit at the table. That it is the table the header names has been verified before.
func fits(look desk.Look) error {
	t := look.Table
	for _, p := range t.Places {
		if p.Humans() {
			continue
		}
		if _, err := standin.Named(p.StandIn); err != nil {
			return fmt.Errorf("%w: %w", ErrHandover, err)
		}
	}
	full, err := domain.Complete(look.Rulebook, t.Choices)
	if err != nil {
		return fmt.Errorf("%w: its options: %w", ErrHandover, err)
	}
	if least, most := look.Rulebook.Seats(full); len(t.Places) < least || len(t.Places) > most {
		return fmt.Errorf("%w: %d seats", ErrHandover, len(t.Places))
	}
	return nil
}

func rehearseLine(ctx context.Context, desk *desk.Desk, look desk.Look, l domain.TableLine) error {
	name, err := events.ParseName(l.Name)
	if err != nil {
		return fmt.Errorf("%w: line %q: %w", ErrHandover, l.Name, err)
	}
	line, err := desk.LineAt(ctx, look, name, 0)
	if errors.Is(err, events.ErrNoStream) {
		return nil // decided, but not opened yet
	}
	if err != nil {
		return err
	}
	history, err := desk.History(ctx, look, name, domain.Referee, 0, 0)
	if err != nil {
		return err
	}
	rb := look.Rulebook
	seen := rb.View(line.State, domain.Spectator)
	for i := range history {
		if !history[i].Forked {
			rb.Tell(&history[i].Event, seen)
		}
	}
	for viewer := domain.Referee; int(viewer) < len(look.Table.Places); viewer++ {
		view := rb.View(line.State, viewer)
		rb.Draw(view, domain.Sketch{})
		rb.Describe(view)
		rb.Standing(line.State, viewer)
	}
	for _, o := range line.Awaited() {
		if o.Seat < 0 || int(o.Seat) >= len(look.Table.Places) {
			return fmt.Errorf("%w: seat %d is awaited, of %d", ErrHandover, o.Seat, len(look.Table.Places))
		}
		for m := range rb.Legal(line.State, o.Seat) {
			rb.FormatMove(m, nil)
		}
		rb.Forms(line.State, o.Seat)
	}
	return nil
}
