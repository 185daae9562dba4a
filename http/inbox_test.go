package http_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

var listedTable = regexp.MustCompile(`<a href="(/t/[0-9a-f]+)">`)

// Given more games than a part of the list holds, when Ana goes through the parts, then each game appears once.
func TestALongListOfGamesComesInParts(t *testing.T) {
	h := open(t)
	ana := h.signedIn("Ana")
	// nobody may open so many in a day
	openers := []*browser{h.signedIn("Bo"), h.signedIn("Cid"), h.signedIn("Dov"), h.signedIn("Eva")}
	var all []string
	for i := range 48 {
		p := h.opens("tiny", url.Values{"pace": {"weekly"}}, openers[i%4], ana)
		require.Equal(t, 200, p.status, p.body)
		all = append(all, p.path)
	}
	seen := map[string]int{}
	for p := ana.get("/"); ; {
		for _, m := range listedTable.FindAllStringSubmatch(p.body, -1) {
			seen[m[1]]++
		}
		next := regexp.MustCompile(`rel="next" href="(/\?from=\d+)"`).FindStringSubmatch(p.body)
		if next == nil {
			require.Contains(t, p.body, `href="/">The first games`)
			break
		}
		require.Contains(t, p.body, "8 more games")
		p = ana.get(next[1])
		require.Equal(t, 200, p.status)
	}
	require.Len(t, seen, 48)
	for _, path := range all {
		require.Equal(t, 1, seen[path], path)
	}
	require.Equal(t, 200, ana.get("/?from=-3").status)
	require.Equal(t, 200, ana.get("/?from=many").status)
	require.Equal(t, 200, ana.get("/?from=99999999999999999999").status)
}

// What somebody tries alone stands apart from their games, without a time: nobody is waiting there. Another study says
// that it is one.
func TestAStudyIsToldFromTheGamesInTheList(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	game := h.table("tiny", ana, bo)
	own := h.study(game, ana)
	look := h.look(game)
	branch := func(others ...domain.TablePlace) string {
		t.Helper()
		me := domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{ana.id}}
		ans, err := h.desk.Open(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, events.NewCommandID(),
			desk.NewTable{Rulebook: "tiny", Pace: "weekly", Places: append([]domain.TablePlace{me}, others...),
				Branch: &domain.Branch{Table: game, Line: look.LineName.String(), Version: look.LineHead.Version,
					Kind: "study"}})
		require.NoError(t, err)
		_, err = h.desk.Do(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, ans.Table,
			events.NewCommandID(), desk.Join{Seat: 0, Chance: []byte(someChance)})
		require.NoError(t, err)
		h.settle(ans.Table.String())
		return ans.Table.String()
	}
	machine := branch(domain.TablePlace{Kind: domain.SeatStandIn, StandIn: domain.HouseStandIns[0]})
	both := branch(domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{bo.id}})

	body := ana.get("/").body
	parts := strings.SplitN(body, `<h2 id="studies">Your studies</h2>`, 2)
	require.Len(t, parts, 2, body)
	for _, study := range []string{own, machine} {
		require.NotContains(t, parts[0], study, "it waits for nobody")
		require.Contains(t, parts[1], study)
	}
	require.Contains(t, parts[0], game)
	require.Contains(t, parts[0], both)
	require.Equal(t, 1, strings.Count(body, `<span class="tag">study</span>`), "of several people")
	require.NotContains(t, parts[1], `class="due"`)
}
