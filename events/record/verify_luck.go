package record

import (
	"bytes"
	"encoding/json"
	"errors"

	"posthorn/domain"
	"posthorn/events"
)

// judge decides the move of an event again and compares.
func (v *verifier) judge(rb domain.Rulebook, line *domain.Line, l domain.TableLine, i int, e *domain.Event) {
	again, err := v.again(rb, line, l, i, e)
	v.must(err == nil, i, "the rules do not allow this: %v", err)
	for _, a := range again {
		public, secrets, err := rb.Codec().Encode(&a)
		v.must(err == nil, i, "%v", err)
		if v.f.Events[i].Type == events.PlayType(rb, &a) && same(v.f.Events[i], public, secrets) {
			v.report.Moves++
			v.report.Draws += len(a.Draws)
			return
		}
	}
	panic(v.f.fault(i, "luck or rules give something else than what stands here"))
}

// again makes the event anew; of a branch's deal all that it may be, see deals.
func (v *verifier) again(rb domain.Rulebook, line *domain.Line, l domain.TableLine, i int, e *domain.Event) ([]domain.Event, error) {
	first := v.f.Events[i].Version == l.Fork+1
	switch {
	case e.Move != "" && first:
		return nil, errors.New("a line begins with a set-up or a deal")
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
	case first && l.Index > 0: // by a rewind with fresh luck, which shuffles anew whatever nobody knew
		a, ok := line.Reshuffle()
		if !ok {
			return nil, errors.New("the game has nothing to shuffle anew")
		}
		return []domain.Event{a}, nil
	case v.table.Branch == nil || !first:
		return nil, errors.New("it is neither a move nor a deal")
	}
	return v.deals(rb, line, i)
}

// wholeMove is a move as it was given: also where others were not told all of it.
func wholeMove(rb domain.Rulebook, e *domain.Event) (domain.Move, error) {
	if r := rb.Extras().Recaller; r != nil {
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
