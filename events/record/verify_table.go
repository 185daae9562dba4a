package record

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// foldTable folds the table's stream, keeps the table's state before each event, and checks the seed against the
// commitment.
func (v *verifier) foldTable() {
	v.table = &domain.Table{}
	for i, e := range v.each() {
		if e.Stream != v.f.Header.Table {
			continue
		}
		if v.strange(i) {
			break
		}
		rec := e.record()
		te, err := events.DecodeTable(&rec, nil)
		v.must(err == nil, i, "the event cannot be what a server wrote: %v", err)
		v.readSeed(i, te)
		v.states, v.facts = append(v.states, v.table.Clone()), append(v.facts, te)
		v.table.Apply(te)
		err = events.NoteProposalDue(v.table, &rec)
		v.must(err == nil, i, "%v", err)
	}
	mustAt(v.last[v.f.Header.Table] > 0, v.f.Header.Table, 1, "the record holds no event of its table")
	v.states = append(v.states, v.table)
	for _, l := range v.table.Lines {
		name, err := events.ParseName(l.Name)
		i, _ := v.tableEvent(l.Since)
		v.must(err == nil, i, "line %q: %v", l.Name, err)
		v.lines = append(v.lines, namedLine{l, name})
	}
}

// readSeed reads the seed where it is open: in the opening's secret part, and in the end.
func (v *verifier) readSeed(i int, te domain.TableEvent) {
	e := &v.f.Events[i]
	if te, ok := te.(*domain.Opened); ok {
		v.must(len(e.Parts) == 1 && e.Parts[0].To == domain.To(), i,
			"an opening commits to its seed, with one secret part that is for nobody")
		if text := e.Parts[0].Text; text != nil {
			err := te.Seed.UnmarshalText([]byte(*text))
			v.must(err == nil, i, "the seed: %v", err)
			v.must(*text == strings.ToLower(*text), i, "the seed: %v", "its digits are not lower-case")
			v.seed = true
		}
		return
	}
	if seed, ok := revealed(te); ok {
		v.must(v.seed, i, "the seed is open, but the commitment at the opening is not")
		var said struct{ Seed string }
		err := json.Unmarshal(e.Data, &said)
		v.must(err == nil && seed == v.table.Seed && said.Seed == strings.ToLower(said.Seed), i,
			"the seed is not the one that was committed to")
	}
	v.must(len(e.Parts) == 0, i, "%s has no secret parts", e.Type)
}

// revealed returns the seed that an event gives in plain. ok is false if it gives none.
func revealed(e domain.TableEvent) (seed domain.Key, ok bool) {
	switch e := e.(type) {
	case *domain.Ended:
		return e.Seed, true
	case *domain.Unsealed:
		return e.Seed, true
	case *domain.EndedElsewhere:
		return e.Seed, true
	}
	return seed, false
}

// errUnjudged is why an event of a table was not judged.
var errUnjudged = errors.New("not judged")

// judgeTable decides every event of the table again, from the table's earlier state, as the person and door that its
// meta names, and compares. It judges the opening first, because the lines follow from it.
func (v *verifier) judgeTable(from, to int) {
	for n := from; n < to; n++ {
		fact := v.facts[n]
		i, ok := v.tableEvent(uint64(n + 1))
		if !ok {
			continue // a forged fork of the table's stream: the header was already refused
		}
		v.now = i
		if v.goesBackOverUnknown(v.states[n], fact) {
			continue
		}
		again, err := v.decideAgain(i, v.states[n], fact, v.metaOf(i))
		if errors.Is(err, errUnjudged) {
			continue
		}
		standsInAsThen(again, fact)
		v.must(err == nil, i, "the table does not allow this: %v", err)
		v.must(domain.TableEventType(again) == v.f.Events[i].Type && v.stands(i, again), i,
			"what follows from the table as it stood is something else than what stands here")
	}
}

