package secrets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// step makes one move in both houses that the viewer cannot tell apart. It returns false if it finds none.
func (w *twins) step() bool {
	w.t.Helper()
	open := w.la.Awaited()
	if a, b := asText(w.t, open), asText(w.t, w.lb.Awaited()); a != b {
		w.fails("what is awaited", a, b)
		return false
	}
	if len(open) == 0 {
		return false
	}
	for try := range 16 {
		seat := open[w.rnd.IntN(len(open))].Seat
		m, ok := w.picks(w.la, seat)
		if ok && w.plays(seat, m, try > 3) {
			return true
		}
	}
	w.report.stuck++
	return false
}

// picks picks a random legal move: first its kind, so that a game is not all trading.
func (w *twins) picks(l *domain.Line, seat domain.Seat) (domain.Move, bool) {
	kinds := map[string][]domain.Move{}
	var order []string
	for m := range l.Rulebook.Legal(l.State, seat) {
		word, _, _ := strings.Cut(l.Rulebook.FormatMove(m, nil), " ")
		if kinds[word] == nil {
			order = append(order, word)
		}
		kinds[word] = append(kinds[word], m)
	}
	if len(order) == 0 {
		return nil, false
	}
	of := kinds[order[w.rnd.IntN(len(order))]]
	m := of[w.rnd.IntN(len(of))]
	if text := l.Rulebook.FormatMove(m, nil); len(w.pool) < 200 {
		w.pool = append(w.pool, text)
	} else {
		w.pool[w.rnd.IntN(len(w.pool))] = text
	}
	return m, true
}

// plays plays a move in both houses, if it can have the same result for the viewer. With other set, the luck in the
// first house differs, too.
func (w *twins) plays(seat domain.Seat, m domain.Move, other bool) bool {
	w.t.Helper()
	ea, _, err := w.la.Decide(seat, m)
	require.NoError(w.t, err, "%s: a legal move is refused", w.where)
	from := w.lb
	if other && len(ea.Draws) > 0 {
		key := w.key()
		from = takingOver(w.lb, ea.Draws, key)
		ea, _, err = takingOver(w.la, ea.Draws, key).Decide(seat, m)
		require.NoError(w.t, err, "%s: a legal move is refused", w.where)
	}
	eb, ok := w.matches(from, seat, m, &ea, w.read(&ea))
	if !ok {
		return false
	}
	w.writes(seat, &ea, &eb)
	return true
}

// matches finds an event for the second house that reads to the viewer like the first's.
func (w *twins) matches(from *domain.Line, seat domain.Seat, m domain.Move, ea *domain.Event,
	want string) (domain.Event, bool) {
	candidates := []domain.Move{m}
	if strings.Contains(ea.Move, "?") && w.viewer.Seat() != seat {
		candidates = slices.Collect(from.Rulebook.Legal(from.State, seat)) // another move that looks the same will do
		w.rnd.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	}
	shown, opened := "", ""
	for _, c := range candidates {
		for try := range tries(ea.Draws) {
			eb, _, err := w.otherwise(from, ea.Draws, try).Decide(seat, c)
			if err != nil {
				_, ok := domain.AsRefusal(err)
				require.True(w.t, ok, "%s: %v", w.where, err)
				if seat == w.viewer.Seat() {
					w.fails("whether "+ea.Move+" is legal", "yes", err.Error())
				}
				break
			}
			if shown = w.read(&eb); shown == want {
				return eb, true
			}
			if a, b := w.public(ea), w.public(&eb); try == sameLuck(ea.Draws) && a != b {
				opened = a + "\n" + b
			}
		}
	}
	word, _, _ := strings.Cut(ea.Move, " ")
	if shown != "" {
		w.report.revealed[word]++
	}
	if opened != "" && ea.Move != "" && w.la.Rulebook.Name() == "catan" && word != "monopoly" &&
		!strings.Contains(opened, `"won"`) {
		w.fails("what everybody reads of "+ea.Move+", which lays nothing open,", opened, "")
	}
	return domain.Event{}, false
}

// public returns what everybody can read of an event.
func (w *twins) public(e *domain.Event) string {
	text, _, err := w.la.Rulebook.Codec().Encode(e)
	require.NoError(w.t, err)
	return string(text)
}

// sameLuck is the try whose draws are those of the first house.
func sameLuck(draws []domain.Draw) int {
	if len(draws) == 0 {
		return 0
	}
	return 2
}

func tries(draws []domain.Draw) int {
	if len(draws) == 0 {
		return 1
	}
	return 10
}

// otherwise returns a line with other chance for the next draws: all of them, those that nobody sees, or none.
func (w *twins) otherwise(l *domain.Line, draws []domain.Draw, try int) *domain.Line {
	switch {
	case try == sameLuck(draws):
		return l
	case try == 1:
		draws = slices.DeleteFunc(slices.Clone(draws), func(d domain.Draw) bool { return !d.Unseen })
	}
	return takingOver(l, draws, w.key())
}

