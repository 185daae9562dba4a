package http_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// TestOnePersonPlaysEverySeatInTurn plays a one-person study through its page and a program: it shows and plays the
// awaited seat, and never what another of their seats holds.
func TestOnePersonPlaysEverySeatInTurn(t *testing.T) {
	h := open(t)
	s := h.spec()
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.table("tiny", ana, bo)
	ana.move(table, "keep")
	study := h.study(table, ana)
	page := ana.get("/t/" + study).body
	require.Contains(t, page, "Tiny: a study by Ana")
	_, strip, found := strings.Cut(page, `<ul class="strip">`)
	require.True(t, found)
	strip, _, _ = strings.Cut(strip, "</ul>")
	require.Equal(t, 1, strings.Count(strip, "you"), "who plays all seats is named once")
	_, scores, found := strings.Cut(page, `<table class="standing">`)
	require.True(t, found)
	scores, _, _ = strings.Cut(scores, "</table>")
	require.Contains(t, scores, "Seat A")
	require.Contains(t, scores, "Seat B", "no row of the scores is a mark alone")
	program := ana.bot(s, "play", "")
	turns := map[domain.Seat]int{}
	for i := range 12 {
		look := h.look(study)
		if len(look.Line.Awaited()) == 0 {
			break
		}
		o := look.Line.Awaited()[0]
		turns[o.Seat]++
		got := program.get(fmt.Sprintf("/tables/%s/moves?seat=%d", study, o.Seat))
		require.EqualValues(t, o.Seat, got["decision"].(m)["seat"])
		move := got["moves"].([]any)[0].(m)["notation"].(string)
		for _, asked := range []string{"", fmt.Sprintf("?seat=%d", o.Seat)} {
			require.Equal(t, o.Seat.Letter(), program.get("/tables/" + study + asked)["viewer"],
				"what is shown is what the seat knows whose turn it is")
		}
		if i%2 == 0 {
			ana.move(study, move)
		} else {
			program.play(study, move)
		}
		h.settle(study)
	}
	// Each of the seats can look at the past.
	look := h.look(study)
	at := fmt.Sprintf("/t/%s/line/%s/%d?seat=", study, look.LineName, look.LineHead.Version-1)
	require.Contains(t, ana.get(at+"0").body, "<svg")
	require.NotEqual(t, board(ana.get(at+"0").body), board(ana.get(at+"1").body))
	require.Greater(t, turns[0], 1)
	require.Greater(t, turns[1], 1)
}

// board returns the first picture of a page.
func board(body string) string {
	i := strings.Index(body, "<svg")
	return body[i : i+strings.Index(body[i:], "</svg>")]
}
