package desk

import (
	"bytes"
	"context"
	"encoding/binary"
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
	r := d.folded(table)
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

// wishes are the words of what the house does next, by the type of its event.
var wishes = map[string]string{"table.started.v1": "start", "table.dismissed.v1": "lapse", "table.ended.v1": "finish",
	"table.unsealed.v1": "unseal"}

// due returns what the house must do next at a table and its main line, or nil.
func due(t *domain.Table, line *domain.Line) Command {
	if t.Status == domain.TableStarted && line == nil {
		return openLine{}
	}
	if want := t.Follows(line); want != nil {
		return ownDoing{wishes[domain.TableEventType(want)], want}
	}
	return nil
}

// standInsAwaited lists the decisions that stand-ins have to take at a table.
func (l Look) standInsAwaited() (out []domain.Open) {
	if !l.plays() || l.Table.Proposal != nil {
		return nil
	}
	for _, o := range l.Line.Awaited() {
		if int(o.Seat) < len(l.Table.Places) && (!l.Table.Places[o.Seat].Humans() || l.TakenOver(o)) {
			out = append(out, o)
		}
	}
	return out
}

// AwaitsHouse reports whether a table waits for the house: for what follows, for a stand-in, or for a standing order to
// be obeyed.
func (d *Desk) AwaitsHouse(ctx context.Context, look Look) (bool, error) {
	if due(look.Table, look.Line) != nil || len(look.standInsAwaited()) > 0 {
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
	r := d.folded(table)
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
	draft, err := d.firstEvent(ctx, r, main, &meta)
	if err != nil {
		return fmt.Errorf("open line %s: %w", main.Name, err)
	}
	draft.Open = stream
	id := d.keys.Own(events.Because("open-line", r.lineName[:], binary.BigEndian.AppendUint64(nil, main.Since)))
	if _, err = d.append(ctx, draft, id, meta); retry(err) {
		return nil
	}
	return err
}

// firstEvent drafts the first event of a line, and notes the deadlines of what it brings up.
func (d *Desk) firstEvent(ctx context.Context, r *folded, main domain.TableLine, meta *events.Meta) (draft events.Draft,
	err error) {
	line, viewer := domain.NewLine(r.rulebook, r.table.SourceOf(main)), domain.Spectator
	if main.Parent != "" {
		if line, viewer, err = d.atFork(ctx, r, main, line); err != nil {
			return draft, err
		}
	}
	e, plays, err := r.table.FirstEvent(main, line, viewer)
	if err != nil {
		return draft, err
	}
	if !plays {
		draft = events.Draft{Stream: r.lineName, Expect: main.Fork,
			Guards: []events.Guard{{Stream: r.name, Version: r.tableHead.Version}}, Type: events.TypeForked,
			Data: []byte("{}")}
		meta.Due, err = d.duesOfFirst(ctx, r.table, main, line, nil)
		return draft, err
	}
	line.CountPoints(&e)
	if draft, err = d.draftPlay(r, &e, main.Fork); err == nil {
		meta.Due, err = d.duesOfFirst(ctx, r.table, main, line, &e)
	}
	return draft, err
}

// atFork brings a line to where it forks from its parent, and returns for whom it is dealt if it begins a branch. A
// study of one person deals anew whatever its maker could not know, since nobody else sees it; every other branch all
// that is not public, since everybody may see what is played openly there.
func (d *Desk) atFork(ctx context.Context, r *folded, main domain.TableLine, line *domain.Line) (*domain.Line,
	domain.Viewer, error) {
	name, err := events.ParseName(main.Parent)
	if err != nil {
		return nil, domain.Spectator, fmt.Errorf("parent of line %s: %w", main.Name, err)
	}
	recs, err := d.log.Load(ctx, name, 0, main.Fork)
	if err == nil && len(recs) == 0 {
		err = events.ErrNoRecord
	}
	if err != nil {
		return nil, domain.Spectator, fmt.Errorf("parent of line %s: %w", main.Name, err)
	}
	if err := foldLine(new(events.Decoder), line, r.name, recs, d.keys); err != nil {
		return nil, domain.Spectator, err
	}
	people := r.table.People()
	if main.Index > 0 || len(people) != 1 {
		return line, domain.Spectator, nil
	}
	who := people[0]
	if r.table.Branch.Kind != domain.BranchStudy {
		who = ""
	}
	// The hidden state belongs to the table that wrote that version, which may be one that the branched table was
	// itself branched from.
	s, err := d.log.Stream(ctx, recs[len(recs)-1].Stream)
	if err != nil {
		return nil, domain.Spectator, fmt.Errorf("branched line: %w", err)
	}
	source, err := d.foldTable(ctx, s.Table)
	if err != nil {
		return nil, domain.Spectator, err
	}
	return line, source.ViewerOf(who, domain.Nobody), nil
}

// standInTurns lists the decisions that stand-ins have to take, without their moves.
func (d *Desk) standInTurns(ctx context.Context, table events.Name) ([]Move, error) {
	r := d.folded(table)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := d.refresh(ctx, r); err != nil {
		return nil, err
	}
	var turns []Move
	if until, err := d.held(ctx, r); err != nil || !until.IsZero() {
		return nil, err
	}
	for _, o := range r.look().standInsAwaited() {
		door := domain.DoorRunner
		if r.table.Places[o.Seat].Humans() {
			door = domain.DoorClock
		}
		because := events.Because("stand-in", bytes.Clone(r.lineName[:]), []byte(fmt.Sprint(o)),
			bytes.Clone(r.lineHead.Hash[:]))
		turns = append(turns, Move{Table: table, Line: r.lineName, Seat: o.Seat, Decision: o,
			ID: d.keys.Own(because), because: &because, door: door})
	}
	return turns, nil
}