// takingOver returns a line whose next draws come from another key.
func takingOver(l *domain.Line, draws []domain.Draw, key domain.Key) *domain.Line {
	l = l.Clone()
	for _, d := range draws {
		l.Luck.TakeOver(d.Purpose, d.K, key)
	}
	return l
}

func (w *twins) key() (key domain.Key) {
	for i := range key {
		key[i] = byte(w.rnd.Uint32())
	}
	return key
}

// writes appends an event to each log, as the desk would.
func (w *twins) writes(seat domain.Seat, ea, eb *domain.Event) {
	w.t.Helper()
	w.write(w.a, w.la, seat, ea)
	w.write(w.b, w.lb, seat, eb)
}

func (w *twins) write(h *twinHouse, l *domain.Line, seat domain.Seat, e *domain.Event) {
	w.t.Helper()
	l.CountPoints(e)
	public, secrets, err := l.Rulebook.Codec().Encode(e)
	require.NoError(w.t, err)
	d := events.Draft{Stream: w.line, Expect: l.Version,
		Command: events.Derive("twin", w.line[:], fmt.Append(nil, l.Version)),
		Type:    events.PlayType(l.Rulebook, e), Codec: "json", At: still(), Data: public,
		Meta: []byte(asText(w.t, events.Meta{By: w.seats[seat].id, Door: "page", Wish: "00112233aabbccdd"}))}
	for n, s := range secrets {
		d.Parts = append(d.Parts, w.cast.keys.SealIn(s.PadTo, w.line, l.Version+1, n, s.To, s.Data))
	}
	_, err = h.log.Append(h.ctx, d)
	require.NoError(w.t, err)
	l.Apply(e)
}

// alone plays up to n random moves that are the same in both houses, hidden parts included. It returns false if the
// game has ended.
func (w *twins) alone(n int) bool {
	w.t.Helper()
	for range n {
		open := w.la.Awaited()
		if len(open) == 0 {
			return false
		}
		seat := open[w.rnd.IntN(len(open))].Seat
		m, ok := w.picks(w.la, seat)
		if !ok {
			continue
		}
		e, _, err := w.la.Decide(seat, m)
		require.NoError(w.t, err, "%s: a legal move is refused", w.where)
		w.writes(seat, &e, &e)
	}
	return len(w.la.Awaited()) > 0
}

// parts goes on at a new table with the same people, branched from the present: what the viewer knows there is the same
// in both houses, and the rest is dealt afresh in each.
func (w *twins) parts() {
	w.t.Helper()
	w.plain = false
	w.gathers(desk.NewTable{Rulebook: w.la.Rulebook.Name(),
		Branch: &domain.Branch{Table: w.table.String(), Line: w.line.String(), Version: w.la.Version, Kind: "game"}},
		w.seats)
}

// rewinds rewinds the game to an earlier version in both houses, with everybody's consent, and compares what the viewer
// is asked. Somebody else proposes it, if there is anybody.
func (w *twins) rewinds() {
	w.t.Helper()
	first := w.la.Version
	if s, err := w.a.log.Stream(w.a.ctx, w.line); err == nil {
		first = s.Fork + 1
	}
	if w.la.Version <= first {
		return
	}
	to := first + w.rnd.Uint64N(w.la.Version-first)
	by := w.seats[0]
	if by.id == w.me.id {
		by = w.seats[1]
	}
	does := func(who somebody, what string, c desk.Command) {
		for _, h := range w.both() {
			id := events.Derive(what, w.line[:], []byte(who.id), fmt.Append(nil, w.la.Version))
			_, err := h.desk.Do(h.ctx, events.Actor{Person: who.id, Door: "page"}, w.table, id, c)
			require.NoError(w.t, err)
		}
	}
	does(by, "rewind", desk.ProposeRewind{To: to, Fresh: to%2 == 0})
	w.compares()
	look, err := w.a.desk.Look(w.a.ctx, w.table)
	require.NoError(w.t, err)
	for _, p := range w.seats {
		if p.id == by.id {
			continue
		}
		does(p, "agree", desk.Agree{Since: look.Table.Proposal.Since})
	}
	for _, h := range w.both() {
		_, err := h.desk.Advance(h.ctx, w.table)
		require.NoError(w.t, err)
	}
	w.looks()
	w.report.rewound++
}

// walks makes up to n moves. It returns false if the table has nothing more to play alike.
func (w *twins) walks(n int) bool {
	w.t.Helper()
	for range n {
		if !w.step() {
			return false
		}
	}
	return len(w.la.Awaited()) > 0
}

// differ reports whether the two houses really hold different things.
func (w *twins) differ() bool {
	rb := w.la.Rulebook
	return asText(w.t, rb.View(w.la.State, domain.Referee)) != asText(w.t, rb.View(w.lb.State, domain.Referee))
}

func asText(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}
