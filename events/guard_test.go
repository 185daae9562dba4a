package events_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
)

// beside is another desk over the same log, as after a start beside a program that has not ended yet.
func (d *desk) beside() *desk {
	named := func(n string) (domain.Rulebook, bool) { return tiny.Rules{}, n == "tiny" }
	return &desk{events.NewDesk(d.Log(), d.Keys(), named, time.Now), d.t, d.ctx}
}

func TestWhatIsDecidedOnALineIsDecidedAnewWhenTheLineHasGoneOnMeanwhile(t *testing.T) {
	d := newDesk(t)
	table := d.started()
	d.play(table, ana, 0, "keep")
	var seen []uint64
	require.NoError(t, d.do(ana, table, func(r events.Room) (domain.TableEvent, error) {
		if len(seen) == 0 {
			d.beside().play(table, bo, 1, "keep")
		}
		seen = append(seen, r.Line.Version)
		played, err := r.Played(1)
		if err != nil {
			return nil, err
		}
		return r.Table.ProposeRewind(ana, 1, false, nil, played, r.NextLine())
	}))
	require.Len(t, seen, 2)
	require.Equal(t, seen[0]+1, seen[1], "the second time with Bo's move")
	require.Equal(t, seen[1], d.look(table).Table.Proposal.Line)
}
