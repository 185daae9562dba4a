package desk

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// maxFollowing bounds what may follow at a table without anybody acting: several standing orders of every seat.
const maxFollowing = 256

// Advance does what must follow at a table on its own, and returns the decisions that stand-ins have to take now.
func (d *Desk) Advance(ctx context.Context, table events.Name) ([]Move, error) {
	if err := d.Settle(ctx, table); err != nil {
		return nil, err
	}
	return d.standInTurns(ctx, table)
}

// Settle does what must follow at a table on its own: it starts a full one, opens a line that was agreed upon,
// dismisses a proposal that a move overtook, notes an end, makes forced moves and those of standing orders. Each is a
// command with an id derived from its cause, so it runs once however often it is tried. A door calls it after a
// command, so that its reader sees the table as it is then; if something fails there, the runner tries it again.
func (d *Desk) Settle(ctx context.Context, table events.Name) error {
	for range maxFollowing {
		did, err := d.followOne(ctx, table)
		if err == nil && !did {
			did, err = d.follows(ctx, table)
		}
		if err != nil || !did {
			return err
		}
	}
	return fmt.Errorf("what follows at table %s does not come to an end", table)
}

func (d *Desk) followOne(ctx context.Context, table events.Name) (did bool, err error) {
	c, cause, err := d.pending(ctx, table)
	switch c.(type) {
	case nil:
		return false, err
	case openLine:
		err = d.openLine(ctx, table)
	default:
		_, err = d.DoCaused(ctx, events.House, table, events.Because(c.Row().Wish, table[:], cause[:]), c)
	}
	if _, refused := domain.AsRefusal(err); refused {
		now, cause2, failed := d.pending(ctx, table)
		if failed == nil && now != nil && now.Row().Wish == c.Row().Wish && cause2 == cause {
			return false, fmt.Errorf("%s at table %s: %w", c.Row().Wish, table, err) // nobody else will do it
		}
		return true, failed // somebody else got in first
	}
	return true, err
}

// pending returns what must follow at a table now, if anything, and the head of the table's chain that it follows
// from.
func (d *Desk) pending(ctx context.Context, table events.Name) (c Command, cause events.Hash, err error) {
	r := d.room(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return nil, cause, err
	}
	if r.table.Sealed() {
		if err := d.awaitAncestors(ctx, r); err != nil {
			return nil, cause, err
		}
	}
	return due(r.table, r.line), r.tableHead.Hash, nil
}

// due returns what the house must do next at a table and its main line, or nil.
func due(t *domain.Table, line *domain.Line) Command {
	switch {
	case t.Status == domain.TableOpen && t.Full():
		return ownDoing{"start", &domain.Started{}}
	case t.Sealed() && !t.Waits:
		return ownDoing{"unseal", &domain.Unsealed{}}
	case t.Status != domain.TableStarted:
	case line == nil:
		return openLine{}
	case t.Overtaken(line.Version):
		return ownDoing{"lapse", &domain.Dismissed{Since: t.Proposal.Since}}
	case t.Due != "" || line.Over():
		return ownDoing{"finish", &domain.Ended{}}
	}
	return nil
}

// standInsAwaited lists the decisions that stand-ins have to take at a table.
func standInsAwaited(t *domain.Table, line *domain.Line, name events.Name, opened openings) []domain.Open {
	if t.Status != domain.TableStarted || line == nil || t.Due != "" || t.Proposal != nil {
		return nil
	}
	var out []domain.Open
	for _, o := range line.Awaited() {
		if int(o.Seat) < len(t.Places) && (!t.Places[o.Seat].Humans() || takenOver(t, name, opened, o)) {
			out = append(out, o)
		}
	}
	return out
}

