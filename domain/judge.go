package domain

import (
	"errors"
	"fmt"
	"reflect"
	"time"
)

// A command at a table is the event that it wants: what follows from it is the judge's to add. So the desk, which
// asks before the event is written, and whoever verifies it afterwards go by the same judgement.

// The doors that commands come through.
const (
	DoorPage   = "page"   // a page, or the page of a link in a mail
	DoorAPI    = "api"    // a program
	DoorReply  = "reply"  // an answer to a mail
	DoorRunner = "runner" // what follows on its own, and the moves of stand-ins
	DoorOrder  = "order"  // moves that a standing order made
	DoorForced = "forced" // moves that everybody could see were the only ones
	DoorHost   = "host"   // a sub-command
	DoorClock  = "clock"  // what follows from a deadline, and the turns that stand-ins then take
)

// Doors lists all doors.
var Doors = []string{DoorPage, DoorReply, DoorAPI, DoorOrder, DoorForced, DoorRunner, DoorClock, DoorHost}

// Judge decides what may happen at a table.
type Judge struct {
	Table *Table
	By    PersonID // whose command it is; nobody's is the house's own
	Door  string
	At    time.Time // when it is given or, of a written event, when that was written
	Next  string    // the name of the line that it opens, if it opens one
	Line  *Line     // the main line; nil if it has no event yet, or is not known
	// Played returns what must be known of the main line for going back to a version; 0 is for going nowhere.
	Played func(to uint64) (Played, error)
	// Opened says what is written with the event of the main line that brought up a seat's decision, by its version.
	Opened func(seat Seat, since uint64) Opening
	// Rulebook is the game of a table to be opened.
	Rulebook Rulebook
	// Written says that the event is in the log already. Then it may have been judged a moment before its time, and
	// what is not known of the line is not judged.
	Written bool
}

// Opening is what stands beside the event that brought up a decision.
type Opening struct {
	Since uint64
	Due   time.Time // the deadline as written; zero for none
	Clock bool      // it is a move of the same seat that a stand-in made because of the clock
}

// GraceSlack allows for the time between judging a step taken back and writing it.
const GraceSlack = 10 * time.Second

// TimeSlack is how much less than it should a time in a written event may lie ahead: the hour that clocks go forward,
// and the moment between working it out and writing it.
const TimeSlack = 2 * time.Hour

// Decide returns the wanted event with what follows from it, or why it may not happen: a *[Refusal] if people may be
// told.
func (j *Judge) Decide(want TableEvent) (TableEvent, error) {
	if _, opens := want.(*Opened); opens != (j.Table.Version == 0) {
		return nil, errors.New("a table begins with its opening, and is opened once")
	}
	row := rowOf(want)
	e, err := row.judge(j, want)
	if j.Written && err == nil && row.newer != "" && row.typ == reflect.TypeOf(e) && !row.is(want) {
		return row.lacks(e), nil // as the program judged that wrote it
	}
	return e, err
}

// own answers the house, to whom alone something is left, by one door.
func (j *Judge) own(door string, answer func() (TableEvent, error)) (TableEvent, error) {
	if j.By != "" || j.Door != door {
		return nil, errors.New("it is the house's own doing, by the door " + door)
	}
	return answer()
}

// Follows returns the event that must follow at a table by itself, as it stands with its main line; nil for none.
func (t *Table) Follows(line *Line) TableEvent {
	switch {
	case t.Status == TableOpen && t.Full():
		return &Started{}
	case t.Sealed() && !t.Waits:
		return &Unsealed{}
	case t.Status != TableStarted || line == nil:
	case t.Overtaken(line.Version):
		return &Dismissed{Since: t.Proposal.Since}
	case t.Due != "" || line.Over():
		return &Ended{}
	}
	return nil
}

// reason is a refusal that says in a verifier's report what was wrong.
type reason struct {
	error
	why string
}

func (r *reason) Error() string { return r.why }
func (r *reason) Unwrap() error { return r.error }

