package turn

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// maxSince is the most happenings that a turn tells; the timeline has the rest.
const maxSince = 40

// since tells what happened after the asker's own last move, and marks it on the board. What a mail of theirs played is
// told from its first move on, in the answer to it.
func (m *Maker) since(ctx context.Context, mod *Model, look desk.Look, past *past) error {
	after := uint64(0)
	if mod.Version > maxSince {
		after = mod.Version - maxSince
	}
	entries, err := m.desk.History(ctx, look, mod.Line, mod.Viewer, after, mod.Version)
	if err != nil {
		return err
	}
	from := 0
	if !mod.Main || mod.Version != mod.Last {
		from = max(0, len(entries)-1) // in history, only the move that led here
	} else if mod.Seat != domain.Nobody {
		for i, e := range entries {
			// in a team everybody has their own news
			mine := e.Event.Seat == mod.Seat && (e.Meta.By == mod.me || !look.Table.Places[mod.Seat].Team())
			if mine && !e.Forked && e.Event.Move != "" && e.Meta.Door != domain.DoorOrder &&
				e.Meta.Door != domain.DoorForced {
				from, mod.Moved, mod.Made = i+1, e.Record.At, mod.Made+1
			}
		}
		if from == len(entries) && from > 0 {
			from-- // the asker's own move was the last: show what it did
			mod.Own = true
		}
		if first := slices.IndexFunc(entries, func(e desk.Entry) bool {
			return e.Meta.Reply == mod.reply
		}); mod.reply != "" && first >= 0 {
			from = min(from, first)
		}
	} else {
		from = max(0, len(entries)-1)
	}
	for _, e := range entries[from:] {
		h, ok, err := past.tell(ctx, e)
		if err != nil {
			return err
		}
		if ok {
			if err := m.byMember(ctx, mod, look, e, &h); err != nil {
				return err
			}
			if len(h.Sentences) > 0 || !mod.Main || mod.Version != mod.Last {
				// a happening that says nothing is not news
				mod.Since = append(mod.Since, h)
			}
			mod.marks = append(mod.marks, &e.Event)
		}
	}
	return m.byOrders(ctx, mod.printer, look, mod.Line, mod.Viewer, mod.Since)
}

// byMember adds which team member moved, for the team's other members.
func (m *Maker) byMember(ctx context.Context, mod *Model, look desk.Look, e desk.Entry, h *Happening) error {
	if h.Seat == domain.Nobody || h.Seat != mod.Seat || e.Meta.By == "" || e.Meta.By == mod.me ||
		!look.Table.Places[h.Seat].Team() {
		return nil
	}
	who, err := m.NameAt(ctx, mod.printer, look.Table, e.Meta.By)
	if err == nil {
		h.Sentences = append(h.Sentences, mod.printer.Text("house.team.moved", "who", who))
	}
	return err
}

func tell(p words.Printer, rb domain.Rulebook, e desk.Entry, v domain.View) (Happening, bool) {
	h := Happening{Version: e.Record.Version, Stream: e.Record.Stream, At: e.Record.At, Seat: domain.Nobody}
	if e.Forked {
		return h, false
	}
	h.Seat, h.Move, h.ByOrder = e.Event.Seat, e.Event.Move, e.Meta.Door == domain.DoorOrder
	if h.Seat != domain.Nobody {
		h.Who = p.Name(h.Seat)
	}
	says := rb.Tell(&e.Event, v)
	h.Sentences, h.Subject = p.Lines(says), p.Subject(says)
	if e.Meta.Door == domain.DoorForced {
		h.Sentences = append(h.Sentences, p.Text("house.forced"))
	}
	return h, true
}

// Timeline tells a line's events in words, for a viewer, with versions above after and up to upTo (0: all). That
// includes the events of its ancestors before the fork.
func (m *Maker) Timeline(ctx context.Context, table, line events.Name, who Asker, after, upTo uint64) ([]Happening,
	error) {
	return m.timeline(ctx, table, line, who, after, upTo, false)
}