// AwaitsHouse reports whether a table waits for the house: for what follows, for a stand-in, or for a standing order to
// be obeyed.
func (d *Desk) AwaitsHouse(ctx context.Context, look Look) (bool, error) {
	if due(look.Table, look.Line) != nil ||
		len(standInsAwaited(look.Table, look.Line, look.LineName, look.openings)) > 0 {
		return true, nil
	}
	if look.Line == nil {
		return false, nil
	}
	for _, o := range look.Line.Awaited() {
		if obeyed, err := d.Obeys(ctx, look, o); obeyed || err != nil {
			return obeyed, err
		}
	}
	return false, nil
}

// ownDoing is a command of the house: the event that it wants follows by itself.
type ownDoing struct {
	wish string
	want domain.TableEvent
}

// Row returns its wish and its judge.
func (c ownDoing) Row() Row { return Row{c.wish, wants(c.want)} }

// openLine opens a line, which is not an event of the table: see [Desk.openLine].
type openLine struct{ Command }

func (openLine) Row() Row { return Row{Wish: "open-line"} }

// openLine writes a line's first event: the set-up, the deal of a branch, or the fork after a rewind, which shuffles
// anew if luck is fresh. Until that event is written, the line awaits nobody.
func (d *Desk) openLine(ctx context.Context, table events.Name) error {
	r := d.room(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return err
	}
	main, ok := r.table.Main()
	if !ok || r.line != nil {
		return nil
	}
	cause, err := events.LoadOne(ctx, d.log, table, main.Since)
	if err != nil {
		return fmt.Errorf("the event that opened line %s: %w", main.Name, err)
	}
	meta := d.meta(events.House, events.CommandID{}, "open-line")
	meta.Opened = &cause.Hash
	stream := &events.Stream{Name: r.lineName, Kind: events.KindLine, Rulebook: r.rulebook.Name(), Table: table,
		Fork:   main.Fork,
		Origin: cause.Hash}
	if main.Parent != "" {
		if stream.Parent, err = events.ParseName(main.Parent); err != nil {
			return fmt.Errorf("parent of line %s: %w", main.Name, err)
		}
		stream.Origin = events.Hash{}
	}
	draft, first, err := d.firstEvent(ctx, r, main)
	if err == nil {
		meta.Due, err = d.duesOfFirst(ctx, r, main, first)
	}
	if err != nil {
		return fmt.Errorf("open line %s: %w", main.Name, err)
	}
	draft.Open = stream
	id := d.keys.Own(events.Because("open-line", r.lineName[:], binary.BigEndian.AppendUint64(nil, main.Since))).Now
	if _, err = d.append(ctx, draft, id, meta); retry(err) {
		return nil
	}
	return err
}

func errIf(cond bool, text string) error {
	if cond {
		return errors.New(text)
	}
	return nil
}

// firstEvent drafts the first event of a line. The event is nil if it only opens the line and is not part of play.
func (d *Desk) firstEvent(ctx context.Context, r *room, main domain.TableLine) (draft events.Draft, e *domain.Event,
	err error) {
	switch t := r.table; {
	case main.Deal:
		e, err = d.shuffleAnew(ctx, r, main)
	case main.Index > 0:
		return events.Draft{Stream: r.lineName, Expect: main.Fork,
				Guards: []events.Guard{{Stream: r.name, Version: r.tableHead.Version}}, Type: events.TypeForked,
				Data: []byte("{}")},
			nil,
			nil
	case t.Branch != nil:
		e, err = d.dealAfresh(ctx, r, main)
	default:
		e, err = counted(domain.NewLine(r.rulebook, t.SourceOf(main)),
			func(line *domain.Line) (e domain.Event, err error) {
				e, _, err = line.Setup(domain.Game{Choices: t.Choices, Seats: len(t.Places), First: domain.Nobody,
					Given: t.Given})
				return e, err
			})
	}
	if err != nil {
		return draft, nil, err
	}
	draft, err = d.draftPlay(r, e, main.Fork)
	return draft, e, err
}

