package browser

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// midGame is a position for four in which much is about to happen, whatever the dice show. A, who has rolled, holds
// wool. A's longest road of six runs through 29, where B can settle and pay for it; B holds too few cards to lose any
// to a seven. Everybody is a few points short of ten.
const midGame = `{
	"board": {"hexes": ["ore10","wool2","lumber9","grain12","brick6","wool4","brick10","grain9","lumber11","desert","lumber3","ore8","lumber8","ore3","grain4","wool5","brick5","grain6","wool11"]},
	"active": "A", "phase": "main",
	"players": [
		{"cities": [22, 36], "settlements": [26, 50], "roads": [34, 41, 42, 43, 44, 45], "hand": {"wool": 3, "grain": 1}},
		{"cities": [18, 5], "settlements": [10, 19], "roads": [27, 35, 8, 21], "hand": {"brick": 1, "lumber": 1, "wool": 1, "grain": 1, "ore": 3}},
		{"cities": [44, 49], "settlements": [42, 47], "roads": [57, 69], "hand": {"ore": 3, "grain": 3, "brick": 3, "lumber": 2}},
		{"cities": [12, 38], "settlements": [3, 27], "roads": [19, 49], "hand": {"lumber": 3, "wool": 3, "grain": 2, "brick": 3}}
	]}`

// Four people play Catan by mail from the middle of a game, with POSTHORN_LONG=1 to the end: an offer, which two answer
// with their links and the third with a counter-offer from a standing order; a longest road that is cut; a seven that
// takes half of three hands at once.
func TestCatanOfFourByMail(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	table := gather(t, data, desk.NewTable{Rulebook: "catan", Pace: "weekly", Given: []byte(midGame),
		Places: make([]domain.TablePlace, 4)}, friends...)
	m := playing(t, "catan-four", data, table, 390, 844)
	began := time.Now()
	m.give(friends[2], 2, "give 1 ore for 2 wool counter")

	const offer = "offer 1 wool for 1 ore to B C D"
	m.ordered = map[domain.Seat]string{2: "answer"}
	m.fill = map[string]filling{offer: {"offer", map[string]int{"give.wool": 1, "want.ore": 1}}}
	m.later = func(open []domain.Open, o domain.Open) bool { // the others answer before A accepts the counter-offer
		return o.Seat == 0 && slices.ContainsFunc(open, func(o domain.Open) bool { return o.Kind == "answer" })
	}
	offered, traded, cut := false, false, false
	discards := map[uint64]int{} // by the seven that caused them
	thrice := func() bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(discards)), func(n int) bool { return n >= 3 })
	}
	m.choose = func(line *domain.Line, o domain.Open) domain.Move {
		first := func(texts ...string) domain.Move {
			for _, text := range texts {
				for move := range line.Rulebook.Legal(line.State, o.Seat) {
					if line.Rulebook.FormatMove(move, nil) == text {
						return move
					}
				}
			}
			return nil
		}
		switch o.Kind {
		case "answer":
			return first("decline")
		case "counter":
			traded = true
			return first("accept C")
		case "discard":
			discards[o.Since]++
		case "turn":
			if move := first("accept C", "roll"); move != nil {
				traded = traded || o.Seat == 0 && move == first("accept C")
				return move
			}
			if o.Seat == 0 && !offered && first("end") != nil {
				offered = true
				move, err := line.Parse(offer, nil)
				require.NoError(t, err)
				return move
			}
			if move := first("settle 29"); move != nil {
				cut = true
				return move
			}
			if !thrice() { // until then nobody spends a card
				return first("end")
			}
		}
		return nil
	}
	m.playUntil(400, func() bool { return !whole() && traded && cut && thrice() })
	t.Logf("%d moves, %d mails played from, %v", m.moves, m.mailed, time.Since(began).Round(time.Second))
	done := m.happened()
	require.Equal(t, "page", done["A "+offer].door)
	require.Equal(t, domain.DoorOrder, done["C counter 1 ore for 2 wool"].door,
		"asked for by an order that was given beforehand")
	require.Equal(t, "page", done["A accept C"].door)
	require.Contains(t, done["B settle 29"].tells, "tell.longest-aside",
		"A's road is cut, and nobody else's is long enough")
	require.Equal(t, "page", done["B decline"].door)
	require.True(t, thrice(), "a seven takes half of three hands")
	if !whole() {
		return
	}
	m.over(friends[0])
	m.once("mail-over")
	m.press(`a[href*="/p/"]`)
	m.once("over")
	require.Contains(t, m.text("main"), "The game is over")
	require.Contains(t, m.text("main h1"), " with ", "the page begins with who has won")
}

// Catan for two by mail against a stand-in: the beginning of one game and the end of another, or with POSTHORN_LONG=1
// one whole game.
func TestCatanForTwoByMail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part  string
		after int // moves before it begins
		moves int // moves that suffice; 0 to play to the end
	}{{"begin", 0, 12}, {"end", 140, 0}} {
		t.Run(c.part, func(t *testing.T) {
			if whole() && c.part == "begin" {
				t.Skip("the other one is played whole, from its beginning")
			}
			t.Parallel()
			data := t.TempDir()
			n := desk.NewTable{Rulebook: "catan", Pace: "weekly",
				Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "steady"}}}
			if c.after > 0 {
				n.Given = late(t, n.Rulebook, nil, len(n.Places), c.after)
			}
			m := playing(t, "catan-two-"+c.part, data, gather(t, data, n, friends[0]), 390, 844)
			began := time.Now()
			m.playUntil(400, func() bool { return c.moves > 0 && m.moves >= c.moves })
			t.Logf("%d moves, %d mails played from, %v", m.moves, m.mailed, time.Since(began).Round(time.Second))
			if c.moves > 0 {
				return
			}
			m.over(friends[0])
			m.once("mail-over")
			m.press(`a[href*="/p/"]`)
			m.once("over")
			require.Contains(t, m.text("main"), "The game is over")
			require.Contains(t, m.text("main h1"), " with ", "the page begins with who has won")
		})
	}
}

// give signs a person in, gives a standing order at the table, and signs out.
func (m *byMail) give(who someone, seat domain.Seat, order string) {
	m.t.Helper()
	m.signIn(m.p, who.address)
	m.open(m.p.Base + "/t/" + m.table.String())
	m.press(`a[href*="/orders?"]`)
	m.script(`document.querySelectorAll("main details").forEach(d => d.open = true); null`)
	m.once("orders-open")
	m.do(chromedp.SetValue(`main input[name=typed]`, order))
	m.press(`main form:has(input[name=typed]) button.go`)
	m.once("orders")
	require.Contains(m.t, m.text("main .orders code"), "order give")
	m.open(m.p.Base + "/settings")
	m.press(`form[action="/settings/sessions"] button`)
}

// happening is a move of the game: the door it came through, and what its event tells.
type happening struct {
	door  string
	tells []string
}

// happened returns the moves of the line, each with its seat's letter; of equal moves the first.
func (m *byMail) happened() map[string]happening {
	m.t.Helper()
	look := m.look()
	list, err := m.offline.Desk.History(context.Background(), look, look.LineName, domain.Referee, 0, 0)
	require.NoError(m.t, err)
	out := map[string]happening{}
	for _, e := range list {
		key := e.Event.Seat.Letter() + " " + e.Event.Move
		if _, again := out[key]; again {
			continue
		}
		h := happening{door: e.Meta.Door}
		for _, s := range look.Rulebook.Tell(&e.Event, look.Rulebook.View(look.Line.State, domain.Spectator)) {
			h.tells = append(h.tells, s.Key)
		}
		out[key] = h
	}
	return out
}