// TimelineWhole is [Maker.Timeline] with the numbered events that are no moves: the game was taken back, or continued
// from another table.
func (m *Maker) TimelineWhole(ctx context.Context, table, line events.Name, who Asker, after, upTo uint64) ([]Happening,
	error) {
	return m.timeline(ctx, table, line, who, after, upTo, true)
}

func (m *Maker) timeline(ctx context.Context, table, line events.Name, who Asker, after, upTo uint64,
	whole bool) ([]Happening, error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil {
		return nil, err
	}
	printer, names, err := m.Printer(ctx, look, who.Lang)
	if err != nil {
		return nil, err
	}
	viewer := who.viewer(look.Table)
	entries, err := m.desk.History(ctx, look, line, viewer, after, upTo)
	if err != nil {
		return nil, err
	}
	var out []Happening
	past := m.past(look, printer, names, who)
	for _, e := range entries {
		h, ok, err := past.tell(ctx, e)
		if err != nil {
			return nil, err
		}
		if whole && (e.Forked || e.Event.Seat == domain.Nobody) {
			why, err := past.opening(ctx, e.Record)
			if err != nil {
				return nil, err
			}
			h.Sentences = append(why, h.Sentences...)
		}
		if ok || whole {
			out = append(out, h)
		}
	}
	return out, m.byOrders(ctx, printer, look, line, viewer, out)
}

// Part is a part of what happened at a table besides the moves, oldest first.
type Part struct {
	Happenings []Happening
	Before     uint64 // the previous part ends below this version of the table; 0: there is none
}

// TableTimeline tells what happened at a table besides the moves, in a stretch of most versions that ends below before
// (0: with the latest). text opens what somebody wrote; it returns "" if that can no longer be read.
func (m *Maker) TableTimeline(ctx context.Context, table events.Name, who Asker, before, most uint64,
	text func(domain.PersonID, []byte) string) (Part, error) {
	look, err := m.desk.Look(ctx, table)
	if err != nil {
		return Part{}, err
	}
	printer, _, err := m.Printer(ctx, look, who.Lang)
	if err != nil {
		return Part{}, err
	}
	upTo := look.TableHead.Version
	if before > 0 {
		upTo = min(upTo, before-1)
	}
	if upTo == 0 {
		return Part{}, nil
	}
	var out Part
	after := uint64(0)
	if upTo > most {
		after, out.Before = upTo-most, upTo-most+1
	}
	entries, err := m.desk.TablePart(ctx, table, after, upTo)
	if err != nil {
		return Part{}, err
	}
	for _, e := range entries {
		h := Happening{Version: e.Record.Version, Stream: e.Record.Stream, At: e.Record.At, Seat: domain.Nobody,
			Table: true, By: e.Meta.By, News: isNews(e.Event)}
		_, h.Spoken = e.Event.(*domain.Said)
		_, h.Began = e.Event.(*domain.Started)
		_, h.Proposed = e.Event.(*domain.Proposed)
		_, h.Dismissed = e.Event.(*domain.Dismissed)
		says, err := m.tellTable(ctx, printer, look.Table, e.Event, text)
		if err != nil {
			return Part{}, err
		}
		h.Sentences, h.Subject = printer.Lines(says), printer.Subject(says)
		if len(says) > 0 {
			out.Happenings = append(out.Happenings, h)
		}
	}
	return out, nil
}

// Words returns what a table's opener wrote to those invited: the table's first line of chat, if nothing came before
// it. It returns "" if there is none, or text can no longer open it.
func (m *Maker) Words(ctx context.Context, table events.Name, text func(domain.PersonID, []byte) string) (string,
	error) {
	entries, err := m.desk.TablePart(ctx, table, 0, 2)
	if err != nil || len(entries) < 2 {
		return "", err
	}
	opened, _ := entries[0].Event.(*domain.Opened)
	said, ok := entries[1].Event.(*domain.Said)
	if !ok || opened == nil || said.Person != opened.Opener {
		return "", nil
	}
	return text(said.Person, said.Text), nil
}

