package inbound

import (
	"context"
	"errors"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/memory"
	"posthorn/mail/reply"
)

// errNoMove is returned for a mail in which no line can be a move.
var errNoMove = errors.New("no line of it can be a move")

// rehearses plays the first line of a mail that is neither chat nor anything else with a word of its own: at a table of
// its own, of which nothing is kept. So the mail was read, and its move judged and appended, as an answer's is; only
// whose it is, and the disk, are not tried by it.
func (f *Tried) rehearses(ctx context.Context, head reply.Head) (err error) {
	lines := of(reply.Sort(head.Lines()), reply.KindOther)
	if len(lines) == 0 {
		return errNoMove
	}
	log := memory.New()
	defer func() { err = errors.Join(err, log.Close()) }()
	d := desk.NewDesk(log, f.Keys, f.Named, time.Now)
	who := events.Actor{Person: domain.PersonID(events.NewName().String()), Door: domain.DoorReply}
	seat := domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{who.Person}}
	opened, err := d.Open(ctx, who, events.NewCommandID(),
		desk.NewTable{Rulebook: f.Game, Pace: "weekly", Places: []domain.TablePlace{seat, seat}})
	for s := range domain.Seat(2) {
		if err == nil {
			_, err = d.Do(ctx, who, opened.Table, events.NewCommandID(),
				desk.Join{Seat: s, Chance: []byte(events.NewName().String())})
		}
	}
	if err == nil {
		err = d.Settle(ctx, opened.Table)
	}
	if err != nil {
		return fmt.Errorf("a table to try a move at: %w", err)
	}
	look, err := d.Look(ctx, opened.Table)
	if err != nil {
		return fmt.Errorf("a table to try a move at: %w", err)
	}
	for _, a := range look.Asks() {
		if a.Kind == desk.AskTurn {
			_, err := d.Play(ctx, who, desk.Move{ID: events.NewCommandID(), Table: opened.Table, Line: a.Stream,
				Seat: a.Open.Seat, Decision: a.Open, Text: lines[0]})
			return err
		}
	}
	return errors.New("a table to try a move at asks nothing")
}
