package secrets

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
	"posthorn/domain/rulebooks"
	"posthorn/events/desk"
	"posthorn/mail"
)

// secretGames is a kind of random game that everybody looks at.
type secretGames struct {
	game        string
	seats       int
	choices     domain.Choices // fixed options; the others are random
	many        int            // number of games with POSTHORN_LONG=1
	viewer      domain.Viewer  // who looks at the one game played without POSTHORN_LONG
	alone, walk int            // the most moves before the houses part, and between two looks
}

// nobodyLooks is no viewer.
const nobodyLooks = domain.Referee

func (s secretGames) String() string { return s.game + strconv.Itoa(s.seats) + s.choices["play"] }

var secretTables = []secretGames{
	{game: "catan", seats: 2, viewer: domain.Spectator, many: 334, alone: 250, walk: 40},
	{game: "catan", seats: 3, viewer: 1, many: 333, alone: 250, walk: 40},
	{game: "catan", seats: 4, viewer: 3, many: 333, alone: 250, walk: 40},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "intro"}, viewer: 0, many: 200, alone: 200, walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "gold"}, viewer: nobodyLooks, many: 200, alone: 200,
		walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "turmoil"}, viewer: domain.Spectator, many: 200,
		alone: 200, walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "progress"}, viewer: nobodyLooks, many: 200, alone: 200,
		walk: 15},
	{game: "rivals", seats: 2, choices: domain.Choices{"play": "duel"}, viewer: 1, many: 200, alone: 200, walk: 15},
	{game: "carcassonne", seats: 2, viewer: 0, many: 200, alone: 60, walk: 10},
}

// choicesOf returns random options of a game that allow the given number of seats.
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
		if _, _, err := domain.NewLine(rb, domain.NewThrowaway(1)).
			Setup(domain.Game{Choices: full, Seats: seats}); err == nil {
			return full
		}
	}
}

// looked plays one random game of a kind and compares it with a twin for each of the viewers.
func (c *cast) looked(t testing.TB, games []domain.Rulebook, s secretGames, n int, report *told, looks int,
	viewers ...domain.Viewer) {
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
	for _, v := range viewers {
		w := &twins{t: t, cast: c, rnd: rnd, a: a, b: b, viewer: v, me: c.watcher(), report: report,
			thin:  len(viewers) > 1,
			where: fmt.Sprint(s.game, " of ", s.seats, ", game ", n, " with ", choices)}
		if v >= 0 {
			w.me = c.players()[v]
		} else if rnd.IntN(2) == 0 {
			w.me = somebody{} // anonymous people may watch, too
		}
		if w.begins(s, choices, fmt.Sprint(s.game, s.seats, n, v), rnd.IntN(3) > 0) && !w.watches(s, looks) {
			a, b = c.houseOf(t, games), c.houseOf(t, games) // the next pair could not use these two
		}
	}
}

// begins starts twins at a table: at its first event, or at a branch after some moves that are the same in both. It
// returns false if the game ended before they parted.
func (w *twins) begins(s secretGames, choices domain.Choices, id string, alone bool) bool {
	w.t.Helper()
	w.id, w.plain = id, alone
	w.gathers(desk.NewTable{Rulebook: s.game, Choices: choices}, w.cast.players()[:s.seats])
	if !alone {
		return true
	}
	if !w.alone(w.rnd.IntN(s.alone)) {
		return false
	}
	w.parts()
	return true
}

// watches plays on with twins and looks at them now and then. It returns false if they have parted.
func (w *twins) watches(s secretGames, looks int) bool {
	w.t.Helper()
	for look := range looks {
		w.goes(s)
		if w.rnd.IntN(3) == 0 {
			w.orders()
		}
		w.compares()
		if look == 0 && looks > 1 && w.rnd.IntN(4) == 0 && len(w.la.Awaited()) > 0 {
			w.rewinds()
			w.compares()
		}
		if !w.moves() {
			return false
		}
		if len(w.la.Awaited()) == 0 {
			break
		}
	}
	if w.me.id != "" && w.rnd.IntN(3) == 0 {
		w.branches()
	}
	return true
}

// goes plays some moves, often up to one where the viewer must move. If nothing more can be the same in both houses, it
// goes on at another branch.
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

// If two histories give a person the same public parts and the same parts of their own, they look the same to that
// person on every channel, whoever they are: the table's pages, present and at any version, by session, by link and by
// the API, the pictures and their words, the timeline, the audit, the record, the mails, the live stream, a branch that
// they make, and the answers to their moves.
func TestWhatSomebodyMayNotKnowShowsOnNoChannel(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	if os.Getenv("POSTHORN_LONG") == "1" {
		c.everySort(t)
		return
	}
	for _, s := range secretTables {
		if s.viewer == nobodyLooks {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			report := newTold()
			c.looked(t, rulebooks.All(), s, 0, report, 1, s.viewer)
			if s.viewer >= 0 {
				require.NotZero(t, report.written[mail.KindReply], "an answer to a mail was among what was compared")
				require.NotZero(t, report.written[mail.KindNews])
				require.NotZero(t, report.written[mail.KindDigest])
			}
			t.Log(report)
		})
	}
}

// everySort plays all the games, alternating between the kinds, and logs its progress.
func (c *cast) everySort(t *testing.T) {
	t.Helper()
	reports := make([]*told, len(secretTables))
	for i := range reports {
		reports[i] = newTold()
	}
	for n, left := 0, true; left; n++ {
		left = false
		for i, s := range secretTables {
			if n >= s.many {
				continue
			}
			left = true
			t.Run(fmt.Sprint(s, "/", n), func(t *testing.T) {
				everybody := make([]domain.Viewer, 0, s.seats+1)
				for v := domain.Spectator; v < domain.Viewer(s.seats); v++ {
					everybody = append(everybody, v)
				}
				c.looked(t, rulebooks.All(), s, n, reports[i], 1+n%2, everybody...)
			})
		}
		for i, s := range secretTables {
			if (n+1)%10 == 0 && n < s.many || n+1 == s.many {
				fmt.Printf("%s %s, game %d of %d: %s\n", time.Now().Format(time.TimeOnly), s, n+1, s.many, reports[i])
			}
		}
	}
	for i, s := range secretTables {
		if s.game != "carcassonne" { // where nothing is hidden
			require.Greater(t, reports[i].differed, reports[i].compared/4, "%s: the houses do differ in what is hidden",
				s)
		}
	}
}

func (r *told) String() string {
	out := fmt.Sprintf("%d games, %d looks, %d of them at houses that differ; %d answers alike, %d refusals, %d "+
		"moves at the doors, %d rewinds, %d studies, %d orders, %d positions of sketches; stuck %d times; moves "+
		"that told something else:",
		r.games, r.compared, r.differed, r.channels, r.refusals, r.played, r.rewound, r.studied, r.ordered, r.sketched,
		r.stuck)
	for _, word := range slices.Sorted(maps.Keys(r.revealed)) {
		out += fmt.Sprintf(" %s %d", word, r.revealed[word])
	}
	return out
}
