package record

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// What a record shows of a table's clock: the deadlines of everything that was asked, that nothing followed from a
// deadline before it had passed, and that deadlines only moved later. It cannot show whether a deadline fits its
// person's calendar, which is private.

// slack is how much less than its pace a deadline may lie ahead: the hour that clocks go forward, and the moment
// between working it out and writing it.
const slack = 2 * time.Hour

// dues checks the deadlines recorded with events.
func (v *verifier) dues() {
	for i, e := range v.each() {
		s := v.streams[e.Stream]
		if s.Table != v.f.Header.Table || s.Kind == events.KindSeat {
			continue
		}
		if v.partly() && !v.knownLine(e.Stream) && e.Version > uint64(len(v.facts)) {
			continue // what it opens is not known here
		}
		meta, clock := v.metaOf(i), v.table.Clock
		v.must(clock != nil || len(meta.Due) == 0, i, "it names a deadline, and the table has no clock")
		at := time.UnixMilli(e.At)
		for _, d := range meta.Due {
			opens := d.Seat == domain.Nobody && e.Type == "table.proposed.v1"
			if s.Kind == events.KindLine {
				opens = d.Seat >= 0 && int(d.Seat) < len(v.table.Places)
			}
			v.must(opens, i, "it names a deadline of what it does not open")
			if v.keptBack(s, e.Version, e.At, d) {
				continue
			}
			v.must(d.At.Sub(at) >= time.Duration(clock.Hours)*time.Hour-slack, i,
				"it leaves less time than the table's pace: until %s", d.At.Format(time.RFC3339))
		}
	}
}

// keptBack reports whether a deadline is one from before a step was taken back without consent: what is asked again
// keeps the time it had, in whichever of the lines taken back since.
func (v *verifier) keptBack(s events.Stream, version uint64, at int64, d events.Due) bool {
	l := v.line(s.Name.String())
	if l == nil || !l.Undo || version != l.Fork+1 {
		return false
	}
	before := v.states[l.Since-1]
	for i := range v.f.Events {
		e := &v.f.Events[i]
		if v.line(e.Stream.String()) == nil || e.Stream == s.Name {
			continue
		}
		for _, due := range v.metaOf(i).Due {
			was := domain.Deadline{Line: e.Stream.String(), Seat: due.Seat, Since: e.Version, At: due.At}
			if due.Seat == d.Seat && e.At <= at && before.Moved(was).At.Equal(d.At) {
				return true
			}
		}
	}
	return false
}

// deadline returns a deadline as a table last had it, as first written or as moved. ok is false if there was none.
func (v *verifier) deadline(t *domain.Table, d domain.Deadline) (domain.Deadline, bool) {
	if d.Seat == domain.Nobody {
		p := t.Proposal
		if p == nil || p.Since != d.Since || d.Line != "" {
			return d, false
		}
		d.At = p.Due
		d = t.Moved(d)
		return d, !d.At.IsZero()
	}
	main, ok := t.Main()
	if !ok || main.Name != d.Line {
		return d, false
	}
	name, err := events.ParseName(d.Line)
	if err != nil {
		return d, false
	}
	d.At = time.Time{}
	if i, ok := v.find(name, max(d.Since, main.Fork+1)); ok {
		for _, due := range v.metaOf(i).Due {
			if due.Seat == d.Seat {
				d.At = due.At
			}
		}
	}
	d = t.Moved(d)
	return d, !d.At.IsZero()
}

// kept checks that what an event says of a deadline is how it stood, and that it had passed.
func (v *verifier) kept(i int, t *domain.Table, d domain.Deadline, meta events.Meta) error {
	if meta.By != "" || meta.Door != events.DoorClock {
		return errors.New("it is the clock's own doing, by the door " + events.DoorClock)
	}
	stood, ok := v.deadline(t, d)
	switch {
	case !ok || !stood.At.Equal(d.At):
		return fmt.Errorf("the deadline was not %s", d.At.Format(time.RFC3339))
	case time.UnixMilli(v.f.Events[i].At).Before(d.At):
		return fmt.Errorf("the deadline, %s, had not passed", d.At.Format(time.RFC3339))
	}
	return nil
}

func (v *verifier) timedOutAgain(i int, t *domain.Table, e *domain.TimedOut, meta events.Meta) (domain.TableEvent,
	error) {
	if err := v.kept(i, t, e.Due, meta); err != nil {
		return nil, err
	}
	return t.TimeOut(e.Due)
}

func (v *verifier) deferredAgain(i int, t *domain.Table, e *domain.Deferred, meta events.Meta) (domain.TableEvent,
	error) {
	for _, d := range e.Due {
		stood, ok := v.deadline(t, d)
		switch {
		case !ok:
			return nil, errors.New("it moves a deadline that there was not")
		case !d.At.After(stood.At):
			return nil, fmt.Errorf("it moves a deadline to an earlier time, from %s to %s",
				stood.At.Format(time.RFC3339), d.At.Format(time.RFC3339))
		case e.Why == domain.DeferSpare && time.UnixMilli(v.f.Events[i].At).Before(stood.At):
			return nil, errors.New("a spare day is taken once the time is over")
		case meta.By != "" && d.Seat != domain.Nobody && !t.Places[d.Seat].Holds(meta.By):
			return nil, errors.New("it moves the deadline of somebody else's seat")
		}
	}
	clock := meta.By == "" && meta.Door == events.DoorClock
	switch e.Why {
	case domain.DeferSpare, domain.DeferHouse, domain.DeferMail:
		if !clock || e.Person != "" {
			return nil, errors.New("it is the clock's own doing")
		}
	case domain.DeferAway:
		if clock && e.Person == "" {
			break
		}
		if meta.By == "" || meta.By != e.Person {
			return nil, errors.New("whoever is away says so")
		}
		if e.Until.IsZero() {
			return t.Back(meta.By)
		}
		return t.Announce(meta.By, e.Until, e.Due)
	case domain.DeferAsked:
		if len(e.Due) != 1 || meta.By == "" || meta.By != e.Person {
			return nil, errors.New("whoever was nudged says how long they need")
		}
		if _, _, nudged := t.Nudge(e.Due[0].Line, e.Due[0].Seat, e.Due[0].Since); !nudged {
			return nil, errors.New("nobody was nudged")
		}
	default:
		return nil, errors.New("there is no such reason to move a deadline")
	}
	return t.Defer(e.Why, e.Person, e.Due)
}

