// Package turn makes what a "your turn" page or mail says: one model for both, so that neither can know more than the
// other. It is the one place where a view leaves the house: everything in a Model is made for one viewer.
package turn

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/projections/words"
)

// Names looks up what people are called.
type Names interface {
	// DisplayName returns a person's name, or "" for somebody who was forgotten or never known.
	DisplayName(ctx context.Context, id domain.PersonID) (string, error)
}

// Maker makes models.
type Maker struct {
	desk  *desk.Desk
	book  *words.Book
	names Names
}

// NewMaker returns a maker over a desk.
func NewMaker(desk *desk.Desk, book *words.Book, names Names) *Maker {
	return &Maker{desk: desk, book: book, names: names}
}

// Turn returns the table as it stands on its main line.
func (m *Maker) Turn(ctx context.Context, table events.Name, who Asker) (*Model, error) {
	return m.At(ctx, table, events.Name{}, 0, who)
}

// At returns the table at a version of one of its lines (the zero name: the main line; version 0: the last).
func (m *Maker) At(ctx context.Context, table, line events.Name, version uint64, who Asker) (mod *Model, err error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil {
		return nil, err
	}
	if line.IsZero() {
		line = look.LineName
	}
	err = m.desk.Guard(look.Name, func() error {
		mod, err = m.model(ctx, look, line, version, who)
		return err
	})
	return mod, err
}

func (m *Maker) model(ctx context.Context, look desk.Look, name events.Name, version uint64, who Asker) (*Model,
	error) {
	t := look.Table
	printer, names, people, err := m.called(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	viewer := who.viewer(t)
	mod := &Model{Table: look.Name, TableHead: look.TableHead, Rulebook: t.Rulebook, Game: printer.Text("name"),
		Choices: t.Choices, Pace: t.Pace, Grace: t.Grace, Status: t.Status, End: t.End, Viewer: viewer,
		Seat: seatOf(t, who), Branch: t.Branch,
		Main: name == look.LineName, me: who.Person, reply: who.Reply, zone: who.Zone, printer: printer,
		rulebook: look.Rulebook}
	if now := look.Rulebook.Edition(); t.Edition != now {
		mod.Edition, mod.Began = now, t.Edition
	}
	mod.Title = title(printer, t, people)
	mod.Players = players(t, names, people, who.Person)
	m.goesOn(mod, look)
	if mod.missing, err = m.missing(ctx, printer, t); err != nil {
		return nil, err
	}
	if err := m.lineage(ctx, mod, look); err != nil {
		return nil, err
	}
	if mod.Asks, err = m.asks(ctx, look, who.Person); err != nil {
		return nil, err
	}
	if mod.Proposal, err = m.proposal(ctx, mod, look, who.Person); err != nil {
		return nil, err
	}
	line, err := m.desk.LineAt(ctx, look, name, version)
	if errors.Is(err, events.ErrNoStream) && look.Line == nil && name == look.LineName {
		mod.sentence(look, nil)
		return mod, nil
	}
	if err != nil {
		return nil, err
	}
	mod.Line, mod.Version = name, line.Version
	mod.at(line)
	past := m.past(look, printer, names, who)
	if err := m.place(ctx, mod, look, past); err != nil {
		return nil, err
	}
	mod.stopped = mod.Status == domain.TableEnded && !mod.GoesOn && mod.Main && mod.Version == mod.Last
	mod.show(line, mod.Viewer)
	past.view = mod.view
	mod.Hid = t.Open() && !reflect.DeepEqual(look.Rulebook.View(line.State, domain.Spectator),
		look.Rulebook.View(line.State, domain.Referee))
	if mod.Main && mod.Version == mod.Last {
		mod.await(look, line)
		m.time(mod, look)
		if err := m.takeBack(ctx, mod, look); err != nil {
			return nil, err
		}
	}
	mod.sentence(look, line)
	if err := m.orders(ctx, mod, look); err != nil {
		return nil, err
	}
	return mod, m.since(ctx, mod, look, past)
}

// takeBack fills in what the asker may take back without consent, and tells everybody else of a grace that is still
// running.
func (m *Maker) takeBack(ctx context.Context, mod *Model, look desk.Look) error {
	held, err := m.desk.Held(ctx, look)
	if err != nil || mod.Decision == nil && held.IsZero() {
		return err
	}
	step, err := m.desk.LastStep(ctx, look, mod.me)
	if err != nil {
		return err
	}
	if step.Refused == nil {
		mod.Undo, mod.UndoUntil = step.To, step.Until
	}
	if until := held.Add(-desk.GraceSlack); mod.UndoUntil.IsZero() && !held.IsZero() && until.After(m.desk.Now()) {
		mod.Time.Lines = append([]string{mod.Text("grace.other", "time", mod.Hour(until))}, mod.Time.Lines...)
	}
	return nil
}

// seatOf returns the seat that an asker means: the one they name, if it is theirs, or else their first; decide then
// prefers one that is awaited.
func seatOf(t *domain.Table, who Asker) domain.Seat {
	seats := t.SeatsOf(who.Person)
	if who.Person == "" || len(seats) == 0 {
		return domain.Nobody
	}
	for _, s := range seats {
		if s == who.Seat {
			return s
		}
	}
	return seats[0]
}

// Printer returns a printer for a table in a language, with the names of its people by seat.
func (m *Maker) Printer(ctx context.Context, look desk.Look, lang string) (words.Printer, []string, error) {
	p, names, _, err := m.called(ctx, look, lang)
	return p, names, err
}

// Name returns what a person is called, in words that fit the language if they are not known.
func (m *Maker) Name(ctx context.Context, p words.Printer, id domain.PersonID) (string, error) {
	n, err := m.names.DisplayName(ctx, id)
	if err != nil {
		return "", fmt.Errorf("name of a person: %w", err)
	}
	if n == "" {
		n = p.Text("house.forgotten")
	}
	return Called(p, id, n), nil
}

// calling has a name of its own for one person.
type calling struct {
	Names
	id   domain.PersonID
	name string
}

func (c calling) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	if id == c.id {
		return c.name, nil
	}
	return c.Names.DisplayName(ctx, id)
}

