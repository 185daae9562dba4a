package http_test

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/sketch"
	"posthorn/events"
	"posthorn/events/programtest"
	"posthorn/http/pagetest"
)

const (
	searching  = `{"active":"A","phase":"act","seats":[{"hand":["goldsmith","weavers_shop","osmund"]},{}]}`
	exchanging = `{"active":"A","phase":"exchange","seats":[{"hand":["goldsmith","weavers_shop","osmund"]},{}]}`
	buying     = `{"phase":"main","active":"A","players":[
	{"settlements":[8],"roads":[13],"hand":{"grain":1,"ore":1,"wool":1}},{"settlements":[20]},{"settlements":[45]}]}`
)

// pressed are positions in which pages offer presses, by game; those of several moves have one that goes through, and
// one in which something is asked in between.
var pressed = map[string]struct{ game, position, several string }{
	"carcassonne":                 {"carcassonne", `{}`, "."},
	"catan":                       {"catan", buying, "^buy; end$"},
	"rivals, draws":               {"rivals", aTurn, "^end; draw 2; pass$"},
	"rivals, exchanges with bank": {"rivals", exchanging, `^search osmund \d; stack 2$`},
}

// presses returns what the buttons of a page send that play something, by the moves.
func (p page) presses(act string) map[string]url.Values {
	p.t.Helper()
	out := map[string]url.Values{}
	for _, f := range pagetest.Forms(p.t, p.body) {
		if f.Action != act {
			continue
		}
		for _, b := range f.Buttons {
			if sent := f.Press(b); len(sent["move"]) == 1 {
				out[sent.Get("move")] = sent
			}
		}
	}
	return out
}

// choosing are the links of a page that choose something.
var choosing = regexp.MustCompile(`href="([^"]*[?&;](?:c|play)=[^"]*)"`)

// playable returns what a page with a form offers to play, at once or by a choice more; where there is nothing yet,
// once the first choices have been made.
func (b *browser) playable(at, act string) map[string]url.Values {
	b.t.Helper()
	p := b.get(at)
	for range 4 {
		require.Equal(b.t, 200, p.status, p.body)
		list := p.presses(act)
		for _, way := range choosing.FindAllStringSubmatch(p.body, -1) {
			maps.Copy(list, b.get(unescape(way[1])).presses(act))
		}
		if len(list) > 0 {
			return list
		}
		ways := wayOn.FindAllStringSubmatch(p.body, -1)
		p = b.get(unescape(ways[len(ways)-1][1]))
	}
	b.t.Fatalf("nothing can be pressed at %s", at)
	return nil
}

func (h *house) position(name string, players ...*browser) string {
	h.t.Helper()
	if pressed[name].game == "carcassonne" {
		return h.table("carcassonne", players...)
	}
	return h.given(pressed[name].game, pressed[name].position, players...)
}

// players are as many as a position is for.
func playersOf(name string, all ...*browser) []*browser {
	if pressed[name].game == "catan" {
		return all
	}
	return all[:2]
}

func TestWhatIfPlaysEveryPressItOffers(t *testing.T) {
	programtest.Long(t)
	h := open(t)
	all := []*browser{h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")}
	for name, is := range pressed {
		t.Run(name, func(t *testing.T) {
			several := regexp.MustCompile(is.several)
			table := h.position(name, playersOf(name, all...)...)
			look := h.look(table)
			mover := all[look.Line.Awaited()[0].Seat]
			begin := func() string {
				p := mover.send("/t/"+table+"/sketch", url.Values{"now": {"1"}})
				require.Equal(t, 200, p.status, p.body)
				return p.path
			}
			at := begin()
			offered := mover.playable(at, at+"/move")
			require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(offered)), several.MatchString), is.several)
			for _, press := range slices.Sorted(maps.Keys(offered)) {
				p := mover.send(at+"/move", offered[press])
				require.Equal(t, 200, p.status, "%s: %s", press, p.body)
				answers := 0
				for ; !h.tried(mover, table, p.path, strings.Split(press, "; ")); answers++ {
					// something is asked in between
					require.Less(t, answers, 3, press)
					for _, answer := range mover.playable(p.path, p.path+"/move") {
						p = mover.send(p.path+"/move", answer)
						require.Equal(t, 200, p.status, press)
						break
					}
				}
				require.Equal(t, 200, mover.send(p.path+"/drop", nil).status)
				at = begin()
				offered = mover.playable(at, at+"/move")
			}
		})
	}
}

// tried reports whether the line of a sketch at an address contains moves in this order.
func (h *house) tried(b *browser, table, path string, moves []string) bool {
	h.t.Helper()
	name, err := events.ParseName(table)
	require.NoError(h.t, err)
	s, _, err := h.people.Sketch(h.t.Context(), b.id, name)
	require.NoError(h.t, err)
	parts := strings.Split(path, "/")
	id, err := strconv.Atoi(parts[4])
	require.NoError(h.t, err)
	return contains(s.Find(id).Plies, moves)
}

func contains(plies []sketch.Ply, moves []string) bool {
	for _, p := range plies {
		if len(moves) > 0 && p.Move == moves[0] {
			moves = moves[1:]
		}
	}
	return len(moves) == 0
}

func TestAPuzzleTakesEveryPressItOffers(t *testing.T) {
	programtest.Long(t)
	h := open(t)
	all, solver := []*browser{h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")}, h.signedIn("Dora")
	for name, is := range pressed {
		t.Run(name, func(t *testing.T) {
			several := regexp.MustCompile(is.several)
			table := h.position(name, playersOf(name, all...)...)
			look := h.look(table)
			mover := all[look.Line.Awaited()[0].Seat]
			h.breaksOff(table)
			moment := "/t/" + table + "/line/" + look.LineName.String() + "/" +
				strconv.FormatUint(look.LineHead.Version, 10)
			at := unescape(regexp.MustCompile(`href="(/t/[^"]*/puzzle[?][^"]*)"`).
				FindStringSubmatch(mover.get(moment).body)[1])
			offered := mover.playable(at, "/t/"+table+"/puzzle/move")
			require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(offered)), several.MatchString), is.several)
			for n, press := range slices.Sorted(maps.Keys(offered)) {
				// Made: what is pressed is a right answer.
				p := mover.send("/t/"+table+"/puzzle/move", offered[press])
				require.Equal(t, 200, p.status, "%s: %s", press, p.body)
				form := pagetest.Of(t, p.body, "/t/"+table+"/puzzle")
				require.Contains(t, strings.Split(form.Fields.Get("solutions"), "\n"), press)
				if n > 0 && !(several.MatchString(press) && is.several != ".") {
					continue
				}
				form.Fields.Set("title", "How would you go on?")
				p = mover.send("/t/"+table+"/puzzle", form.Press(form.Buttons[0]))
				require.Equal(t, 200, p.status, p.body)

				// Solved: the same press is right, and each other is an answer.
				link, right := p.path, solver.playable(p.path, p.path+"/move")
				require.Contains(t, right, press)
				for other, sent := range right {
					p = solver.send(link+"/move", sent)
					require.Equal(t, 200, p.status, "%s: %s", other, p.body)
					verdict := "Not what the author had in mind"
					if strings.HasPrefix(other+"; ", press+"; ") {
						verdict = ">Right<"
					}
					require.Contains(t, p.body, verdict, other)
				}
			}
		})
	}
}
