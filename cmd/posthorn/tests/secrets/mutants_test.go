package secrets

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/catan"
	"posthorn/domain/rivals"
)

// mutant is a rulebook with one leak: something given to a viewer depends a little on the whole state, including what
// is hidden.
type mutant struct {
	domain.Rulebook
	leak string
}

// secret returns a small number that depends on the whole state.
func (m mutant) secret(s domain.State) int {
	text, err := json.Marshal(m.Rulebook.View(s, domain.Referee))
	if err != nil {
		panic(err)
	}
	h := fnv.New32a()
	_, _ = h.Write(text)
	return int(h.Sum32() % 5)
}

// nosy is a view that carries the number without showing it in its JSON.
type nosy struct {
	domain.View
	secret int
}

func (n nosy) MarshalJSON() ([]byte, error) { return json.Marshal(n.View) }

func (m mutant) View(s domain.State, v domain.Viewer) domain.View {
	return nosy{m.Rulebook.View(s, v), m.secret(s)}
}

func (m mutant) Describe(v domain.View) domain.Description {
	d := m.Rulebook.Describe(v.(nosy).View)
	switch m.leak {
	case "alternative text":
		d.Alt.Key = [...]string{d.Alt.Key, "page.nav.new", "page.nav.settings", "page.signin.address",
			"page.brand"}[v.(nosy).secret]
	}
	return d
}

func (m mutant) Draw(v domain.View, sketch domain.Sketch) []domain.Panel {
	panels := m.Rulebook.Draw(v.(nosy).View, sketch)
	s := &panels[0].Scene
	switch n := v.(nosy).secret; m.leak {
	case "letters":
		panels[0].Text += string("   ,;"[n])
	case "size of the drawing":
		s.W += float64(n)
	case "one point of the drawing":
		s.Shapes = append(s.Shapes, domain.Shape{Path: domain.Rect(s.X+float64(n)*s.W/5, s.Y, s.W/5, s.H/9),
			Fill: domain.RGB(0)})
	}
	return panels
}

// Extras returns none: they take the view of the game itself.
func (m mutant) Extras() domain.Extras { return domain.Extras{} }

func (m mutant) Cards(v domain.View) []domain.CardText { return m.Rulebook.Cards(v.(nosy).View) }

func (m mutant) Tell(e *domain.Event, v domain.View) []domain.Say {
	return m.Rulebook.Tell(e, v.(nosy).View)
}

func (m mutant) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	all := m.Rulebook.Legal(s, seat)
	if m.leak != "order of the moves" || m.secret(s)%2 == 0 {
		return all
	}
	return func(yield func(domain.Move) bool) {
		var last domain.Move
		for mv := range all {
			if last != nil && !yield(mv) {
				return
			} else if last == nil {
				last = mv
			}
		}
		if last != nil {
			yield(last)
		}
	}
}

func (m mutant) Decide(s domain.State, seat domain.Seat, mv domain.Move, luck *domain.Luck) (domain.Event, error) {
	e, err := m.Rulebook.Decide(s, seat, mv, luck)
	if r, ok := domain.AsRefusal(err); ok && m.leak == "refusal" && m.secret(s)%2 == 1 {
		return e, domain.Refuse("unreadable", "was", r.Code)
	}
	return e, err
}

func (m mutant) Standing(s domain.State, v domain.Viewer) domain.Standing {
	st := m.Rulebook.Standing(s, v)
	if m.leak == "score" {
		st.Scores[0] += m.secret(s)
	}
	return st
}

func (m mutant) Awaited(s domain.State) []domain.Decision {
	open := slices.Clone(m.Rulebook.Awaited(s))
	if m.leak == "who is awaited" {
		for i := range open {
			open[i].Serial = 10*open[i].Serial + m.secret(s)
		}
	}
	return open
}

func (m mutant) Forms(s domain.State, seat domain.Seat) []domain.Form {
	forms := m.Rulebook.Forms(s, seat)
	if m.leak == "form" && m.secret(s)%2 == 1 {
		forms = append(forms, domain.Form{Key: "more", Label: domain.S("page.nav.new"), Pattern: "end"})
	}
	return forms
}

// The comparison finds every leak.
func TestEveryLeakIsFound(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	for _, m := range []struct {
		mutant
		viewer domain.Viewer
		slow   bool // found late: only POSTHORN_LONG=1 looks for it
	}{
		{mutant{rivals.Rulebook, "alternative text"}, domain.Spectator, false},
		{mutant{catan.Rulebook, "letters"}, domain.Spectator, false},
		{mutant{rivals.Rulebook, "size of the drawing"}, domain.Spectator, true},
		{mutant{catan.Rulebook, "one point of the drawing"}, domain.Spectator, true},
		{mutant{catan.Rulebook, "score"}, 1, false},
		{mutant{rivals.Rulebook, "who is awaited"}, 0, false},
		{mutant{catan.Rulebook, "order of the moves"}, 0, true},
		{mutant{rivals.Rulebook, "refusal"}, 1, true},
		{mutant{catan.Rulebook, "form"}, 0, false},
	} {
		if m.slow && os.Getenv("POSTHORN_LONG") != "1" {
			continue
		}
		t.Run(m.leak, func(t *testing.T) {
			t.Parallel()
			m.noticed(t, c, m.viewer)
		})
	}
}

// noticed checks that a viewer of the mutant's games soon finds its leak.
func (m mutant) noticed(t *testing.T, c *cast, viewer domain.Viewer) {
	t.Helper()
	_, most := m.Seats(nil)
	tables := secretGames{game: m.Name(), seats: most, alone: 150, walk: 10}
	a, b := c.houseOf(t, []domain.Rulebook{m}), c.houseOf(t, []domain.Rulebook{m})
	rnd := rand.New(rand.NewPCG(7, 7))
	for n := range 60 {
		w := &twins{t: t, cast: c, rnd: rnd, a: a, b: b, viewer: viewer, me: c.watcher(), report: newTold(), keep: true,
			where: m.leak}
		if viewer >= 0 {
			w.me = c.players()[viewer]
		}
		if !w.begins(tables, nil, fmt.Sprint(m.leak, n), true) {
			continue
		}
		w.goes(tables)
		if m.secret(w.la.State) == m.secret(w.lb.State) || viewer >= 0 && !w.la.Awaits(viewer.Seat()) {
			continue // nothing to find here
		}
		w.compares()
		w.moves()
		if len(w.alarms) > 0 {
			return
		}
	}
	require.Fail(t, "nobody noticed")
}
