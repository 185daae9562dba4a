package views_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desktest"
	"posthorn/projections/views"
)

// parted returns a whole list as its parts are to have it.
func parted(whole []views.Item) (live, ended []views.Item) {
	class := func(it views.Item) int {
		switch {
		case len(it.Awaited) > 0:
			return 0
		case slices.Contains(it.Roles, "invited"):
			return 1
		}
		return 2
	}
	for _, it := range whole {
		if it.Status == domain.TableEnded {
			ended = append(ended, it)
		} else {
			live = append(live, it)
		}
	}
	slices.SortStableFunc(live, func(a, b views.Item) int { return cmp.Compare(class(a), class(b)) })
	slices.SortStableFunc(ended, func(a, b views.Item) int { return b.Moved.Compare(a.Moved) })
	return live, ended
}

func TestAListComesInParts(t *testing.T) {
	h := newHouse(t)
	h.follows()
	luck := rand.New(rand.NewPCG(1, 2))
	for i := range 30 {
		table := h.Opens("tiny", nil, desktest.Player(ana), desktest.Team(bo, cid))
		if i%6 == 0 {
			continue // an invitation stays open
		}
		h.Joins(ana, table, 0)
		if i%6 == 1 {
			continue // she waits for others to come
		}
		h.Joins(bo, table, 1)
		h.Joins(cid, table, 1)
		h.Follows(table)
		h.Random(table, luck, []int{1, 2, 3, 40}[i%4])
	}
	h.caughtUp()
	for _, person := range []domain.PersonID{ana, bo, cid, "", "nobody"} {
		live, ended := parted(h.inbox(person))
		awaiting, err := h.views.Awaiting(h.Ctx, person)
		require.NoError(t, err)
		require.ElementsMatch(t, tables(
			live[:slices.IndexFunc(append(slices.Clone(live), views.Item{}), func(it views.Item) bool {
				return len(it.Awaited) == 0
			})]), awaiting)
		for _, most := range []int{0, 1, 7, 100} {
			var got []views.Item
			for from := 0; ; from += most {
				p, err := h.views.Part(h.Ctx, person, from, most, 3)
				require.NoError(t, err)
				require.Equal(t, len(live), p.Total)
				require.Equal(t, tables(ended[:min(3, len(ended))]), tables(p.Ended))
				got = append(got, p.Live...)
				if len(p.Live) < most || most == 0 {
					break
				}
			}
			require.Equal(t, live, got, "%s, %d at once", person, most)
		}
	}
}
