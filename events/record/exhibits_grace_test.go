package record_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// graced returns a table with a grace. In Catan it takes back, within the grace, a turn that was ended, whatever the
// dice say; in the other games, whatever can be taken back.
func (x *exhibition) graced() events.Name {
	x.T.Helper()
	n := desk.NewTable{Rulebook: x.game.name, Places: x.people(x.game.seats), Pace: "weekly", Grace: domain.MostGrace}
	if x.game.name == "catan" {
		n.Given = []byte(building)
	}
	ans, err := x.Open(x.Ctx, desktest.By(desktest.Ana), events.NewCommandID(), n)
	require.NoError(x.T, err)
	for i, p := range n.Places {
		x.Joins(p.Invited[0], ans.Table, domain.Seat(i))
	}
	x.Follows(ans.Table)
	if x.game.name == "catan" {
		x.Plays(ans.Table, 0, "end")
		x.Does(desktest.Ana, ans.Table, desk.Undo{To: x.Sees(ans.Table).LineHead.Version - 1})
		x.Follows(ans.Table)
	}
	for range 30 {
		if x.Random(ans.Table, x.rnd, 1) {
			break
		}
		look := x.Sees(ans.Table)
		for _, id := range look.Table.People() {
			step, err := x.LastStep(x.Ctx, look, id)
			require.NoError(x.T, err)
			if step.Refused == nil && !step.Until.IsZero() {
				x.Does(id, ans.Table, desk.Undo{To: step.To})
				x.Follows(ans.Table)
				break
			}
		}
	}
	return ans.Table
}

func TestAnExhibitOfEachGameHasAGrace(t *testing.T) {
	graces, undone := 0, false
	for _, e := range exhibits(t) {
		f, err := record.Read(bytes.NewReader(e.file))
		require.NoError(t, err)
		for _, r := range f.Events {
			switch {
			case r.Type == "table.opened.v2" && bytes.Contains(r.Data, []byte(`"grace":60`)):
				graces++
			case r.Type == "table.undone.v1" && bytes.Contains(r.Data, []byte(`"grace":true`)):
				undone = true
			}
		}
	}
	require.Equal(t, len(exhibitedGames), graces)
	require.True(t, undone, "a step is taken back that had asked somebody else")
}
