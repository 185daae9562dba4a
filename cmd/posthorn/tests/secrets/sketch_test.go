package secrets

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// sketches makes the viewer try things from the present state, for whoever is asked there, and checks that both houses
// show and answer the same: what is dealt for a sketch follows from what the viewer knows. The houses share one file of
// people, so it is one sketch.
func (w *twins) sketches() {
	w.t.Helper()
	if w.viewer < 0 || w.me.id == "" || len(w.la.Awaited()) == 0 || len(w.alarms) > 0 {
		return
	}
	ctx, home := context.Background(), "/t/"+w.table.String()+"/sketch"
	status, answer := w.a.asks("POST", home+"?seat="+strconv.Itoa(int(w.viewer.Seat())), nil, browsing(w.me))
	require.Equal(w.t, 303, status, string(answer))
	for i := range 5 {
		kept, _, err := w.cast.people.Sketch(ctx, w.me.id, w.table)
		require.NoError(w.t, err)
		l := kept.Find(kept.Last)
		require.NotNil(w.t, l)
		require.Equal(w.t, w.viewer.Seat(), l.Seat)
		at := fmt.Sprintf("%s/%d/%d", home, l.ID, i)
		if i > 0 && w.rnd.IntN(3) == 0 { // with other luck
			w.a.asks("POST", at+"/again", nil, browsing(w.me))
			kept, _, err = w.cast.people.Sketch(ctx, w.me.id, w.table)
			require.NoError(w.t, err)
			l = kept.Find(l.ID)
		}
		look, err := w.a.desk.Look(ctx, w.table)
		require.NoError(w.t, err)
		m, err := w.a.composer.Maker.Sketch(ctx, look, l, i, domain.Nobody,
			turn.Asker{Person: w.me.id, Lang: w.me.lang})
		require.NoError(w.t, err)
		w.alike("GET", at, "", browsing(w.me))
		if len(m.Opens) > 1 {
			w.alike("GET", at+"?as="+strconv.Itoa(int(m.Opens[len(m.Opens)-1])), "", browsing(w.me))
		}
		w.report.sketched++
		if w.alike("POST", at+"/move", url.Values{"seat": {"0"}, "move": {w.any()}}.Encode(), browsing(w.me)) == 303 ||
			m.Decision == nil {
			break // what was legal somewhere is legal here; there may be another line now
		}
		moves := m.List(false)
		if len(moves) == 0 {
			break
		}
		move := moves[w.rnd.IntN(len(moves))].Notation
		status := w.alike("POST", at+"/move", url.Values{"seat": {strconv.Itoa(int(m.Seat))}, "move": {move}}.Encode(),
			browsing(w.me))
		if len(w.alarms) > 0 {
			return
		}
		require.Equal(w.t, 303, status, "%s: %s", w.where, move)
	}
	kept, _, err := w.cast.people.Sketch(ctx, w.me.id, w.table)
	require.NoError(w.t, err)
	for _, l := range kept.Lines { // the next look starts afresh
		w.a.asks("POST", fmt.Sprintf("%s/%d/0/drop", home, l.ID), nil, browsing(w.me))
	}
}