// standsInAsThen gives an absent seat to the stand-in that the house used at the time: an earlier program used
// another one.
func standsInAsThen(again, fact domain.TableEvent) {
	as := func(again *string, fact string) {
		if *again != "" && slices.Contains(domain.HouseStandIns, fact) {
			*again = fact
		}
	}
	switch a := again.(type) {
	case *domain.Resigned:
		if f, ok := fact.(*domain.Resigned); ok {
			as(&a.StandIn, f.StandIn)
		}
	case *domain.Lent:
		if f, ok := fact.(*domain.Lent); ok {
			as(&a.StandIn, f.StandIn)
		}
	case *domain.TimedOut:
		if f, ok := fact.(*domain.TimedOut); ok {
			as(&a.StandIn, f.StandIn)
		}
	}
}

// decideAgain returns the event that a command of its kind results in.
func (v *verifier) decideAgain(i int, t *domain.Table, fact domain.TableEvent, meta events.Meta) (domain.TableEvent,
	error) {
	if _, ok := fact.(*domain.Opened); ok != (t.Version == 0) {
		return nil, errors.New("a table begins with its opening, and is opened once")
	}
	switch e := fact.(type) {
	case *domain.Opened:
		return v.openAgain(i, e, meta)
	case *domain.Invited:
		return v.inviteAgain(i, t, e, meta)
	case *domain.Expired:
		return v.expireAgain(i, t, e, meta)
	case *domain.Joined:
		return t.Join(meta.By, e.Seat, e.Bytes)
	case *domain.Declined:
		return t.Decline(meta.By, e.Seat, e.Person)
	case *domain.Placed:
		return t.Fill(meta.By, e.Seat, e.Place)
	case *domain.Proposed:
		return v.proposeAgain(i, t, e, meta)
	case *domain.Agreed:
		return v.agreeAgain(i, t, e, meta)
	case *domain.Undone:
		return v.undoAgain(i, t, e, meta)
	case *domain.Dismissed:
		return v.dismissAgain(t, meta)
	case *domain.Resigned:
		return t.Resign(meta.By, e.Seat)
	case *domain.Left:
		return t.LeaveTeam(meta.By, e.Seat)
	case *domain.Said:
		return t.Chat(meta.By, e.Text)
	case *domain.Deferred:
		return v.deferredAgain(i, t, e, meta)
	case *domain.TimedOut:
		return v.timedOutAgain(i, t, e, meta)
	case *domain.Carried:
		return v.closedAgain(i, t, e.Since, e.Rewound, e.Paused, meta)
	case *domain.Unanswered:
		return v.closedAgain(i, t, e.Since, nil, nil, meta)
	case *domain.Nudged:
		return v.nudgedAgain(i, t, e, meta)
	case *domain.Lent:
		return t.Lend(meta.By, e.Seat)
	case *domain.Offered: // it does not check again that the seat was still awaited and out of time
		return t.OfferSeat(meta.By, e.Seat, e.Person, true)
	case *domain.Withdrawn:
		return t.WithdrawOffer(meta.By, e.Seat)
	case *domain.Substituted:
		if err := sameSeat(t, e.Seat, e.Due); err != nil {
			return nil, err
		}
		return t.TakeOver(meta.By, e.Seat, e.Due)
	case *domain.Returned:
		return v.returnedAgain(t, e, meta)
	case *domain.Claimed:
		if len(t.Former) == 0 { // as after the loss of people.db: the server alone says who they are
			v.report.say("version %d of the table gives seat %s to another person, and the table "+
				"came from no other server", t.Version+1, e.Seat.Letter())
		}
		return t.Claim(meta.By, e.Seat, e.Was)
	case *domain.Ended:
		return v.endAgain(i, t, e, meta)
	case *domain.EndedSealed:
		return v.endSealedAgain(i, t, e, meta)
	case *domain.Unsealed: // this record does not say whether its ancestors had ended
		return byHouse(meta, "runner", t.Unseal)
	case *domain.EndedElsewhere: // this record does not hold what the other server's says
		end := domain.Ended{Reason: e.Reason, Line: e.Line, Version: e.Version, Ranks: e.Ranks, Points: e.Points,
			Seed: e.Seed}
		return byHouse(meta, "host", func() (domain.TableEvent, error) { return t.Conclude(end) })
	case *domain.Started:
		return byHouse(meta, "runner", func() (domain.TableEvent, error) { return t.Start(e.Line) })
	case *domain.HandedOver:
		return byHouse(meta, "host", func() (domain.TableEvent, error) { return t.HandOver(e.To) })
	case *domain.Arrived:
		return byHouse(meta, "host", func() (domain.TableEvent, error) {
			return t.Arrive(e.Key, e.Receipts, e.Closing)
		})
	}
	return nil, errors.New("no command of this server comes to " + domain.TableEventType(fact))
}