// Calling returns a maker that has a name of its own for one person.
func (m *Maker) Calling(id domain.PersonID, name string) *Maker {
	return NewMaker(m.desk, m.book, calling{m.names, id, name})
}

// Called returns what a person is called by a name that people show, in the printer's language if they have given none.
func Called(p words.Printer, id domain.PersonID, name string) string {
	if name == people.Guest(id) {
		return p.Text("house.guest", "code", people.Code(id))
	}
	return name
}

func players(t *domain.Table, names, people []string, me domain.PersonID) []Player {
	out := make([]Player, len(t.Places))
	for i, p := range t.Places {
		out[i] = Player{Seat: domain.Seat(i), Letter: domain.Seat(i).Letter(), Name: names[i], Called: people[i],
			Kind:   p.Kind,
			People: p.Holders, Invited: p.Invited, StandIn: !p.Humans(), Resigned: p.Resigned, You: me != "" &&
				p.Holds(me)}
		if i < len(t.Ranks) {
			out[i].Rank = t.Ranks[i]
		}
	}
	return out
}

func (m *Maker) lineage(ctx context.Context, mod *Model, look desk.Look) error {
	for _, l := range look.Table.Lines {
		name, head, err := m.desk.LineHead(ctx, l)
		if err != nil {
			return fmt.Errorf("table %s: %w", look.Name, err)
		}
		if n := len(mod.Lineage); n > 0 && l.Undo {
			mod.Lineage[n-1].Undone = true
		}
		mod.Lineage = append(mod.Lineage,
			Line{Name: name, Index: l.Index, Parent: l.Parent, Fork: l.Fork, Closed: l.Closed, Last: head.Version})
	}
	return nil
}