func because(refused error, format string, args ...any) error {
	return &reason{refused, fmt.Sprintf(format, args...)}
}

// slack returns how much a time may be off: nothing, before the event is written.
func (j *Judge) slack(most time.Duration) time.Duration {
	if j.Written {
		return most
	}
	return 0
}

// since returns the version of the proposal that an answer is to. A written answer does not say it.
func (j *Judge) since(wanted uint64) uint64 {
	if p := j.Table.Proposal; j.Written && p != nil {
		return p.Since
	}
	return wanted
}

// Stood returns a deadline as it stands, as first written or as moved. ok is false if there is none.
func (j *Judge) Stood(d Deadline) (Deadline, bool) {
	if d.Seat == Nobody {
		p := j.Table.Proposal
		if p == nil || p.Since != d.Since || d.Line != "" {
			return d, false
		}
		d.At = p.Due
	} else {
		main, ok := j.Table.Main()
		if !ok || main.Name != d.Line {
			return d, false
		}
		d.At = j.Opened(d.Seat, d.Since).Due
	}
	d = j.Table.Moved(d)
	return d, !d.At.IsZero()
}

// over refuses what follows from a deadline unless the deadline is how it stands, and has passed.
func (j *Judge) over(d Deadline) error {
	if j.By != "" || j.Door != DoorClock {
		return errors.New("it is the clock's own doing, by the door " + DoorClock)
	}
	stood, ok := j.Stood(d)
	switch {
	case !ok || !stood.At.Equal(d.At):
		return because(Refuse("overtaken"), "the deadline was not %s", d.At.Format(time.RFC3339))
	case j.At.Before(d.At):
		return because(Refuse("not-due"), "the deadline, %s, had not passed", d.At.Format(time.RFC3339))
	}
	return nil
}

// pauses lets a pause move the deadlines that were worked out for it.
func (j *Judge) pauses(p, want *Paused) error {
	if p == nil || want == nil {
		return nil
	}
	for _, d := range want.Due {
		stood, ok := j.Stood(d)
		if !ok || !d.At.After(stood.At) {
			return errors.New("a pause moves deadlines later")
		}
	}
	p.Due = want.Due
	return nil
}

// sitDown judges whether somebody may take up a seat, and names new deadlines of that seat alone.
func (j *Judge) sitDown(seat Seat, due []Deadline,
	may func(PersonID, Seat, []Deadline) (TableEvent, error)) (TableEvent, error) {
	main, _ := j.Table.Main()
	for _, d := range due {
		if d.Seat != seat || d.Line != main.Name {
			return nil, errors.New("it names a deadline of another seat")
		}
	}
	return may(j.By, seat, due)
}

// lasts refuses invitations that are good for less time than any are. Those of older programs are good forever.
func (j *Judge) lasts(until time.Time) error {
	if !until.IsZero() && until.Sub(j.At) < InvitationLasts-TimeSlack {
		return errors.New("its invitations are good for less time than any are")
	}
	return nil
}

func (j *Judge) open(e *Opened) (TableEvent, error) {
	if j.By == "" {
		return nil, errors.New("nobody opened it")
	}
	again, err := OpenTable(j.Rulebook, j.By, e.Choices, e.Places, e.Pace, e.Given, e.Branch, e.Seed)
	if err != nil {
		return nil, err
	}
	again.Clock, again.NoUndo, again.Grace, again.Listed, again.Until = e.Clock, e.NoUndo, e.Grace, e.Listed, e.Until
	if err := j.lasts(e.Until); err != nil {
		return nil, err
	}
	if err := e.Clock.Check(); err != nil {
		return nil, err
	}
	return again, CheckGrace(e.Grace, e.NoUndo)
}

func (j *Judge) invite(e *Invited) (TableEvent, error) {
	if err := j.lasts(e.Until); err != nil {
		return nil, err
	}
	again, err := j.Table.Invite(j.By, e.Seat, e.Person)
	if invited, ok := again.(*Invited); ok {
		invited.Until = e.Until
	}
	return again, err
}

