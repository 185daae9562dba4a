package rivals

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
	"posthorn/domain/script"
)

// Scenarios are scripts in testdata, several to a file: each begins with "== its name" and then reads like a script,
// after "game rivals" and the seats Ana and Bo. A comment after a move says what must hold then, with ";" between
// checks:
//
//	refused CODE             the move is refused
//	awaited Ana turn         somebody is awaited, for that
//	vp 3 2                   victory points
//	Ana 0a 2                 what a region stores; Ana stock 7: everything stored
//	Ana has mint             a card stands in the principality; or lacks
//	Ana holds mint           a card is in the hand; shows: and everybody knows; Ana hand 3: the number of cards
//	Ana commerce 3           points of a kind
//	hero Ana, trade -        who holds a token
//	discard mint             the top of the discard pile
//	under 2 mint             the bottom of stack 2
//	open 1                   cards in the face-up stack
//	over Ana                 who has won
//	phase act                the phase; event -: no event card is open
//	town Ana 0 city          what stands there; region Ana 3a fields1
type scenario struct {
	file, name, text string
}

func scenarios(t testing.TB) (list []scenario) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		for i, part := range strings.Split("\n"+string(b), "\n== ") {
			if i == 0 {
				continue
			}
			name, text, _ := strings.Cut(part, "\n")
			list = append(list, scenario{filepath.Base(file), name, text})
		}
	}
	return list
}

func rivalsOnly(name string) (domain.Rulebook, bool) { return Rulebook, name == "rivals" }

func TestScenarios(t *testing.T) {
	for _, sc := range scenarios(t) {
		t.Run(sc.file+"/"+sc.name, func(t *testing.T) { sc.run(t) })
	}
}

func (sc scenario) run(t *testing.T) {
	var settings, rest []string
	for _, l := range strings.Split(sc.text, "\n") {
		if strings.HasPrefix(l, "option ") || strings.HasPrefix(l, "seed ") {
			settings = append(settings, l)
		} else {
			rest = append(rest, l)
		}
	}
	text := "game rivals\n" + strings.Join(settings, "\n") + "\nseat Ana\nseat Bo\n" + strings.Join(rest, "\n") + "\n"
	runScript(t, text)
}

func checkMove(t *testing.T, r *script.Result, comment string) {
	where := fmt.Sprintf("line %d: %s: %s", r.Line, r.Name, r.Text)
	refused := ""
	if refusal, ok := domain.AsRefusal(r.Err); ok {
		refused = refusal.Code
	}
	expected := ""
	if refused != "" {
		where += " (refused " + refused + ")"
	}
	for _, c := range strings.Split(comment, ";") {
		f := strings.Fields(c)
		if len(f) == 2 && f[0] == "refused" {
			expected = f[1]
		} else if len(f) > 0 {
			checkOne(t, r, f, where)
		}
	}
	require.Equal(t, expected, refused, where)
}

var seatNamed = map[string]domain.Seat{"Ana": 0, "Bo": 1, "-": domain.Nobody}