// byHouse decides a command that nobody typed.
func byHouse(meta events.Meta, door string, decide func() (domain.TableEvent, error)) (domain.TableEvent, error) {
	if meta.By != "" || meta.Door != door {
		return nil, errors.New("it is the house's own doing, by the door " + door)
	}
	return decide()
}

// openAgain leaves the options as they are, because there may be fewer of them than today: other code checks that
// they are the game's, and the line's set-up checks what follows from them.
func (v *verifier) openAgain(i int, e *domain.Opened, meta events.Meta) (domain.TableEvent, error) {
	if v.rulebook == nil {
		return nil, errUnjudged
	}
	if meta.By == "" {
		return nil, errors.New("nobody opened it")
	}
	again, err := domain.OpenTable(v.rulebook, meta.By, e.Choices, e.Places, e.Pace, e.Given, e.Branch, e.Seed)
	if err != nil {
		return nil, err
	}
	if err := v.lasts(i, e.Until); err != nil {
		return nil, err
	}
	again.Choices, again.Clock, again.NoUndo, again.Grace, again.Listed, again.Until = e.Choices, e.Clock, e.NoUndo,
		e.Grace, e.Listed, e.Until
	again.KeepsLuck = e.KeepsLuck
	return again, errors.Join(e.Clock.Check(), domain.CheckGrace(e.Grace, e.NoUndo))
}

func (v *verifier) proposeAgain(i int, t *domain.Table, e *domain.Proposed, meta events.Meta) (domain.TableEvent,
	error) {
	main := v.mainAt(i, t, e.Proposal.Line, e.Proposal.To, e.Proposal.Seen)
	return v.asProgramsDid(i, main, e.Rewound, func(main domain.Played) (domain.TableEvent, error) {
		switch e.Proposal.Kind {
		case domain.ProposeEnd:
			return t.ProposeEnd(meta.By, e.Proposal.Reason, main)
		case domain.ProposePause:
			again, err := t.ProposePause(meta.By, e.Proposal.Until, time.UnixMilli(v.f.Events[i].At), e.Proposal.Reason,
				main)
			if p, ok := again.(*domain.Proposed); ok && err == nil {
				err = v.pausedAgain(t, p.Paused, e.Paused)
			}
			return again, err
		}
		return t.ProposeRewind(meta.By, e.Proposal.To, e.Proposal.Fresh, e.Proposal.Reason, main, lineOf(e.Rewound))
	})
}

func (v *verifier) agreeAgain(i int, t *domain.Table, e *domain.Agreed, meta events.Meta) (domain.TableEvent, error) {
	p := t.Proposal
	if p == nil {
		return nil, errors.New("nothing was proposed")
	}
	main := v.mainAt(i, t, p.Line, p.To, p.Seen)
	return v.asProgramsDid(i, main, e.Rewound, func(main domain.Played) (domain.TableEvent, error) {
		again, err := t.Agree(meta.By, p.Since, main, lineOf(e.Rewound))
		if a, ok := again.(*domain.Agreed); ok && err == nil {
			err = v.pausedAgain(t, a.Paused, e.Paused)
		}
		return again, err
	})
}

