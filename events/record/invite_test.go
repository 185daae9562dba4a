package record_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/memory"
	"posthorn/events/record"
)

// expired returns the record of a table where an invitation was not answered in time.
func expired(t testing.TB) []byte {
	t.Helper()
	now := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	h := desktest.Over(t, memory.New(), func() time.Time { return now })
	ans, err := h.Open(h.Ctx, desktest.By(desktest.Ana), events.NewCommandID(),
		desk.NewTable{Rulebook: "tiny", Pace: "daily",
			Places: []domain.TablePlace{desktest.Player(desktest.Ana), desktest.Player(desktest.Bo)}})
	require.NoError(t, err)
	table := ans.Table
	expires := desk.Expire{Seat: 1, Person: desktest.Bo, Until: h.Sees(table).Table.AskedUntil(1, desktest.Bo)}
	expire := func() error {
		_, err := h.DoCaused(h.Ctx, events.Clock, table, events.Because("clock", []byte(expires.Row().Wish)), expires)
		return err
	}
	require.Error(t, expire(), "not before its time")
	now = expires.Until
	require.NoError(t, expire())
	h.Does(desktest.Ana, table, desk.Invite{Seat: 1, Person: desktest.Bo})
	h.Joins(desktest.Ana, table, 0)
	h.Joins(desktest.Bo, table, 1)
	h.Follows(table)
	h.Ends(table)
	h.Follows(table)
	return exportOf(t, h, table)
}

func TestARecordShowsThatAnInvitationWasGoodForItsTime(t *testing.T) {
	f, err := record.Read(bytes.NewReader(expired(t)))
	require.NoError(t, err)
	r, err := record.Verify(f, desktest.Named)
	require.NoError(t, err)
	require.True(t, r.Judged)
	for _, c := range []change{
		{"an invitation that ends before its time", expired, func(t testing.TB, g *forgery) *record.Event {
			e := g.find(t, "table.expired.v1", 0)
			e.At -= 5 * 3600_000
			return e
		}},
		{"an invitation that somebody ends as the clock does", expired, func(t testing.TB, g *forgery) *record.Event {
			return meant(g.find(t, "table.expired.v1", 0), func(m map[string]any) {
				m["by"], m["door"] = "Ana", "page"
			})
		}},
		{"an invitation of somebody who was not asked", expired, func(t testing.TB, g *forgery) *record.Event {
			return edit(g.find(t, "table.expired.v1", 0), set("person", "Eva"))
		}},
		{"an invitation for a day", expired, func(t testing.TB, g *forgery) *record.Event {
			return edit(g.find(t, "table.invited.v1", 0), set("until", "2026-01-20T12:00:00Z"))
		}},
		{"an opening for a day", expired, func(t testing.TB, g *forgery) *record.Event {
			return edit(g.find(t, "table.opened.v2", 0), set("until", "2026-01-06T12:00:00Z"))
		}},
	} {
		t.Run(c.name, c.isFound)
	}
}
