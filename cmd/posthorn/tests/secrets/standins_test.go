package secrets

import (
	"posthorn/domain"
	"posthorn/domain/standin"
)

// comparesStandIns lets every stand-in choose for the viewer in both houses, with the same throw-away luck. If the
// choices differ, its play would tell the table what it must not know.
func (w *twins) comparesStandIns() {
	w.t.Helper()
	seat := w.viewer.Seat()
	if w.viewer < 0 || w.report.compared%4 != 0 || !w.la.Awaits(seat) || len(w.alarms) > 0 {
		return
	}
	seed := uint64(w.report.compared)
	for _, who := range standin.All() {
		choice := func(l *domain.Line) []byte {
			m, _ := who.Choose(standin.Look(l.Rulebook, l.State, seat, seed))
			return []byte(l.Rulebook.FormatMove(m, nil))
		}
		w.same("what "+who.Name()+" plays", choice(w.la), choice(w.lb))
	}
}