// place finds the model's place in the chain, and how its viewer sees what is there: before a branch it is another
// table's, and so are the names used.
func (m *Maker) place(ctx context.Context, mod *Model, look desk.Look, past *past) error {
	rec, err := events.LoadOne(ctx, m.desk.Log(), mod.Line, mod.Version)
	if err != nil {
		return err
	}
	mod.Head, mod.At = events.Head{Version: rec.Version, Hash: rec.Hash}, rec.At
	mod.Receipt = m.desk.Receipt(look.Name, mod.Line, mod.Head)
	if look.Table.Status == domain.TableEnded {
		mod.TableReceipt = m.desk.Receipt(look.Name, look.Name, look.TableHead)
	}
	if mod.Viewer, err = m.desk.ViewerAt(ctx, look, rec.Stream, mod.Viewer); err != nil {
		return err
	}
	for _, l := range mod.Lineage {
		if l.Name == mod.Line {
			mod.Last = l.Last
		}
	}
	own := rec.Stream == mod.Line // the table's, not one that it came from
	if mod.Main && mod.Version == mod.Last && own {
		return nil // as it stands, with whoever holds the seats
	}
	if mod.printer, err = past.printer(ctx, &rec); err != nil {
		return err
	}
	for i := range mod.Players {
		name := mod.printer.Name(domain.Seat(i))
		mod.Players[i].You = mod.Players[i].You && name == mod.Players[i].Name // somebody else sat there then
		if mod.Players[i].Name != name {
			mod.Players[i].Name, mod.Players[i].Called = name, name
		}
	}
	return nil
}

// show makes the view and everything that follows from it.
func (mod *Model) show(line *domain.Line, viewer domain.Viewer) {
	rb := mod.rulebook
	mod.view = rb.View(line.State, viewer)
	if stopped := rb.Extras().Stopped; stopped != nil && mod.stopped {
		mod.view = stopped(mod.view)
	}
	mod.Standing = rb.Standing(line.State, viewer)
	if !mod.GoesOn {
		mod.Result = mod.printer.Lines(mod.Standing.Result)
	}
	mod.Causes, mod.Labels = nil, nil
	for _, c := range mod.Standing.Causes {
		mod.Causes = append(mod.Causes, mod.printer.Lines(c))
	}
	for i := range mod.Standing.Scores {
		if i < len(mod.Standing.Labels) {
			mod.Labels = append(mod.Labels, mod.printer.Say(mod.Standing.Labels[i]))
		} else {
			mod.Labels = append(mod.Labels, mod.printer.Name(domain.Seat(i)))
		}
	}
	d := rb.Describe(mod.view)
	mod.says, mod.brief, mod.spelled, mod.have = d.Lines, d.Brief, d.Spelled, d.Have
	mod.Alt, mod.Lines = mod.printer.Say(d.Alt), mod.printer.Lines(d.Lines)
}

// asks returns what the table asks of one person.
func (m *Maker) asks(ctx context.Context, look desk.Look, person domain.PersonID) ([]desk.Ask, error) {
	if person == "" {
		return nil, nil
	}
	all, err := m.desk.Asks(ctx, look)
	return slices.DeleteFunc(all, func(a desk.Ask) bool { return a.Person != person }), err
}

// Asked reports whether the asker is asked for something of one of these kinds.
func (mod *Model) Asked(kinds ...desk.AskKind) bool {
	return slices.ContainsFunc(mod.Asks, func(a desk.Ask) bool { return slices.Contains(kinds, a.Kind) })
}

// await fills in who is awaited, and what the asker's seat may do.
func (mod *Model) await(look desk.Look, line *domain.Line) {
	ask, ok := mod.asked(look, line)
	if !ok {
		return
	}
	seat := mod.Seat
	if mod.decide(look, line, ask); mod.Seat != seat {
		mod.show(line, mod.Viewer)
	}
	mod.ranked, mod.brings = mod.ranking(line.State)
	mod.quiet, mod.answers, mod.offered = quiet(line, mod.Seat)
	if mod.unopposed(look.Table) {
		mod.hint = mod.hinted(line.State)
	}
}