func checkOne(t *testing.T, r *script.Result, f []string, where string) {
	v := r.State.(*state.View)
	text := where + ": " + strings.Join(f, " ")
	if seat, ok := seatNamed[f[0]]; ok && f[0] != "-" && len(f) == 3 {
		checkSeat(t, &v.Realms[seat], f[1], f[2], text)
		return
	}
	switch {
	case f[0] == "vp" && len(f) == 3:
		require.Equal(t, f[1:], []string{strconv.Itoa(r.Standing.Scores[0]), strconv.Itoa(r.Standing.Scores[1])}, text)
	case f[0] == "awaited" && len(f) == 3:
		var who []string
		for _, o := range r.Awaited {
			who = append(who, [2]string{"Ana", "Bo"}[o.Seat]+" "+o.Kind)
		}
		require.Equal(t, []string{f[1] + " " + f[2]}, who, text)
	case f[0] == "hero":
		require.Equal(t, seatNamed[f[1]], v.Strongest(), text)
	case f[0] == "trade":
		require.Equal(t, seatNamed[f[1]], v.Busiest(), text)
	case f[0] == "discard":
		require.Equal(t, cardOf(t, f[1]).Name(), v.DiscardTop().Name(), text)
	case f[0] == "under":
		n, err := strconv.Atoi(f[1])
		require.NoError(t, err)
		require.NotZero(t, v.Decks[n-1].N, text)
		require.Equal(t, cardOf(t, f[2]).Row().ID, v.Decks[n-1].Slots[0].Card.Row().ID, text)
	case f[0] == "open":
		require.Equal(t, f[1], strconv.Itoa(int(v.OpenN)), text)
	case f[0] == "over":
		require.Equal(t, state.Over, v.Phase, text)
		require.Equal(t, seatNamed[f[1]], v.Winner, text)
	case f[0] == "phase":
		require.Equal(t, f[1], v.Phase.String(), text)
	case f[0] == "event":
		want := table.NoCard
		if f[1] != "-" {
			want = cardOf(t, f[1])
		}
		require.Equal(t, want, v.Event, text)
	case f[0] == "town":
		at, err := strconv.Atoi(f[2])
		require.NoError(t, err)
		require.Equal(t, f[3], v.Realms[seatNamed[f[1]]].Towns[at+table.Origin].Level.String(), text)
	case f[0] == "region":
		p, ok := table.PlaceNamed(f[2])
		require.True(t, ok, text)
		q := v.Realms[seatNamed[f[1]]].Regions[p]
		require.Equal(t, f[3], table.LandOf(q.Terrain, q.Number).Name(), text)
	default:
		require.Fail(t, "no such check", text)
	}
}

func cardOf(t *testing.T, name string) table.Card {
	c, ok := table.CardWords[name]
	require.True(t, ok, "no card %s", name)
	return c
}

func checkSeat(t *testing.T, r *state.Realm, what, value, text string) {
	holds := func(seen state.Seen) bool {
		return slices.ContainsFunc(r.Held(), func(s state.Slot) bool {
			return s.Card.Same(cardOf(t, value)) && s.Seen&seen == seen
		})
	}
	counts := map[string]int{"hand": int(r.HandN), "commerce": int(r.Points.Commerce),
		"strength": int(r.Points.Strength),
		"skill":    int(r.Points.Skill), "progress": int(r.Points.Progress), "stock": r.Stock().Total()}
	switch n, counted := counts[what]; {
	case what == "has" || what == "lacks":
		c := cardOf(t, value)
		found := r.Cache != table.NoPlace && c == table.GoldCache
		for _, d := range r.Cards() {
			found = found || d.Same(c)
		}
		require.Equal(t, what == "has", found, text)
	case what == "holds":
		require.True(t, holds(0), text)
	case what == "shows":
		require.True(t, holds(state.Public), text)
	case counted:
		require.Equal(t, value, strconv.Itoa(n), text)
	default:
		p, ok := table.PlaceNamed(what)
		require.True(t, ok && r.Yields(p) != table.NoRes, "no such region or check: %s", text)
		require.Equal(t, value, strconv.Itoa(int(r.Store(p))), text)
	}
}

// Somebody's script dictates events that cannot come: no event card, one that is not in the stack, a word that is no
// card, Yule before its time, more cards than the stack has. The run stops and says which word.
func TestAnEventThatCannotComeIsNamed(t *testing.T) {
	for dictated, word := range map[string]string{
		"abbey": "abbey", "invention riots": "riots", "carnival": "carnival", "yule": "yule",
		"invention invention invention":                "invention",
		strings.TrimSpace(strings.Repeat("feud ", 12)): "feud",
	} {
		text := "game rivals\nseat Ana\nseat Bo\n" + `given {"seats":[{"hand":[]},{"hand":[]}],"events":["yule"]}` +
			"\nchance dice 5 event\nchance events " + dictated + "\nAna: roll\n"
		s, err := script.Parse([]byte(text), rivalsOnly)
		require.NoError(t, err)
		var failed error
		for _, err := range s.Play(domain.NewThrowaway(1)) {
			failed = errors.Join(failed, err)
		}
		require.ErrorContains(t, failed, word+" cannot come there in the event stack", dictated)
	}
}
