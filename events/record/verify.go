package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
)

// Report is what was checked of a record.
type Report struct {
	Table    events.Name
	Events   int
	Secrets  int // parts whose text was checked against its digest
	Hidden   int // parts that this record does not open
	Receipts int
	Draws    int      // of luck, that were computed again
	Moves    int      // that were judged again
	Ended    bool     // the table has ended: luck and legality can be checked
	Skipped  []string // what could not be checked, and why
}

// Verify checks a record: every hash, every opened secret against its digest, the receipts;
// and, once the table has ended, that the luck is the one committed to and that every move
// was legal. named finds rulebooks. The error is a *Fault where something is wrong.
func Verify(f *File, named func(string) (domain.Rulebook, bool), receipts ...string) (*Report, error) {
	v := &verifier{f: f, report: &Report{Table: f.Header.Table}, streams: map[events.Name]events.Stream{}, at: map[place]int{}}
	for _, s := range f.Header.Streams {
		v.streams[s.Name] = s
	}
	for _, check := range []func() error{v.chain, v.secrets, v.foldTable, v.origins} {
		if err := check(); err != nil {
			return v.report, err
		}
	}
	if err := v.receipts(append(append([]string(nil), f.Header.Heads...), receipts...)); err != nil {
		return v.report, err
	}
	rb, ok := named(f.Header.Rulebook)
	switch {
	case !ok:
		v.skip("no rulebook " + f.Header.Rulebook + " here: luck and legality were not checked")
	case rb.Edition() != v.table.Edition:
		v.skip("edition " + v.table.Edition + " of the rules is gone: luck and legality were not checked")
	case v.table.Status != domain.TableEnded || v.table.End == domain.EndHanded:
		v.skip("the table has not ended: luck and legality can be checked once its seed is open")
	default:
		v.report.Ended = true
		if err := v.replay(rb); err != nil {
			return v.report, err
		}
	}
	return v.report, nil
}

type place struct {
	stream  events.Name
	version uint64
}

type verifier struct {
	f       *File
	report  *Report
	streams map[events.Name]events.Stream
	at      map[place]int // index of an event
	table   *domain.Table
}

func (v *verifier) skip(what string) { v.report.Skipped = append(v.report.Skipped, what) }

func (v *verifier) fault(i int, format string, args ...any) error {
	e := &v.f.Events[i]
	return &Fault{Line: v.f.lines[i], Stream: e.Stream, Version: e.Version, What: fmt.Sprintf(format, args...)}
}

// chain checks that every event follows from the one before it.
func (v *verifier) chain() error {
	last := map[events.Name]uint64{}
	for i := range v.f.Events {
		e := &v.f.Events[i]
		s, ok := v.streams[e.Stream]
		if !ok {
			return v.fault(i, "the header does not name this stream")
		}
		if _, seen := last[e.Stream]; !seen {
			last[e.Stream] = s.Fork
		}
		if e.Version != last[e.Stream]+1 {
			return v.fault(i, "version %d should come here", last[e.Stream]+1)
		}
		prev, err := v.before(i, s)
		if err != nil {
			return err
		}
		rec := e.record()
		if events.ChainHash(prev, &rec) != e.Hash {
			return v.fault(i, "the event was altered: its hash does not fit")
		}
		last[e.Stream] = e.Version
		v.at[place{e.Stream, e.Version}] = i
		v.report.Events++
	}
	for _, s := range v.f.Header.Streams {
		if s.Table == v.f.Header.Table && last[s.Name] == 0 {
			return &Fault{Line: 1, Stream: s.Name, What: "the record holds no event of stream " + s.Name.String()}
		}
	}
	return nil
}

func (v *verifier) before(i int, s events.Stream) (events.Hash, error) {
	e := &v.f.Events[i]
	if e.Version == s.Fork+1 && s.Parent.IsZero() {
		return s.Origin, nil
	}
	if j, ok := v.find(e.Stream, e.Version-1); ok {
		return v.f.Events[j].Hash, nil
	}
	return events.Hash{}, v.fault(i, "the event before it is missing")
}

// find looks a version up in a stream or, before its fork, in an ancestor.
func (v *verifier) find(stream events.Name, version uint64) (int, bool) {
	for range len(v.streams) + 1 {
		s, ok := v.streams[stream]
		if !ok {
			return 0, false
		}
		if version > s.Fork {
			i, ok := v.at[place{stream, version}]
			return i, ok
		}
		stream = s.Parent
	}
	return 0, false
}