// closedAgain decides again about a proposal whose time was over.
func (v *verifier) closedAgain(i int, t *domain.Table, since uint64, r *domain.Rewound, p *domain.Paused,
	meta events.Meta) (domain.TableEvent, error) {
	if t.Proposal == nil {
		return nil, errors.New("nothing was proposed")
	}
	d := t.Moved(domain.Deadline{Seat: domain.Nobody, Since: since, At: t.Proposal.Due})
	if err := v.kept(i, t, d, meta); err != nil {
		return nil, err
	}
	main := v.mainAt(i, t, t.Proposal.Line, t.Proposal.To, t.Proposal.Seen)
	return v.asProgramsDid(i, main, r, func(main domain.Played) (domain.TableEvent, error) {
		e, err := t.Close(since, main, lineOf(r))
		if c, ok := e.(*domain.Carried); ok && err == nil {
			err = v.pausedAgain(t, c.Paused, p)
		}
		return e, err
	})
}

// pausedAgain copies how a pause moved deadlines. It can only check that they moved later.
func (v *verifier) pausedAgain(t *domain.Table, again, stands *domain.Paused) error {
	if again == nil || stands == nil {
		return nil
	}
	for _, d := range stands.Due {
		stood, ok := v.deadline(t, d)
		if !ok || !d.At.After(stood.At) {
			return errors.New("a pause moves deadlines later")
		}
	}
	again.Due = stands.Due
	return nil
}

func (v *verifier) nudgedAgain(i int, t *domain.Table, e *domain.Nudged, meta events.Meta) (domain.TableEvent, error) {
	if off := time.UnixMilli(v.f.Events[i].At).Sub(e.At); off < 0 || off > slack {
		return nil, errors.New("it says another hour than it was")
	}
	return t.Remind(meta.By, e.Line, e.Seat, e.Since, e.At)
}

func (v *verifier) returnedAgain(t *domain.Table, e *domain.Returned, meta events.Meta) (domain.TableEvent, error) {
	if err := sameSeat(t, e.Seat, e.Due); err != nil {
		return nil, err
	}
	return t.Return(meta.By, e.Seat, e.Due)
}

// sameSeat checks that deadlines belong to a seat on the main line.
func sameSeat(t *domain.Table, seat domain.Seat, due []domain.Deadline) error {
	main, _ := t.Main()
	for _, d := range due {
		if d.Seat != seat || d.Line != main.Name {
			return errors.New("it names a deadline of another seat")
		}
	}
	return nil
}

// mayHaveTaken reports whether a stand-in could move, because of the clock, for a seat that people held.
func mayHaveTaken(p domain.TablePlace, line string, meta events.Meta) bool {
	return meta.By == "" && meta.Door == events.DoorClock && p.Humans() && p.Turn != nil && p.Turn.Line == line
}

// tookTurn checks that a move through the clock's door belongs to the turn whose time was over: it took the decision
// noted as timed out, or one that the stand-in's own move brought up.
func (v *verifier) tookTurn(line *domain.Line, name events.Name, i int, e *domain.Event) {
	if v.metaOf(i).Door != events.DoorClock {
		return
	}
	for _, t := range v.statesAt(v.f.Events[i].At) {
		if e.Seat < 0 || int(e.Seat) >= len(t.Places) || t.Places[e.Seat].Turn == nil {
			continue
		}
		turn := t.Places[e.Seat].Turn
		if slices.ContainsFunc(line.Awaited(), func(o domain.Open) bool {
			return o.Seat == e.Seat && (o.Since == turn.Since || v.byClock(name, o.Since, e.Seat))
		}) {
			return
		}
	}
	v.must(false, i, "a stand-in took a turn whose time was not over")
}

// byClock reports whether a seat's stand-in made a move because of the clock.
func (v *verifier) byClock(line events.Name, version uint64, seat domain.Seat) bool {
	i, ok := v.find(line, version)
	if !ok {
		return false
	}
	return v.metaOf(i).Door == events.DoorClock && v.publicOf(i).Seat == seat
}

// undoAgain decides again about a step taken back. If the line was not folded, it takes the event's word for who else
// was asked; even then the grace must not have been over.
func (v *verifier) undoAgain(i int, t *domain.Table, e *domain.Undone, meta events.Meta) (domain.TableEvent, error) {
	if e.Rewound == nil {
		return nil, errors.New("it takes nothing back")
	}
	main := v.mainAt(i, t, e.Rewound.Version, e.Rewound.Fork, nil)
	if e.Grace && len(main.Awaits) == 0 {
		main.Awaits = []domain.Seat{domain.Nobody}
	}
	return t.Undo(meta.By, e.Rewound.Fork, main, e.Rewound.Line,
		time.UnixMilli(v.f.Events[i].At).Add(-desk.GraceSlack))
}
