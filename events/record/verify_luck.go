package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/events"
)

// judge decides the move of an event again and compares.
func (v *verifier) judge(rb domain.Rulebook, line *domain.Line, l domain.TableLine, i int, e *domain.Event) {
	again, err := v.again(rb, line, l, i, e)
	v.must(err == nil, i, "the rules do not allow this: %v", err)
	for _, a := range again {
		a.Points = e.Points // checked against the game once the event is applied
		public, secrets, err := rb.Codec().Encode(&a)
		v.must(err == nil, i, "%v", err)
		if typ := events.PlayType(rb, &a); v.f.Events[i].Type == typ && same(v.f.Events[i], public, secrets) ||
			sameUpcast(rb, v.f.Events[i], typ, public, secrets) {
			v.report.Moves++
			v.report.Draws += len(a.Draws)
			return
		}
	}
	panic(v.f.fault(i, "luck or rules give something else than what stands here"))
}

// again makes the event again; for a branch's deal it makes all that the deal may be, see deals.
func (v *verifier) again(rb domain.Rulebook, line *domain.Line, l domain.TableLine, i int,
	e *domain.Event) ([]domain.Event, error) {
	first := v.f.Events[i].Version == l.Fork+1
	switch {
	case e.Move != "" && first:
		return nil, errors.New("a line begins with a set-up or a deal")
	case e.Move != "":
		m, err := domain.WholeMove(rb, e)
		if err != nil {
			return nil, err
		}
		a, _, err := line.Decide(e.Seat, m)
		return []domain.Event{a}, err
	case !first:
		return nil, errors.New("it is neither a move nor a deal")
	case v.table.Branch != nil && l.Index == 0:
		return v.deals(line, l, i)
	}
	a, _, err := v.table.FirstEvent(l, line, domain.Spectator)
	return []domain.Event{a}, err
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

// sameUpcast compares an event with what this program writes when one of them has a revision that is upcast on
// reading: an older program wrote the event, or a newer one whose revision this one reads but does not write yet. The
// event must also match its own revision's form: nothing is skipped.
func sameUpcast(rb domain.Rulebook, e Event, typ string, public []byte, secrets []domain.SecretBytes) bool {
	theirs, _ := strings.CutPrefix(e.Type, rb.Name()+".")
	ours, _ := strings.CutPrefix(typ, rb.Name()+".")
	codec := rb.Codec()
	own, upcast := codec.AsWritten(theirs)
	if _, too := codec.AsWritten(ours); !upcast && !too {
		return false
	}
	var parts []domain.SecretBytes
	for _, p := range e.Parts {
		if p.Text == nil {
			return false
		}
		parts = append(parts, domain.SecretBytes{To: p.To, Data: []byte(*p.Text)})
	}
	as, err := own.Decode(theirs, e.Data, parts)
	if err != nil {
		return false
	}
	if data, hidden, err := own.Encode(&as); err != nil || own.Name(&as) != theirs || !same(e, data, hidden) {
		return false
	}
	newest := func(typ string, public []byte, secrets []domain.SecretBytes) (string, []byte, []domain.SecretBytes,
		error) {
		up, err := codec.Decode(typ, public, secrets)
		if err != nil {
			return "", nil, nil, err
		}
		public, secrets, err = codec.Encode(&up)
		return codec.Name(&up), public, secrets, err
	}
	theirs, data, hidden, err := newest(theirs, e.Data, parts)
	ours, public, secrets, failed := newest(ours, public, secrets)
	return err == nil && failed == nil && theirs == ours && bytes.Equal(data, public) &&
		slices.EqualFunc(hidden, secrets, func(x, y domain.SecretBytes) bool {
			return x.To == y.To && bytes.Equal(x.Data, y.Data)
		})
}

// drawnInPublic checks what needs no secret in the luck of a line whose position is not known: the numbers of its
// draws, and the dice that everybody saw.
func (v *verifier) drawnInPublic(rb domain.Rulebook, l domain.TableLine, name events.Name) {
	src := v.table.SourceOf(l)
	for version := uint64(1); version <= v.last[name]; version++ {
		i, ok := v.find(name, version)
		mustAt(ok, name, version, "the version is missing")
		v.now = i
		if v.unknown[i] {
			return
		}
		rec := v.f.Events[i].record()
		e, played, err := events.DecodePlay(rb, &rec, nil, domain.Spectator)
		v.must(err == nil, i, "decode event: %v", err)
		if !played {
			continue
		}
		if version > l.Fork {
			v.must(drawnAgain(rb, src.Begin(), &e), i, "luck or rules give something else than what stands here")
			v.report.Draws += len(e.Draws)
		}
		src.Count(e.Draws)
	}
}

// drawnAgain makes the draws that an event names again, and compares their numbers and dice.
func drawnAgain(rb domain.Rulebook, luck *domain.Luck, e *domain.Event) bool {
	var dice []int
	for _, d := range e.Draws {
		draw := luck.Draw
		if d.Unseen {
			draw = luck.DrawUnseen
		}
		if n := draw(d.Purpose, d.Size); d.Purpose == "dice" {
			dice = append(dice, n)
		}
	}
	thrown := rb.Extras().Thrown
	return slices.Equal(luck.Used(), e.Draws) && (thrown == nil || thrown(e, dice))
}

// equalJSON compares values: an older program may have written an event's fields in another order.
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

// deals makes the first event of a branch, event number i, again on its line as it stood at the fork: the deal for
// the viewer it had to be made for. If people of several seats play on, that is the spectator; if one person does, it
// is their seat at the table that was branched from. A branch's record does not hold that table's stream, so for one
// person several deals are possible: see viewersOf.
func (v *verifier) deals(line *domain.Line, l domain.TableLine, i int) ([]domain.Event, error) {
	var out []domain.Event
	var made []domain.Viewer
	for _, alone := range v.peopleAt(i) {
		for _, viewer := range v.viewersOf(alone) {
			if slices.Contains(made, viewer) {
				continue
			}
			made = append(made, viewer)
			a, _, _ := v.table.FirstEvent(l, line, viewer)
			out = append(out, a)
		}
	}
	if out == nil {
		return nil, errors.New("a branch is dealt once its table has started")
	}
	return out, nil
}

// peopleAt returns for whom event number i dealt the branch: the one person who played there, or nobody if there were
// several. There are two answers only if somebody resigned between the start and the deal.
func (v *verifier) peopleAt(i int) []domain.PersonID {
	var all []domain.PersonID
	for n := range v.facts {
		j, _ := v.tableEvent(uint64(n + 1))
		if v.states[n].Status != domain.TableOpen && v.f.Events[j].At > v.f.Events[i].At {
			break
		}
		if t := v.states[n+1]; t.Status == domain.TableStarted {
			alone := domain.PersonID("")
			if p := t.People(); len(p) == 1 {
				alone = p[0]
			}
			if !slices.Contains(all, alone) {
				all = append(all, alone)
			}
		}
	}
	return all
}

// viewersOf lists as whom one person may have seen the table that was branched from, or the spectator for several
// people. Anybody who made a move there saw through a seat of theirs; anybody else may have held any seat that nobody
// else moved for, or none. Once that table had ended everybody saw everything: then this record hides nothing of it
// either, or the deal could not be made again.
func (v *verifier) viewersOf(alone domain.PersonID) []domain.Viewer {
	if alone == "" {
		return []domain.Viewer{domain.Spectator}
	}
	var theirs []domain.Seat
	others := map[domain.Seat]bool{}
	for j := range v.f.Events {
		seat, by := v.movedAtSource(j)
		switch {
		case seat == domain.Nobody || by == "":
		case by == alone:
			theirs = append(theirs, seat)
		default:
			others[seat] = true
		}
	}
	var out []domain.Viewer
	last := domain.Seat(len(v.table.Places) - 1)
	if theirs != nil {
		last = slices.Min(theirs) // with several seats they see as the first
	}
	// Only a study is dealt by what its maker knew; other branches once were too.
	if theirs == nil || v.table.Branch.Kind != domain.BranchStudy {
		out = append(out, domain.Spectator)
	}
	for seat := range last + 1 {
		if !others[seat] || slices.Contains(theirs, seat) { // a team's members move for one seat
			out = append(out, domain.ViewOf(seat))
		}
	}
	return append(out, domain.Referee)
}

// movedAtSource returns whose seat moved in event number j, and who moved it, if the table that the branch's fork
// belongs to wrote that event; otherwise Nobody.
func (v *verifier) movedAtSource(j int) (domain.Seat, domain.PersonID) {
	b := v.table.Branch
	parent, err := events.ParseName(b.Line)
	if err != nil {
		return domain.Nobody, ""
	}
	at, ok := v.find(parent, b.Version)
	e := &v.f.Events[j]
	if !ok || v.streams[e.Stream].Kind != events.KindLine ||
		v.streams[e.Stream].Table != v.streams[v.f.Events[at].Stream].Table {
		return domain.Nobody, ""
	}
	move := publicMove{Seat: domain.Nobody}
	rec := e.record()
	meta, err := events.ReadMeta(&rec)
	if err != nil || json.Unmarshal(e.Data, &move) != nil || move.Move == "" {
		return domain.Nobody, ""
	}
	return move.Seat, meta.By
}