// secrets checks the parts that are open against their digests.
func (v *verifier) secrets() error {
	for i := range v.f.Events {
		for n, p := range v.f.Events[i].Parts {
			if p.Text == nil {
				v.report.Hidden++
				continue
			}
			if len(p.Salt) != 32 || events.PartDigest([32]byte(p.Salt), []byte(*p.Text)) != p.Digest {
				return v.fault(i, "secret part %d does not fit its digest", n)
			}
			v.report.Secrets++
		}
	}
	return nil
}

// foldTable folds the table's stream, and checks the seed against the commitment.
func (v *verifier) foldTable() error {
	v.table = &domain.Table{}
	for i := range v.f.Events {
		e := &v.f.Events[i]
		if e.Stream != v.f.Header.Table {
			continue
		}
		rec := e.record()
		te, err := events.DecodeTable(&rec, nil)
		if err != nil {
			return v.fault(i, "%v", err)
		}
		v.table.Apply(te)
		ended, ok := te.(*domain.Ended)
		if !ok {
			continue
		}
		first, ok := v.find(v.f.Header.Table, 1)
		if !ok || len(v.f.Events[first].Parts) != 1 || v.f.Events[first].Parts[0].Text == nil {
			return v.fault(i, "the seed is open, but the commitment at the opening is not")
		}
		if text, _ := ended.Seed.MarshalText(); string(text) != *v.f.Events[first].Parts[0].Text {
			return v.fault(i, "the seed is not the one that was committed to")
		}
	}
	if v.table.Version == 0 {
		return &Fault{Line: 1, What: "the record holds no event of its table"}
	}
	return nil
}

// origins checks that each of the table's lines was opened by an event of the table.
func (v *verifier) origins() error {
	for _, l := range v.table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return &Fault{What: "line " + l.Name + ": " + err.Error()}
		}
		s, ok := v.streams[name]
		if !ok {
			continue // decided, and not opened yet when the record was written
		}
		if s.Fork != l.Fork || s.Parent.String() != l.Parent && !(s.Parent.IsZero() && l.Parent == "") {
			return &Fault{Line: 1, Stream: name, What: "line " + l.Name + " forks elsewhere than the table says"}
		}
		i, ok := v.at[place{name, s.Fork + 1}]
		if !ok {
			return &Fault{Line: 1, Stream: name, What: "line " + l.Name + " has no first event"}
		}
		cause, ok := v.at[place{v.f.Header.Table, l.Since}]
		rec := v.f.Events[i].record()
		meta, err := events.ReadMeta(&rec)
		if err != nil || !ok || meta.Opened == nil || *meta.Opened != v.f.Events[cause].Hash {
			return v.fault(i, "the line does not name the table's event that opened it")
		}
		if s.Parent.IsZero() && s.Origin != v.f.Events[cause].Hash {
			return v.fault(i, "the line does not start from the table's event that opened it")
		}
	}
	return nil
}

// receipts checks signed receipts against the chain.
func (v *verifier) receipts(lines []string) error {
	for _, line := range lines {
		r, err := events.ReadReceipt(v.f.Header.Key, line)
		if err != nil {
			return &Fault{Line: 1, What: fmt.Sprintf("receipt %.60s…: %v", line, err)}
		}
		i, ok := v.find(r.Stream, r.Version)
		if !ok {
			if r.Table != v.f.Header.Table {
				return &Fault{What: fmt.Sprintf("the receipt of version %d is of another table", r.Version)}
			}
			if v.f.Header.Handover {
				continue // the closing event is not handed over
			}
			return &Fault{Stream: r.Stream, Version: r.Version, What: "there is a receipt of a version that the record does not hold"}
		}
		if v.f.Events[i].Hash != r.Hash {
			return v.fault(i, "there is a receipt of another history")
		}
		v.report.Receipts++
	}
	return nil
}

// replay judges every move again with the luck that follows from the seed.
func (v *verifier) replay(rb domain.Rulebook) error {
	for _, l := range v.table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return &Fault{What: err.Error()}
		}
		if _, ok := v.streams[name]; !ok {
			continue
		}
		if err := v.replayLine(rb, l, name); err != nil {
			return err
		}
	}
	return nil
}

var errHidden = errors.New("hidden")

