package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// origins checks that an event of the table opened each of the table's lines, and that none is missing.
func (v *verifier) origins() {
	for n, l := range v.lines {
		cause, _ := v.tableEvent(l.Since)
		s, ok := v.streams[l.name]
		if !ok && n == len(v.lines)-1 && v.table.Status == domain.TableStarted {
			continue // decided, but not opened yet when the record was written
		}
		if !ok {
			panic(&Fault{Line: v.f.lines[cause], Stream: l.name, Version: l.Fork + 1,
				What: fmt.Sprintf("the line that version %d of the table opened is missing", l.Since)})
		}
		v.origin(l.TableLine, s, cause)
		if n+1 < len(v.lines) { // it ends where the event that closed it says
			by := v.lines[n+1].Since
			r := rewoundBy(v.facts[by-1])
			mustAt(r != nil && r.Version == v.last[s.Name] && r.Closed == s.Name.String(), s.Name, v.last[s.Name],
				"version %d of the table closed the line elsewhere", by)
		}
	}
}

func (v *verifier) origin(l domain.TableLine, s events.Stream, cause int) {
	forks := s.Table == v.f.Header.Table && s.Fork == l.Fork &&
		(s.Parent.String() == l.Parent || s.Parent.IsZero() && l.Parent == "")
	mustAt(forks, s.Name, s.Fork+1, "the line forks elsewhere than the table says")
	i, ok := v.at[place{s.Name, s.Fork + 1}]
	mustAt(ok, s.Name, s.Fork+1, "the line has no first event")
	meta, by := v.metaOf(i), v.f.Events[cause].Hash
	v.must(meta.Opened != nil && *meta.Opened == by, i, "the line does not name the table's event that opened it")
	v.must(!s.Parent.IsZero() || s.Origin == by, i, "the line does not start from the table's event that opened it")
}

// rewoundBy returns the rewind that an event of the table resulted in, nil for none.
func rewoundBy(e domain.TableEvent) *domain.Rewound {
	switch e := e.(type) {
	case *domain.Proposed:
		return e.Rewound
	case *domain.Agreed:
		return e.Rewound
	case *domain.Carried:
		return e.Rewound
	case *domain.Undone:
		return e.Rewound
	}
	return nil
}

// takenBack counts the steps taken back before a draw. Lines are in the order in which they were opened, and nothing is
// drawn in one that was closed.
func (v *verifier) takenBack() {
	b, now := &v.report.Back, 0
	for _, l := range v.lines {
		if l.Undo {
			now++
		}
		if now > 0 && v.draws(l.name, l.Fork) {
			b.All, b.Most, now = b.All+now, max(b.Most, now), 0
		}
	}
	b.Gave = b.All > 0 && !v.table.KeepsLuck
}

// draws reports whether anything was drawn on a line after its fork.
func (v *verifier) draws(name events.Name, fork uint64) bool {
	for n := fork + 1; n <= v.last[name]; n++ {
		var e struct{ Draws []json.RawMessage }
		if i, ok := v.find(name, n); ok && json.Unmarshal(v.f.Events[i].Data, &e) == nil && len(e.Draws) > 0 {
			return true
		}
	}
	return false
}

// playedLine is the result of replaying a line.
type playedLine struct {
	ended uint64       // the version from which nothing was awaited any more, 0 for none
	line  *domain.Line // at its last version; nil if it was not folded
}

// awaits returns who is asked something at the last version of a line, as far as the line was folded.
func (p *playedLine) awaits(version uint64) (seats []domain.Seat) {
	if p == nil || p.line == nil || p.line.Version != version {
		return nil
	}
	for _, o := range p.line.Awaited() {
		seats = append(seats, o.Seat)
	}
	return seats
}

func (p *playedLine) endedBy(version uint64) bool {
	return p != nil && p.ended > 0 && p.ended <= version
}

// mainAt returns what a decision about the table must know of its main line at a version. said is what a proposal
// counts as seen.
func (v *verifier) mainAt(i int, t *domain.Table, version, to uint64, said []domain.SeenDraws) domain.Played {
	p := domain.Played{First: 1, Version: version, Reshuffles: v.rulebook != nil &&
		v.rulebook.Extras().Reshuffle != nil}
	counted := true
	main, ok := t.Main()
	if !ok {
		return p // which is refused
	}
	p.First = t.Branch.First()
	name := nameOf(main)
	_, held := v.find(name, version)
	v.must(held, i, "it names version %d of line %s, which the record does not hold", version, name)
	p.Ended = v.played[main.Name].endedBy(version)
	p.Awaits = v.played[main.Name].awaits(version)
	if to < p.First || to >= version {
		return p
	}
	for n := to + 1; n <= version; n++ {
		j, ok := v.find(name, n)
		v.must(ok, i, "version %d of line %s is missing", n, name)
		if v.f.Events[j].Type == events.TypeForked {
			continue
		}
		e := v.publicOf(j)
		for _, draw := range e.Draws {
			p.Draws = append(p.Draws, domain.PastDraw{Draw: draw, Line: v.f.Events[j].Stream.String(), Seat: e.Seat})
		}
		p.Moves, p.Hidden = append(p.Moves, e.Seat), p.Hidden+len(v.f.Events[j].Parts)
		p.Others = p.Others || v.others[j]
		p.By, p.At = v.metaOf(j).Hand(), time.UnixMilli(v.f.Events[j].At)
		if e.Anew {
			p.Dealt = n
		}
		seen, ok := v.uncovered[j]
		if counted = counted && ok; seen > 0 {
			p.Cards = append(p.Cards, domain.PastCards{Seat: e.Seat, N: seen})
		}
	}
	if !counted {
		p.Cards = pastCards(said)
	}
	return p
}