// turnOf returns the play decision that the model is about: that of the seat meant, or else that of the asker's first
// seat with one to make.
func (mod *Model) turnOf() (ask desk.Ask, ok bool) {
	for _, a := range mod.Asks {
		switch {
		case a.Kind != desk.AskTurn:
		case a.Open.Seat == mod.Seat:
			return a, true
		case !ok || a.Open.Seat < ask.Open.Seat:
			ask, ok = a, true
		}
	}
	return ask, ok
}

func (mod *Model) mayMove(s domain.Seat) bool {
	return s >= 0 && int(s) < len(mod.Players) && mod.Players[s].You && !mod.Players[s].StandIn
}

// Answer makes the model about one of several decisions awaited from its seat: the one that a mail or a pass asks for.
func (mod *Model) Answer(o domain.Open) {
	mod.Decision, mod.Sentence = &o, mod.yours(o.Decision)
}

// at remembers what a line's decisions ask.
func (mod *Model) at(line *domain.Line) {
	mod.word = func(d domain.Decision) string { return domain.WhatIsAsked(line.Rulebook, line.State, d) }
}

// What returns what the model's decision asks now, as the end of a sentence: "roll the dice".
func (mod *Model) What() string { return mod.printer.Text(mod.word(mod.Decision.Decision)) }

// Yours says that the model's decision is the asker's, and what it asks.
func (mod *Model) Yours() string { return mod.yours(mod.Decision.Decision) }

// yours says what a decision is about, using the game's own question if that says more, such as which offer to answer.
func (mod *Model) yours(d domain.Decision) string {
	text := mod.printer.Text("status.yours", "what_word", mod.word(d))
	if first := mod.tree.next; len(first) > 0 && len(first[0].step.Ask.Args) > 0 {
		text += " " + mod.printer.Say(first[0].step.Ask)
	}
	return text
}

// gathering says whom a table that has not begun waits for.
func (mod *Model) gathering(t *domain.Table) string {
	i := slices.IndexFunc(mod.Asks, func(a desk.Ask) bool { return a.Kind == desk.AskInvitation })
	switch open := slices.ContainsFunc(t.Places, func(p domain.TablePlace) bool { return p.Kind == domain.SeatOpen }); {
	case i >= 0 && mod.Asks[i].Again > 0:
		return mod.printer.Text("status.last")
	case i >= 0 && t.Opener != mod.me:
		return mod.printer.Text("status.invited")
	case i >= 0 || open || len(mod.missing) == 0:
		return mod.printer.Text("status.gathering")
	}
	return mod.printer.Text("status.missing", "who", mod.missing)
}

func (mod *Model) sentence(look desk.Look, line *domain.Line) {
	p := mod.printer
	switch {
	case mod.GoesOn:
		mod.Sentence = mod.elsewhere()
	case look.Table.Sealed():
		mod.Sentence = p.Text("status.sealed")
	case look.Table.End == domain.EndAgreed || look.Table.Due == domain.EndAgreed:
		mod.Sentence = p.Text("status.stopped")
	case mod.Status == domain.TableEnded || look.Table.Due != "":
		mod.Sentence = p.Text("status.ended")
	case mod.Status == domain.TableOpen:
		mod.Sentence = mod.gathering(look.Table)
	case line == nil:
		mod.Sentence = p.Text("status.preparing")
	case mod.Proposal != nil && mod.Proposal.MayAgree:
		mod.Sentence = p.Text("status.consent")
	case mod.Decision != nil:
		mod.Sentence = mod.yours(mod.Decision.Decision)
	default:
		var seats []domain.Seat
		for _, o := range line.Awaited() {
			if !slices.Contains(seats, o.Seat) { // a seat may be asked several things at once
				seats = append(seats, o.Seat)
			}
		}
		if len(seats) == 0 { // the last move has been made, and the end is not yet recorded
			mod.Sentence = p.Text("status.ended")
			return
		}
		key := "status.watch"
		if mod.Seat != domain.Nobody {
			key = "status.awaits"
		}
		mod.Sentence = p.Text(key, "who", seats)
	}
}