// isNews reports whether people who were not there want to hear of a table's event. They know how they took their
// seats, and other mails or pages cover what they are asked or shown.
func isNews(e domain.TableEvent) bool {
	switch e := e.(type) {
	case *domain.Said, *domain.Dismissed, *domain.Resigned, *domain.Declined, *domain.Expired, *domain.Left,
		*domain.Started, *domain.HandedOver, *domain.Claimed, *domain.EndedElsewhere,
		*domain.TimedOut, *domain.Carried, *domain.Unanswered, *domain.Lent, *domain.Returned, *domain.Substituted,
		*domain.Withdrawn:
		return true
	case *domain.Agreed:
		return e.Rewound != nil || e.Paused != nil
	case *domain.Deferred:
		return e.Person != ""
	}
	return false
}

func (m *Maker) tellTable(ctx context.Context, p words.Printer, t *domain.Table, e domain.TableEvent,
	text func(domain.PersonID, []byte) string) ([]domain.Say, error) {
	var err error
	name := func(id domain.PersonID) string {
		n, e := m.NameAt(ctx, p, t, id)
		if e != nil {
			err = e
		}
		return n
	}
	var says []domain.Say
	switch e := e.(type) {
	case *domain.Opened:
		key := "table.opened"
		if e.Branch != nil {
			key = "table.branched"
		}
		says = []domain.Say{domain.S(key, "who", name(e.Opener))}
	case *domain.Proposed:
		says = append([]domain.Say{proposed(&e.Proposal, name(e.Proposal.By))}, rewound(e.Rewound)...)
		says = append(says, paused(e.Paused)...)
	case *domain.Undone:
		says = []domain.Say{domain.S("table.undone", "who", name(e.Person), "to", int(e.Rewound.Fork))}
	case *domain.Agreed:
		says = append([]domain.Say{domain.S("table.agreed", "who", name(e.Person))}, rewound(e.Rewound)...)
		says = append(says, paused(e.Paused)...)
	case *domain.Dismissed:
		if e.Person == "" {
			says = []domain.Say{domain.S("table.lapsed")}
		} else {
			says = []domain.Say{domain.S("table.dismissed", "who", name(e.Person))}
		}
	case *domain.Resigned:
		key := "table.resigned"
		if e.End != "" { // no stand-in plays on
			key = "table.resigned-last"
		}
		says = []domain.Say{domain.S(key, "who", name(e.Person), "letter", e.Seat.Letter())}
	case *domain.Contributed: // no news: they took a seat with it
	case *domain.Ended:
		says = []domain.Say{domain.S("table.ended." + string(e.Reason))}
	case *domain.EndedSealed:
		says = []domain.Say{domain.S("table.ended." + string(e.Reason)), domain.S("table.sealed")}
	case *domain.Said:
		if said := text(e.Person, e.Text); said != "" {
			says = []domain.Say{domain.S("table.said", "who", name(e.Person), "text", said)}
		}
	default:
		says = timed(e, name)
	}
	return says, err
}

// plainly tells an event of whose type there is one sentence, table.TYPE, by its members: who is its person, and letter
// that of its seat.
func plainly(e domain.TableEvent, name func(domain.PersonID) string) domain.Say {
	typ, _, _ := strings.Cut(domain.TableEventType(e), ".v")
	body, args := reflect.ValueOf(e).Elem(), domain.Args{}
	if f := body.FieldByName("Person"); f.IsValid() {
		args["who"] = name(domain.PersonID(f.String()))
	}
	if f := body.FieldByName("Seat"); f.IsValid() {
		args["letter"] = domain.Seat(f.Int()).Letter()
	}
	return domain.Say{Key: typ, Args: args}
}

func rewound(r *domain.Rewound) []domain.Say {
	switch {
	case r == nil:
		return nil
	case r.Fresh:
		return []domain.Say{domain.S("table.rewound-fresh", "to", int(r.Fork))}
	default:
		return []domain.Say{domain.S("table.rewound", "to", int(r.Fork))}
	}
}
