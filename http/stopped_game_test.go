package http_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// A game that was broken off says by whom, offers nothing more to play, and its points are those of its end.
func TestAGameThatWasBrokenOffSaysSoAndAsksForNothing(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("carcassonne", ana, bo)
	counted := func() domain.Standing {
		look := h.look(table)
		return look.Rulebook.Standing(look.Line.State, domain.Referee)
	}
	for h.random(table, 1); slices.Equal(counted().Final, counted().Scores); {
		// until there is something to count at the end
		require.Less(t, h.version(table), uint64(60))
		h.random(table, 1)
	}
	require.Contains(t, ana.get("/t/"+table).body, "To be placed")
	_, err := h.desk.Do(t.Context(), events.Actor{Person: bo.id, Door: domain.DoorPage}, h.look(table).Name,
		events.NewCommandID(), desk.ProposeEnd{})
	require.NoError(t, err)
	_, err = h.desk.Do(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, h.look(table).Name,
		events.NewCommandID(), desk.Agree{Since: h.look(table).Table.Proposal.Since})
	require.NoError(t, err)
	h.settle(table)
	look := h.look(table)
	standing := counted()

	p := ana.get("/t/" + table)
	require.Contains(t, p.body, "The players ended the game; nobody won.")
	require.NotContains(t, strings.ToLower(p.body), "to be placed", "neither in the picture nor in words")
	require.NotContains(t, p.body, "has a tile to place")
	require.NotContains(t, p.body, ">Place<", "it has none")
	at := "/t/" + table + "/line/" + look.LineName.String() + "/"
	require.Contains(t, ana.get(at+strconv.FormatUint(look.LineHead.Version-1, 10)).body, "To be placed", "then it was")

	p = ana.get("/t/" + table + "/story")
	require.Contains(t, p.body, "Bo proposed to stop the game, and everybody agreed.")
	moves := look.LineHead.Version - 1 // the first tile is not one
	require.Regexp(t, `\b`+strconv.FormatUint(moves, 10)+` moves?\b`, strings.ReplaceAll(p.body, "\u00a0", " "))
	ends := regexp.MustCompile(`<title>(?:Ana|Bo): (-?\d+)</title>`).FindAllStringSubmatch(p.body, -1)
	require.NotEmpty(t, ends)
	for i, end := range ends[:2] {
		require.Equal(t, strconv.Itoa(standing.Final[i]), end[1],
			"the plot of points ends with what is counted at the end")
	}
}

// What was still offered when a game of Catan was broken off is no longer there to be answered.
func TestABrokenOffGameOffersNothing(t *testing.T) {
	h := open(t)
	ana, bo, cid := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Cid")
	table := h.given("catan", `{"active":"A","phase":"main","players":[`+
		`{"settlements":[13,31],"roads":[20,36],"hand":{"brick":1}},`+
		`{"settlements":[10,40],"roads":[13,53],"hand":{"wool":1}},{"settlements":[22,42],"roads":[28,57]}]}`, ana, bo,
		cid)
	form := ana.get("/t/" + table).form("/t/" + table + "/move")
	form.Set("move", "offer 1 brick for 1 wool")
	require.Equal(t, 200, ana.send("/t/"+table+"/move", form).status)
	require.Contains(t, cid.get("/t/"+table).body, "Yet to answer")
	do := func(who *browser, c desk.Command) {
		_, err := h.desk.Do(t.Context(), events.Actor{Person: who.id, Door: domain.DoorPage}, h.look(table).Name,
			events.NewCommandID(), c)
		require.NoError(t, err)
	}
	do(ana, desk.ProposeEnd{})
	do(bo, desk.Agree{Since: h.look(table).Table.Proposal.Since})
	do(cid, desk.Agree{Since: h.look(table).Table.Proposal.Since})
	h.settle(table)
	body := bo.get("/t/" + table).body
	require.Contains(t, body, "The players ended the game; nobody won.")
	require.NotContains(t, body, "What is offered")
	require.NotContains(t, body, "Yet to answer")
}

// Somebody who alone decides stops a game at once, and somebody who resigns may end it.
func TestTheStoryOfAGameSaysWhoseDoingItsEndWas(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	alone, both := h.study(h.table("tiny", ana, bo), ana), h.table("tiny", ana, bo)
	do := func(table string, c desk.Command) {
		t.Helper()
		_, err := h.desk.Do(t.Context(), events.Actor{Person: ana.id, Door: domain.DoorPage}, h.look(table).Name,
			events.NewCommandID(), c)
		require.NoError(t, err)
		h.settle(table)
		require.Equal(t, domain.TableEnded, h.look(table).Table.Status)
	}
	do(alone, desk.ProposeEnd{})
	do(both, desk.Resign{Seat: 0})
	require.Contains(t, ana.get("/t/"+alone+"/story").body, "Ana stopped the game.")
	p := ana.get("/t/" + both + "/story").body
	require.Contains(t, p, "Ana resigned.")
	require.Contains(t, p, "The game ended, because too few players were left.")
}
