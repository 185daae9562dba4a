package http_test

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
)

// playedOut plays a table to its end, each seat as itself.
func (h *house) playedOut(table string) {
	h.t.Helper()
	for h.look(table).Table.Status != domain.TableEnded {
		look := h.look(table)
		o := look.Line.Awaited()[0]
		m, ok := standin.Random{}.Choose(standin.Look(look.Rulebook, look.Line.State, o.Seat, look.Line.Version))
		require.True(h.t, ok)
		_, err := h.desk.Play(h.t.Context(), events.Actor{Person: look.Table.Places[o.Seat].Holders[0], Door: events.DoorPage},
			events.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o, Move: m})
		require.NoError(h.t, err)
		h.chores(table)
	}
}

func TestTheStoryOfAGameIsAPageForWhoeverHasItsAddress(t *testing.T) {
	h := open(t)
	ana, bo, eva, stranger := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Eva"), h.browser()
	table := h.table("carcassonne", ana, bo)
	h.playedOut(table)
	require.Contains(t, ana.get("/t/"+table).body, `href="/t/`+table+`/story"`)

	p := stranger.get("/t/" + table + "/story")
	require.Equal(t, 200, p.status)
	look := h.look(table)
	standing := look.Rulebook.Standing(look.Line.State, domain.Referee)
	first := strings.Index(p.body, `class="place-no">1.`)
	require.Positive(t, first)
	if standing.Ranks[0] != standing.Ranks[1] {
		winner := []string{"Ana", "Bo"}[1-standing.Ranks[0]%2]
		require.Regexp(t, `^[^\n]*<b>`+winner+`</b>`, p.body[first:], "the best stands first")
	}
	require.Contains(t, p.body, `<svg class="plot"`)
	require.Contains(t, p.body, `property="og:title"`)
	require.NotContains(t, p.body, "/rematch", "strangers ask nobody to play again")
	require.NotContains(t, eva.get("/t/"+table+"/story").body, "/rematch")
	require.Equal(t, 401, eva.send("/t/"+table+"/rematch", url.Values{"id": {events.NewCommandID().String()}}).status)

	study := h.study(table, ana)
	require.Equal(t, 404, stranger.get("/t/"+study+"/story").status, "a study is for its people alone")
}

func TestEveryPointOfAStoryIsThatOfAMove(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	for _, game := range []string{"carcassonne", "tiny"} {
		table := h.table(game, ana, bo)
		h.playedOut(table)
		p := h.browser().get("/t/" + table + "/story")
		require.Equal(t, 200, p.status)
		for _, entry := range strings.Split(p.body, `class="rank-line"`)[1:] {
			entry, _, _ = strings.Cut(entry, "</ol></section>")
			sum, total := 0, number(t, regexp.MustCompile(`class="sum">(-?\d+)`).FindStringSubmatch(entry)[1])
			for _, m := range regexp.MustCompile(`class="plus">([+-]\d+|&#43;\d+)`).FindAllStringSubmatch(entry, -1) {
				sum += number(t, unescape(m[1]))
			}
			require.Equal(t, total, sum, "%s: every point has its move", game)
		}
	}
}

func TestPlayingAgainAsksEverybodyToTheSameGame(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	require.NotContains(t, ana.get("/t/"+table).body, "/rematch", "a game that is played is not begun again")
	h.playedOut(table)
	form := bo.get("/t/" + table).form("/t/" + table + "/rematch")
	p := bo.send("/t/"+table+"/rematch", form)
	require.Equal(t, 200, p.status)
	again := h.look(p.path[3:]).Table
	old := h.look(table).Table
	require.Equal(t, bo.id, again.Opener)
	require.Equal(t, old.Choices, again.Choices)
	require.Equal(t, old.Pace, again.Pace)
	require.Equal(t, []domain.PersonID{ana.id}, again.Places[0].Invited)
	require.Equal(t, []domain.PersonID{bo.id}, again.Places[1].Invited)
	require.Equal(t, p.path, bo.send("/t/"+table+"/rematch", form).path, "pressed twice it is one table")
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}