// count notes how many hidden cards an event let seats see, for the proposals that count them.
func (v *verifier) count(before *domain.Line, i int, e *domain.Event) {
	var p domain.Played
	p.Add(before, e, "")
	n := 0
	for _, c := range p.Cards {
		n += c.N
	}
	v.uncovered[i], v.others[i] = n, p.Others
}

// pastCards returns the hidden cards that a proposal says were seen: if the line is not open they cannot be counted
// again.
func pastCards(said []domain.SeenDraws) (out []domain.PastCards) {
	for _, s := range said {
		if s.Cards > 0 {
			out = append(out, domain.PastCards{Seat: s.Seat, N: s.Cards})
		}
	}
	return out
}

// replay judges every move again with the luck that follows from the seed.
func (v *verifier) replay(rb domain.Rulebook) {
	if v.table.Sealed() {
		v.report.skip(OpenLuck, "sealed until the tables that this one was branched from have ended: luck and "+
			"legality can be checked once its seed is open")
		v.shapes(rb, v.lines...)
		return
	}
	if !v.seed {
		v.report.skip(OpenLuck, "the seed is not open: luck and legality can be checked once the table has ended")
		v.shapes(rb, v.lines...)
		return
	}
	v.report.Judged = true
	for _, l := range v.lines {
		if _, ok := v.streams[l.name]; ok {
			v.replayLine(rb, l.TableLine, l.name)
		}
	}
}

// elsewhere reports which moves another table wrote: this record holds neither that table's seed nor its people, so
// the moves are folded but not judged. In a log that table is judged separately.
func (v *verifier) elsewhere() {
	if v.f.log {
		return
	}
	for _, s := range v.f.Header.Streams {
		if s.Table != v.f.Header.Table && !v.beside[s.Table] && !v.provedElsewhere(s) && v.last[s.Name] > s.Fork {
			// it holds none of a line that was left before its first event
			v.report.skip(OpenElsewhere, "versions %d to %d of stream %s were written by table %s: only its own "+
				"record shows that they were legal, whose they were and what was drawn", s.Fork+1, v.last[s.Name],
				s.Name, s.Table)
		}
	}
}

// provedElsewhere reports whether other records prove all that this one holds of a stream.
func (v *verifier) provedElsewhere(s events.Stream) bool {
	for n := s.Fork + 1; n <= v.last[s.Name]; n++ {
		if i, ok := v.find(s.Name, n); !ok || !v.proved[v.f.Events[i].Hash] {
			return false
		}
	}
	return true
}

var errHidden = errors.New("hidden")

func (v *verifier) replayLine(rb domain.Rulebook, l domain.TableLine, name events.Name) {
	line := domain.NewLine(rb, v.table.SourceOf(l))
	p := &playedLine{}
	v.played[l.Name] = p
	for version := uint64(1); version <= v.last[name]; version++ {
		i, ok := v.find(name, version)
		mustAt(ok, name, version, "the version is missing")
		v.now = i
		if v.unknown[i] {
			v.report.Judged = false
			return
		}
		e, played, err := v.decode(rb, i)
		if errors.Is(err, errHidden) {
			v.report.skip(OpenLuck, "line %s stands on secrets that are not open: of its luck only the draws' "+
				"numbers and the dice were checked, and of its moves none", name)
			v.shapes(rb, namedLine{l, name})
			v.drawnInPublic(rb, l, name)
			return
		}
		v.must(err == nil, i, "%v", err)
		opens := l.Index > 0 && version == l.Fork+1
		if opens && !played {
			v.must(!l.Deal, i, "fresh luck was agreed on, and nothing was shuffled anew")
		}
		v.must(played == (!opens || l.Deal) || version <= l.Fork, i,
			"a line goes on after a rewind with an event that only opens it, and no other line does")
		if !played {
			line.Skip()
			continue
		}
		if version > l.Fork {
			v.judge(rb, line, l, i, &e)
			v.tookTurn(line, i, &e)
			v.forced(line, i, &e)
		}
		v.count(line, i, &e)
		v.countedRightly(line, i, &e)
		line.Apply(&e)
		if len(line.Awaited()) == 0 && p.ended == 0 {
			p.ended = version
		}
	}
	p.line = line
}

// countedRightly checks the points in an event against the game's. The event's type says whether it has points.
func (v *verifier) countedRightly(line *domain.Line, i int, e *domain.Event) {
	if e.Points == nil {
		return // as older programs wrote it
	}
	says := *e
	line.CountPoints(&says)
	v.must(slices.Equal(says.Points, e.Points), i, "the points are others than those of the game: %v", says.Points)
}

func (v *verifier) decode(rb domain.Rulebook, i int) (domain.Event, bool, error) {
	e := &v.f.Events[i]
	if e.Type == events.TypeForked {
		if len(e.Parts) > 0 || !equalJSON(e.Data, []byte("{}")) {
			return domain.Event{}, false, errors.New("the opening of a forked line says nothing")
		}
		return domain.Event{}, false, nil
	}
	var parts []domain.SecretBytes
	for _, p := range e.Parts {
		if p.Text == nil {
			return domain.Event{}, false, errHidden
		}
		parts = append(parts, domain.SecretBytes{To: p.To, Data: []byte(*p.Text)})
	}
	typ, ok := strings.CutPrefix(e.Type, rb.Name()+".")
	if !ok {
		return domain.Event{}, false, fmt.Errorf("%q is not of %s", e.Type, rb.Name())
	}
	ev, err := rb.Codec().Decode(typ, e.Data, parts)
	return ev, true, err
}