func (j *Judge) propose(e *Proposed) (TableEvent, error) {
	p := e.Proposal
	main, err := j.Played(p.To)
	if err != nil {
		return nil, err
	}
	switch p.Kind {
	case ProposeEnd:
		return j.Table.ProposeEnd(j.By, p.Reason, main)
	case ProposePause:
		again, err := j.Table.ProposePause(j.By, p.Until, j.At, p.Reason, main)
		if a, ok := again.(*Proposed); ok {
			err = j.pauses(a.Paused, e.Paused)
		}
		return again, err
	}
	return j.Table.ProposeRewind(j.By, p.To, p.Fresh, p.Reason, main, j.Next)
}

func (j *Judge) agree(e *Agreed) (TableEvent, error) {
	to := uint64(0)
	if p := j.Table.Proposal; p != nil {
		to = p.To
	}
	main, err := j.Played(to)
	if err != nil {
		return nil, err
	}
	again, err := j.Table.Agree(j.By, j.since(e.Since), main, j.Next)
	if a, ok := again.(*Agreed); ok {
		err = j.pauses(a.Paused, e.Paused)
	}
	return again, err
}

// dismiss lets a person end a proposal; without one it lapses.
func (j *Judge) dismiss(e *Dismissed) (TableEvent, error) {
	if j.By != "" {
		return j.Table.Dismiss(j.By, j.since(e.Since))
	}
	return j.own(DoorRunner, func() (TableEvent, error) { return j.lapse(e) })
}

func (j *Judge) lapse(e *Dismissed) (TableEvent, error) {
	main, err := j.Played(0)
	if err != nil {
		return nil, err
	}
	again, err := j.Table.Lapse(j.since(e.Since))
	if err == nil && !j.Table.Overtaken(main.Version) {
		return nil, because(Refuse("no-proposal"), "nothing has overtaken the proposal")
	}
	return again, err
}

// closeProposal ends a proposal whose time is over.
func (j *Judge) closeProposal(since uint64, paused *Paused) (TableEvent, error) {
	p := j.Table.Proposal
	if p == nil {
		return nil, because(Refuse("no-proposal"), "nothing was proposed")
	}
	if err := j.over(j.Table.Moved(Deadline{Seat: Nobody, Since: since, At: p.Due})); err != nil {
		return nil, err
	}
	main, err := j.Played(p.To)
	if err != nil {
		return nil, err
	}
	e, err := j.Table.Close(since, main, j.Next)
	if c, ok := e.(*Carried); ok {
		err = j.pauses(c.Paused, paused)
	}
	return e, err
}

func (j *Judge) undo(e *Undone) (TableEvent, error) {
	if e.Rewound == nil {
		return nil, errors.New("it takes nothing back")
	}
	main, err := j.Played(e.Rewound.Fork)
	if err != nil {
		return nil, err
	}
	main.Shared = main.Shared && !j.Written // programs once took such a step back
	return j.Table.Undo(j.By, e.Rewound.Fork, main, j.Next, j.At.Add(-j.slack(GraceSlack)))
}

func (j *Judge) moveDeadlines(e *Deferred) (TableEvent, error) {
	for _, d := range e.Due {
		if err := j.moves(e.Why, d); err != nil {
			return nil, err
		}
	}
	clock := j.By == "" && j.Door == DoorClock
	own := j.By != "" && j.By == e.Person
	switch e.Why {
	case DeferSpare, DeferHouse, DeferMail:
		if !clock || e.Person != "" {
			return nil, errors.New("it is the clock's own doing")
		}
	case DeferAway:
		switch {
		case clock && e.Person == "":
		case !own:
			return nil, errors.New("whoever is away says so")
		case e.Until.IsZero():
			return j.Table.Back(j.By)
		default:
			return j.Table.Announce(j.By, e.Until, e.Due)
		}
	case DeferAsked:
		if len(e.Due) != 1 || !own {
			return nil, errors.New("whoever was nudged says how long they need")
		}
		if _, _, nudged := j.Table.Nudge(e.Due[0].Line, e.Due[0].Seat, e.Due[0].Since); !nudged {
			return nil, because(Refuse("not-nudged"), "nobody was nudged")
		}
	default:
		return nil, errors.New("there is no such reason to move a deadline")
	}
	return j.Table.Defer(e.Why, e.Person, e.Due)
}

