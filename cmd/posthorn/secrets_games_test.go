package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
)

// secretGames is a sort of random game that is looked at by everybody.
type secretGames struct {
	game        string
	seats       int
	choices     domain.Choices // fixed ones; the others fall as they will
	few, many   int            // how many games, and with POSTHORN_LONG=1
	alone, walk int            // the most moves before the houses part, and between two looks
}

var secretTables = []secretGames{
	{game: "catan", seats: 2, few: 1, many: 334, alone: 250, walk: 40},
	{game: "catan", seats: 3, few: 1, many: 333, alone: 250, walk: 40},
	{game: "catan", seats: 4, few: 1, many: 333, alone: 250, walk: 40},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "intro"}, few: 1, many: 200, alone: 200, walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "gold"}, few: 0, many: 200, alone: 200, walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "turmoil"}, few: 0, many: 200, alone: 200, walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "progress"}, few: 0, many: 200, alone: 200, walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "duel"}, few: 1, many: 200, alone: 200, walk: 15},
	{game: "carcassonne", seats: 2, few: 1, many: 200, alone: 60, walk: 10},
}

// choicesOf are some options of a game, such that it can have so many seats.
func choicesOf(t testing.TB, rb domain.Rulebook, fixed domain.Choices, seats int, rnd *rand.Rand) domain.Choices {
	t.Helper()
	for {
		given := domain.Choices{}
		for _, o := range rb.Options() {
			given[o.Key] = o.Values[rnd.IntN(len(o.Values))]
		}
		maps.Copy(given, fixed)
		full, err := domain.Complete(rb, given)
		require.NoError(t, err)
		if least, most := rb.Seats(full); seats < least || seats > most {
			continue
		}
		if _, _, err := domain.NewLine(rb, domain.NewThrowaway(1)).Setup(domain.Game{Choices: full, Seats: seats}); err == nil {
			return full
		}
	}
}

// looked plays one random game of a sort and holds it against a twin for everybody who may look
// at it.
func (c *cast) looked(t testing.TB, games []domain.Rulebook, s secretGames, n int, report *told, looks int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(len(s.game)*10+s.seats)))
	a, b := c.houseOf(t, games), c.houseOf(t, games)
	rb, ok := domain.Rulebook(nil), false
	for i := 0; !ok; i++ {
		rb = games[i]
		ok = rb.Name() == s.game
	}
	choices := choicesOf(t, rb, s.choices, s.seats, rnd)
	report.games++
	for v := domain.Spectator; v < domain.Viewer(s.seats); v++ {
		w := &twins{t: t, cast: c, rnd: rnd, a: a, b: b, viewer: v, me: c.watcher(), report: report,
			where: fmt.Sprint(s.game, " of ", s.seats, ", game ", n, " with ", choices)}
		if v >= 0 {
			w.me = c.players()[v]
		} else if rnd.IntN(2) == 0 {
			w.me = somebody{} // who is nobody may watch, too
		}
		if w.begins(s, choices, fmt.Sprint(s.game, s.seats, n, v), rnd.IntN(3) > 0) {
			w.watches(s, looks)
		}
	}
}

// begins twins at a table: from its first event on, or after some moves that are the same in
// both, at a branch. False: the game was over before they parted.
func (w *twins) begins(s secretGames, choices domain.Choices, id string, alone bool) bool {
	w.t.Helper()
	w.id, w.plain = id, alone
	w.gathers(events.NewTable{Rulebook: s.game, Choices: choices}, w.cast.players()[:s.seats])
	if !alone {
		return true
	}
	if !w.alone(w.rnd.IntN(s.alone)) {
		return false
	}
	w.parts()
	return true
}

// watches goes on with twins and looks at them now and then.
func (w *twins) watches(s secretGames, looks int) {
	w.t.Helper()
	for look := range looks {
		w.goes(s)
		w.compares()
		if look == 0 && looks > 1 && w.rnd.IntN(4) == 0 && len(w.la.Awaited()) > 0 {
			w.rewinds()
			w.compares()
		}
		if len(w.alarms) > 0 || !w.moves() || len(w.la.Awaited()) == 0 {
			break
		}
	}
	if w.me.id != "" && w.rnd.IntN(3) == 0 && len(w.alarms) == 0 {
		w.branches()
	}
}

// goes on for some moves, often to one where the viewer has to move; at another branch if
// nothing more can come to the same here.
func (w *twins) goes(s secretGames) {
	w.t.Helper()
	if !w.walks(w.rnd.IntN(s.walk)) && len(w.la.Awaited()) > 0 {
		w.parts()
	}
	if w.viewer < 0 || w.rnd.IntN(3) == 0 {
		return
	}
	for range 2 * s.walk {
		if len(w.la.Awaited()) == 0 || w.la.Awaits(w.viewer.Seat()) || !w.step() {
			return
		}
	}
}

// Two histories that give somebody the same public parts and the same of their own look the
// same to them on every channel, whoever they are: the pages of the table as it stands and at
// any version, by session, by link and by the API, the pictures and their words, the timeline,
// the audit, the record, the mails, the live stream, a branch they make, and what their moves
// are answered.
func TestWhatSomebodyMayNotKnowShowsOnNoChannel(t *testing.T) {
	long := os.Getenv("POSTHORN_LONG") == "1"
	c := newCast(t)
	for _, s := range secretTables {
		t.Run(fmt.Sprint(s.game, s.seats, s.choices["play"]), func(t *testing.T) {
			n, looks := s.few, 1
			if long {
				n, looks = s.many, 2
			}
			report := &told{revealed: map[string]int{}}
			for i := range n {
				t.Run(strconv.Itoa(i), func(t *testing.T) { c.looked(t, ordinaryGames(), s, i, report, looks) })
				if long && (i+1)%10 == 0 {
					fmt.Printf("%s %s: %d of %d games: %s\n", time.Now().Format(time.TimeOnly), t.Name(), i+1, n, report)
				}
			}
			t.Log(report)
			if hides := s.game != "carcassonne"; n > 10 && hides {
				require.Greater(t, report.differed, report.compared/2, "the houses do differ in what is hidden")
			}
		})
	}
}

func (r *told) String() string {
	out := fmt.Sprintf("%d looks, %d of them at houses that differ; %d answers alike, %d refusals, %d moves at the doors, %d rewinds, %d studies; stuck %d times",
		r.compared, r.differed, r.channels, r.refusals, r.played, r.rewound, r.studied, r.stuck)
	for _, word := range slices.Sorted(maps.Keys(r.revealed)) {
		out += fmt.Sprintf(", %s %d", word, r.revealed[word])
	}
	return out
}