// counted makes an event and counts the points after it.
func counted(line *domain.Line, make func(*domain.Line) (domain.Event, error)) (*domain.Event, error) {
	e, err := make(line)
	if err == nil {
		line.CountPoints(&e)
	}
	return &e, err
}

// before returns a line as it stands at its fork from a parent, and the stream that wrote that version.
func (d *Desk) before(ctx context.Context, r *room, main domain.TableLine, parent string, fork uint64) (*domain.Line,
	events.Name, error) {
	name, err := events.ParseName(parent)
	if err != nil {
		return nil, name, fmt.Errorf("parent of line %s: %w", main.Name, err)
	}
	recs, err := d.log.Load(ctx, name, 0, fork)
	if err == nil && len(recs) == 0 {
		err = events.ErrNoRecord
	}
	if err != nil {
		return nil, name, fmt.Errorf("parent of line %s: %w", main.Name, err)
	}
	line := domain.NewLine(r.rulebook, r.table.SourceOf(main))
	return line, recs[len(recs)-1].Stream, foldLine(new(events.Decoder), line, r.name, recs, d.keys)
}

// shuffleAnew makes the first event of a line that goes on with fresh luck: it shuffles anew whatever nobody at the
// table knew at the fork.
func (d *Desk) shuffleAnew(ctx context.Context, r *room, main domain.TableLine) (*domain.Event, error) {
	line, _, err := d.before(ctx, r, main, main.Parent, main.Fork)
	if err != nil {
		return nil, err
	}
	return counted(line, func(line *domain.Line) (domain.Event, error) {
		e, ok := line.Reshuffle()
		return e, errIf(!ok, "the game has nothing to shuffle anew")
	})
}

// dealAfresh makes the first event of a branch. In a study of one person it deals anew whatever its maker could not
// know, since nobody else sees it; in every other branch it deals anew all that is not public, since everybody may
// see what is played openly there.
func (d *Desk) dealAfresh(ctx context.Context, r *room, main domain.TableLine) (*domain.Event, error) {
	b := r.table.Branch
	line, wrote, err := d.before(ctx, r, main, b.Line, b.Version)
	if err != nil {
		return nil, err
	}
	viewer := domain.Spectator
	if people := r.table.People(); len(people) == 1 {
		who := people[0]
		if b.Kind != domain.BranchStudy {
			who = ""
		}
		// The hidden state belongs to the table that wrote that version, which may be one that the branched table was
		// itself branched from.
		s, err := d.log.Stream(ctx, wrote)
		if err != nil {
			return nil, fmt.Errorf("branched line: %w", err)
		}
		source, err := d.foldTable(ctx, s.Table)
		if err != nil {
			return nil, err
		}
		viewer = source.ViewerOf(who, domain.Nobody)
	}
	return counted(line, func(line *domain.Line) (domain.Event, error) {
		luck := line.Luck.Begin()
		e := r.rulebook.Blind(line.State, viewer, luck)
		e.Seat, e.Draws = domain.Nobody, luck.Used()
		return e, luck.Err()
	})
}

// standInTurns lists the decisions that stand-ins have to take, without their moves.
func (d *Desk) standInTurns(ctx context.Context, table events.Name) ([]Move, error) {
	r := d.room(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return nil, err
	}
	var turns []Move
	if until, err := d.held(ctx, r); err != nil || !until.IsZero() {
		return nil, err
	}
	for _, o := range standInsAwaited(r.table, r.line, r.lineName, r.openings) {
		door := events.DoorRunner
		if r.table.Places[o.Seat].Humans() {
			door = events.DoorClock
		}
		because := events.Because("stand-in", bytes.Clone(r.lineName[:]), []byte(fmt.Sprint(o)),
			bytes.Clone(r.lineHead.Hash[:]))
		turns = append(turns, Move{Table: table, Line: r.lineName, Seat: o.Seat, Decision: o,
			ID: d.keys.Own(because).Now, because: &because, door: door})
	}
	return turns, nil
}
