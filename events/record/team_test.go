package record_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// teamed returns the record of a game in which somebody left a seat's team.
func teamed(t testing.TB) []byte {
	t.Helper()
	h := desktest.New(t)
	table := h.Opens("tiny", nil, desktest.Player(desktest.Ana), desktest.Team(desktest.Bo, desktest.Cid))
	for who, seat := range map[domain.PersonID]domain.Seat{desktest.Ana: 0, desktest.Bo: 1, desktest.Cid: 1} {
		h.Joins(who, table, seat)
	}
	h.Follows(table)
	h.Resigns(desktest.Cid, table, 1)
	h.Follows(table)
	h.Ends(table)
	h.Follows(table)
	return exportOf(t, h, table)
}

func TestARecordShowsWhoLeftATeam(t *testing.T) {
	f, err := record.Read(bytes.NewReader(teamed(t)))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.True(t, r.Judged)
	for _, c := range []change{
		{"a team left by somebody who was not in it", teamed, func(t testing.TB, g *forgery) *record.Event {
			e := g.find(t, "table.left.v1", 0)
			meant(e, set("by", "Eva"))
			return edit(e, set("person", "Eva"))
		}},
		{"a team that another one is taken from", teamed, func(t testing.TB, g *forgery) *record.Event {
			return edit(g.find(t, "table.left.v1", 0), set("person", "Bo"))
		}},
	} {
		t.Run(c.name, c.isFound)
	}
}
