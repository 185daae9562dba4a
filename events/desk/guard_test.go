package desk_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events/desk"
)

// beside returns another desk over the same log, as after a start while an older program is still running.
func (d *testDesk) beside() *testDesk {
	named := func(n string) (domain.Rulebook, bool) { return tiny.Rulebook, n == "tiny" }
	return &testDesk{desk.NewDesk(d.Log(), d.Keys(), named, time.Now), d.t, d.ctx}
}

// watched is a command that makes something happen each time before it is judged.
type watched struct {
	desk.Command
	before func(desk.Case)
}

func (w watched) Row() desk.Row {
	row := w.Command.Row()
	return desk.Row{Wish: row.Wish,
		Judge: func(ctx context.Context, by domain.PersonID, r desk.Case) (domain.TableEvent, error) {
			w.before(r)
			return row.Judge(ctx, by, r)
		}}
}

func TestWhatIsDecidedOnALineThatWentOnIsDecidedAnew(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "keep")
	var seen []uint64
	require.NoError(t, d.do(ana, table, watched{desk.ProposeRewind{To: 1}, func(r desk.Case) {
		if len(seen) == 0 {
			d.beside().play(table, bo, 1, "keep")
		}
		seen = append(seen, r.Line.Version)
	}}))
	require.Len(t, seen, 2)
	require.Equal(t, seen[0]+1, seen[1], "the second time with Bo's move")
	require.Equal(t, seen[1], d.look(table).Table.Proposal.Line)
}
