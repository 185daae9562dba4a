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
		again, err := v.decideAgain(i, v.states[n], fact)
		if errors.Is(err, errUnjudged) {
			continue
		}
		standsInAsThen(again, fact)
		v.must(err == nil, i, "the table does not allow this: %v", err)
		v.must(v.stands(i, again), i,
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

// judgeOf returns the judge of what an event says, at a table as it stood.
func (v *verifier) judgeOf(i int, t *domain.Table, meta events.Meta) *domain.Judge {
	return &domain.Judge{Table: t, By: meta.By, Door: meta.Door, At: time.UnixMilli(v.f.Events[i].At), Written: true,
		Opened: func(seat domain.Seat, since uint64) domain.Opening { return v.opened(t, seat, since) }}
}

// decideAgain asks the judge for the event that a command of its kind results in, by what was known then.
func (v *verifier) decideAgain(i int, t *domain.Table, fact domain.TableEvent) (domain.TableEvent, error) {
	j := v.judgeOf(i, t, v.metaOf(i))
	rewound := rewoundBy(fact)
	if rewound != nil {
		j.Next = rewound.Line
	}
	switch e := fact.(type) {
	case *domain.Opened:
		return v.openAgain(j, e)
	case *domain.Started:
		j.Next = e.Line
	case *domain.Agreed, *domain.Dismissed:
		if t.Proposal == nil {
			return nil, errors.New("nothing was proposed")
		}
	case *domain.Claimed:
		if len(t.Former) == 0 { // as after the loss of people.db: the server alone says who they are
			v.report.say("version %d of the table gives seat %s to another person, and the table "+
				"came from no other server", t.Version+1, e.Seat.Letter())
		}
	case *domain.Ended:
		return v.endAgain(i, j, e)
	case *domain.EndedSealed:
		if t.Branch == nil {
			return nil, errors.New("only a branch ends sealed")
		}
		j.Table = t.Clone()
		j.Table.Waits = true
		return v.endAgain(i, j, &domain.Ended{Reason: e.Reason, Line: e.Line, Version: e.Version, Points: e.Points,
			Seed: t.Seed})
	}
	j.Played = func(to uint64) (domain.Played, error) {
		main := v.mainThen(i, t, fact, to)
		if v.rulebook == nil { // whether the game shuffles anything anew is not known here
			main.Reshuffles = rewound != nil && rewound.Deal
		}
		return main, nil
	}
	return j.Decide(fact)
}

// openAgain leaves the options as they are, because there may be fewer of them than today: other code checks that
// they are the game's, and the line's set-up checks what follows from them.
func (v *verifier) openAgain(j *domain.Judge, e *domain.Opened) (domain.TableEvent, error) {
	if v.rulebook == nil {
		return nil, errUnjudged
	}
	j.Rulebook = v.rulebook
	again, err := j.Decide(e)
	if o, ok := again.(*domain.Opened); ok {
		o.Choices = e.Choices
	}
	return again, err
}

// mainThen returns what a decision had to know of the main line.
func (v *verifier) mainThen(i int, t *domain.Table, fact domain.TableEvent, to uint64) domain.Played {
	switch e := fact.(type) {
	case *domain.Proposed:
		return v.mainAt(i, t, e.Proposal.Line, to, e.Proposal.Seen)
	case *domain.Undone: // if the line was not folded, it takes the event's word for who else was asked
		main := v.mainAt(i, t, e.Rewound.Version, to, nil)
		if e.Grace && len(main.Awaits) == 0 {
			main.Awaits = []domain.Seat{domain.Nobody}
		}
		return main
	case *domain.Dismissed:
		if main, ok := t.Main(); ok {
			return domain.Played{Version: v.last[nameOf(main)]}
		}
	}
	return v.mainAt(i, t, t.Proposal.Line, to, t.Proposal.Seen)
}

// stands reports whether an event is what the record has.
func (v *verifier) stands(i int, e domain.TableEvent) bool {
	r := &v.f.Events[i]
	text, err := domain.WriteTableEvent(e, r.Type, r.Data)
	return err == nil && equalJSON(r.Data, text)
}

// endAgain decides the end again. Only if the whole line is open can it know whether the game had ended, and who won.
func (v *verifier) endAgain(i int, j *domain.Judge, e *domain.Ended) (domain.TableEvent, error) {
	j.Table = j.Table.Clone()
	j.Table.Seed = e.Seed
	if e.Reason == domain.EndAbandoned {
		return j.Decide(e)
	}
	main, ok := j.Table.Main()
	if !ok {
		return nil, errors.New("no line was played")
	}
	v.must(e.Line == main.Name && e.Version == v.last[nameOf(main)], i,
		"the table ended elsewhere than where its main line stands: events were cut off, or the end was altered")
	p := v.played[main.Name]
	if p == nil || p.line == nil {
		why := OpenLuck
		if slices.Contains(v.report.Open, OpenUnknown) {
			why = OpenUnknown
		}
		v.report.skip(why, "the end of the table was not judged: its main line was not")
		return nil, errUnjudged
	}
	j.Line = p.line
	j.Played = func(uint64) (domain.Played, error) {
		return domain.Played{Version: e.Version, First: 1, Ended: p.endedBy(e.Version)}, nil
	}
	again, err := j.Decide(e)
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
	v.must(e.Points == nil || slices.Equal(e.Points, *counted), i, "the points are others than those of the game: %v",
		*counted)
	*counted = e.Points // older programs gave none
	return again, nil
}