// moves refuses to move a deadline that there is not, or to an earlier time, or that is not the mover's.
func (j *Judge) moves(why DeferReason, d Deadline) error {
	stood, ok := j.Stood(d)
	switch {
	case !ok:
		return errors.New("it moves a deadline that there was not")
	case !d.At.After(stood.At):
		return because(Refuse("no-deadline"), "it moves a deadline to an earlier time, from %s to %s",
			stood.At.Format(time.RFC3339), d.At.Format(time.RFC3339))
	case why == DeferSpare && j.At.Before(stood.At):
		return because(Refuse("not-due"), "a spare day is taken once the time is over")
	case j.By != "" && d.Seat != Nobody && !j.Table.Places[d.Seat].Holds(j.By):
		return errors.New("it moves the deadline of somebody else's seat")
	}
	return nil
}

func (j *Judge) nudge(e *Nudged) (TableEvent, error) {
	if off := j.At.Sub(e.At); off < 0 || off > TimeSlack {
		return nil, errors.New("it says another hour than it was")
	}
	return j.Table.Remind(j.By, e.Line, e.Seat, e.Since, e.At)
}

// offer does not know, of an event that is written, whether the seat was still awaited and out of time.
func (j *Judge) offer(e *Offered) (TableEvent, error) {
	again, err := j.Table.OfferSeat(j.By, e.Seat, e.Person, j.Written || j.overdue(e.Seat))
	if err == nil && !j.Written && j.Table.HasSeen(e.Person, e.Seat) {
		return nil, Refuse("seated-before", "seat", e.Seat)
	}
	return again, err
}

// overdue reports whether a seat is awaited and its time noted as over.
func (j *Judge) overdue(seat Seat) bool {
	main, _ := j.Table.Main()
	if j.Line == nil || j.Table.Clock == nil || j.Table.playing() != nil {
		return false
	}
	for _, o := range j.Line.Awaited() {
		d, _ := j.Stood(Deadline{Line: main.Name, Seat: o.Seat, Since: o.Since})
		if o.Seat == seat && j.Table.Passed(d) {
			return true
		}
	}
	return false
}

func (j *Judge) timeOut(e *TimedOut) (TableEvent, error) {
	if err := j.over(e.Due); err != nil {
		return nil, err
	}
	return j.Table.TimeOut(e.Due)
}

func (j *Judge) expire(e *Expired) (TableEvent, error) {
	return j.own(DoorClock, func() (TableEvent, error) {
		if j.At.Before(j.Table.AskedUntil(e.Seat, e.Person).Add(-j.slack(TimeSlack))) {
			return nil, because(Refuse("not-due"), "an invitation ends before its time is over")
		}
		return j.Table.Expire(e.Seat, e.Person)
	})
}

func (j *Judge) ended(e *Ended) (TableEvent, error) {
	if e.Reason == EndAbandoned {
		return j.Table.Abandon(j.By)
	}
	return j.own(DoorRunner, j.end)
}

// end notes the end of play, with what its readers may know of the standing.
func (j *Judge) end() (TableEvent, error) {
	main, err := j.Played(0)
	if err != nil {
		return nil, err
	}
	viewer := Referee
	if j.Table.Waits { // its secrets stay shut
		viewer = Spectator
	}
	return j.Table.Finish(main, j.Line.Rulebook.Standing(j.Line.State, viewer))
}