// asProgramsDid decides about a rewind as this program does and, if the event differs, as programs did before hidden
// cards counted; the report says so if that matches.
func (v *verifier) asProgramsDid(i int, main domain.Played, r *domain.Rewound,
	decide func(domain.Played) (domain.TableEvent, error)) (domain.TableEvent, error) {
	if v.rulebook == nil { // whether the game shuffles anything anew is not known here
		main.Reshuffles = r != nil && r.Deal
	}
	e, err := decide(main)
	if err == nil && v.stands(i, e) {
		return e, nil
	}
	if main.Dealt > 0 || v.table.KeepsLuck { // which no program of that time wrote
		return e, err
	}
	before, errBefore := decide(main.Before())
	if errBefore == nil && v.stands(i, before) {
		v.report.skip(OpenOlder, "version %d of the table is as older programs decided it: hidden cards that were "+
			"seen are not counted, and what was shuffled unseen does not come again", v.f.Events[i].Version)
		return before, nil
	}
	return e, err
}

// stands reports whether an event is what the record has.
func (v *verifier) stands(i int, e domain.TableEvent) bool {
	data, err := json.Marshal(e)
	return err == nil && equalJSON(v.f.Events[i].Data, data)
}

func lineOf(r *domain.Rewound) string {
	if r == nil {
		return ""
	}
	return r.Line
}

func (v *verifier) dismissAgain(t *domain.Table, meta events.Meta) (domain.TableEvent, error) {
	p := t.Proposal
	if p == nil {
		return nil, errors.New("nothing was proposed")
	}
	if meta.By != "" {
		return t.Dismiss(meta.By, p.Since)
	}
	return byHouse(meta, "runner", func() (domain.TableEvent, error) {
		head := p.Line
		if main, ok := t.Main(); ok {
			head = v.last[nameOf(main)]
		}
		if !t.Overtaken(head) {
			return nil, errors.New("nothing has overtaken the proposal")
		}
		return t.Lapse(p.Since)
	})
}

// endSealedAgain decides again the end of a branch that ended while one of its ancestors was running.
func (v *verifier) endSealedAgain(i int, t *domain.Table, e *domain.EndedSealed, meta events.Meta) (domain.TableEvent,
	error) {
	if t.Branch == nil {
		return nil, errors.New("only a branch ends sealed")
	}
	t = t.Clone()
	t.Waits = true
	return v.endAgain(i, t, &domain.Ended{Reason: e.Reason, Line: e.Line, Version: e.Version, Points: e.Points,
		Seed: t.Seed}, meta)
}

// endAgain decides the end again. Only if the whole line is open can it know whether the game had ended, and who won.
func (v *verifier) endAgain(i int, t *domain.Table, e *domain.Ended, meta events.Meta) (domain.TableEvent, error) {
	t = t.Clone()
	t.Seed = e.Seed
	if e.Reason == domain.EndAbandoned {
		return t.Abandon(meta.By)
	}
	main, ok := t.Main()
	if !ok {
		return nil, errors.New("no line was played")
	}
	v.must(e.Line == main.Name && e.Version == v.last[nameOf(main)], i,
		"the table ended elsewhere than where its main line stands: events were cut off, or the end was altered")
	p := v.played[main.Name]
	if p == nil || p.standing == nil {
		why := OpenLuck
		if slices.Contains(v.report.Open, OpenUnknown) {
			why = OpenUnknown
		}
		v.report.skip(why, "the end of the table was not judged: its main line was not")
		return nil, errUnjudged
	}
	return byHouse(meta, "runner", func() (domain.TableEvent, error) {
		return v.finishAgain(i, t, domain.Played{Version: e.Version, First: 1, Ended: p.endedBy(e.Version)},
			*p.standing, e.Points)
	})
}

// finishAgain decides the end again, and checks the points in it against the standing. Older programs gave none.
func (v *verifier) finishAgain(i int, t *domain.Table, main domain.Played, standing domain.Standing,
	points []int) (domain.TableEvent, error) {
	again, err := t.Finish(main, standing)
	if err != nil {
		return nil, err
	}
	var counted *[]int
	switch e := again.(type) {
	case *domain.Ended:
		counted = &e.Points
	case *domain.EndedSealed:
		counted = &e.Points
	}
	v.must(points == nil || slices.Equal(points, *counted), i, "the points are others than those of the game: %v",
		*counted)
	*counted = points
	return again, nil
}