func (v *verifier) replayLine(rb domain.Rulebook, l domain.TableLine, name events.Name) error {
	line := domain.NewLine(rb, v.table.SourceOf(l))
	head := v.f.Header.Streams
	last := uint64(0)
	for _, s := range head {
		if s.Name == name {
			last = v.lastOf(name)
		}
	}
	for version := uint64(1); version <= last; version++ {
		i, ok := v.find(name, version)
		if !ok {
			return &Fault{Stream: name, Version: version, What: "the version is missing"}
		}
		e, played, err := v.decode(rb, i)
		if errors.Is(err, errHidden) {
			v.skip(fmt.Sprintf("line %s stands on secrets of another table: its luck and moves were not checked", name))
			return nil
		}
		if err != nil {
			return v.fault(i, "%v", err)
		}
		if !played {
			line.Skip()
			continue
		}
		if version > l.Fork {
			if err := v.judge(rb, line, i, &e); err != nil {
				return err
			}
		}
		line.Apply(&e)
	}
	return nil
}

func (v *verifier) lastOf(name events.Name) uint64 {
	last := uint64(0)
	for p := range v.at {
		if p.stream == name {
			last = max(last, p.version)
		}
	}
	return last
}

func (v *verifier) decode(rb domain.Rulebook, i int) (domain.Event, bool, error) {
	e := &v.f.Events[i]
	if e.Type == events.TypeForked {
		return domain.Event{}, false, nil
	}
	var parts []domain.SecretBytes
	for _, p := range e.Parts {
		if p.Text == nil {
			return domain.Event{}, false, errHidden
		}
		parts = append(parts, domain.SecretBytes{To: p.To, Data: []byte(*p.Text)})
	}
	typ, ok := bytes.CutPrefix([]byte(e.Type), []byte(rb.Name()+"."))
	if !ok {
		return domain.Event{}, false, fmt.Errorf("%q is not of %s", e.Type, rb.Name())
	}
	ev, err := rb.Codec().Decode(string(typ), e.Data, parts)
	return ev, true, err
}

// judge decides the move of an event again and compares.
func (v *verifier) judge(rb domain.Rulebook, line *domain.Line, i int, e *domain.Event) error {
	again, err := v.again(rb, line, i, e)
	if err != nil {
		return v.fault(i, "the rules do not allow this: %v", err)
	}
	if again == nil {
		return nil
	}
	for _, a := range again {
		public, secrets, err := rb.Codec().Encode(&a)
		if err != nil {
			return v.fault(i, "%v", err)
		}
		if same(v.f.Events[i], public, secrets) {
			v.report.Moves++
			v.report.Draws += len(a.Draws)
			return nil
		}
	}
	return v.fault(i, "luck or rules give something else than what stands here")
}

// again makes the event anew. Of a branch's deal there are as many as there are viewers it
// may have been made for.
func (v *verifier) again(rb domain.Rulebook, line *domain.Line, i int, e *domain.Event) ([]domain.Event, error) {
	switch {
	case e.Move != "":
		m, err := wholeMove(rb, e)
		if err != nil {
			return nil, err
		}
		a, _, err := line.Decide(e.Seat, m)
		return []domain.Event{a}, err
	case line.Version == 0:
		a, _, err := line.Setup(domain.Game{Choices: v.table.Choices, Seats: len(v.table.Places), First: domain.Nobody, Given: v.table.Given})
		return []domain.Event{a}, err
	case v.table.Branch == nil || v.f.Events[i].Version != v.table.Branch.Version+1:
		v.skip(fmt.Sprintf("version %d of stream %s is neither a move nor a deal", v.f.Events[i].Version, v.f.Events[i].Stream))
		return nil, nil
	}
	var out []domain.Event
	for viewer := domain.Referee; int(viewer) < len(v.table.Places); viewer++ {
		luck := line.Luck.Begin()
		a := rb.Blind(line.State, viewer, luck)
		a.Seat, a.Draws = domain.Nobody, luck.Used()
		out = append(out, a)
	}
	return out, nil
}

// wholeMove is a move as it was given: also where others were not told all of it.
func wholeMove(rb domain.Rulebook, e *domain.Event) (domain.Move, error) {
	if r, ok := rb.(domain.Recaller); ok {
		if m, ok := r.Recall(e); ok {
			return m, nil
		}
	}
	return rb.ParseMove(e.Move, nil)
}

func same(e Event, public []byte, secrets []domain.SecretBytes) bool {
	if !equalJSON(e.Data, public) || len(e.Parts) != len(secrets) {
		return false
	}
	for n, p := range e.Parts {
		if p.To != secrets[n].To || p.Text == nil || !equalJSON([]byte(*p.Text), secrets[n].Data) {
			return false
		}
	}
	return true
}

// equalJSON compares values: an event that was written by an older program may have its
// fields in another order.
func equalJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	ax, err1 := json.Marshal(x)
	by, err2 := json.Marshal(y)
	return err1 == nil && err2 == nil && bytes.Equal(ax, by)
}
