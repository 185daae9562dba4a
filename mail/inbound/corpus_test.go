package inbound_test

import (
	"fmt"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/script"
	"posthorn/events"
	"posthorn/events/desk"
)

// atLeast is the share of the replies that a friend would understand which must be understood.
const atLeast = 0.97

// nothing is what may become of a reply that plays nothing: the house asks, says why it cannot be, or found words that
// are for nobody's move.
var nothing = map[string][]string{
	"asked":   {"outcome: asked", "outcome: unread", "outcome: refused"},
	"refused": {"outcome: refused"},
	"words":   {"outcome: unread", "outcome: said", "outcome: here", "outcome: empty"},
	"back":    {"outcome: back"},
	"away":    {"outcome: away"},
	"ordered": {"outcome: ordered"},
	"shown":   {"outcome: shown"},
}

// line is one of a corpus.
type line struct{ at, game, lang, scene, text, want string }

// corpus reads testdata/replies: a file for each game and language by one hand, "scene | reply | what is to come of
// it", and one for each other hand, whose lines begin with game and language: "catan.en | …". A "\" in a reply stands
// for its next line. What is to come of it is a word of nothing, or the moves in notation. The scenes are scripts.
func corpus(t *testing.T) (all []line) {
	files, err := filepath.Glob("testdata/replies/*.txt")
	require.NoError(t, err)
	for _, path := range files {
		base := strings.TrimSuffix(filepath.Base(path), ".txt")
		for i, text := range fileLines(t, path) {
			if strings.HasPrefix(text, "#") || text == "" {
				continue
			}
			if strings.Contains(base, ".") {
				text = base + " | " + text
			}
			f := strings.SplitN(text, " | ", 4)
			require.Len(t, f, 4, "%s:%d: %s", path, i+1, text)
			game, lang, _ := strings.Cut(f[0], ".")
			all = append(all, line{fmt.Sprintf("%s:%d", base, i+1), game, lang, f[1], f[2], f[3]})
		}
	}
	return all
}

// Replies as different people write them. Those that a friend would understand and that are asked about are listed in
// testdata/replies/missed.golden. Those of unseen.txt were written once the reader stood: their share, which is what
// somebody new finds, is told, and asks for nothing but that none plays what was not meant.
func TestRepliesAsPeopleWriteThem(t *testing.T) {
	all, understood, missed := map[bool]int{}, map[bool]int{}, ""
	scenes, h := map[string]map[string]string{}, newHouse(t)
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		scenes[game] = scenesOf(t, game)
	}
	h.Desk.Limit(desk.Limits{})
	for _, l := range corpus(t) {
		scene := scenes[l.game][l.scene]
		require.NotEmpty(t, scene, l)
		got, fits, wrong := h.replied(scene, l.lang, strings.Split(l.text, `\`), l.want)
		if wrong {
			t.Errorf("%s: %q must not play: %v", l.at, l.text, got)
		} else if !fits {
			missed += fmt.Sprintf("%s.%s %s: %s – wanted: %s; got: %s\n", l.game, l.lang, l.scene, l.text, l.want,
				strings.Join(got, "; "))
		}
		if _, idle := nothing[l.want]; !idle || l.want == "back" || l.want == "away" {
			unseen := strings.HasPrefix(l.at, "unseen:")
			if all[unseen]++; fits {
				understood[unseen]++
			}
		}
	}
	share := float64(understood[false]) / float64(max(all[false], 1))
	t.Logf("%d of %d understood (%.1f %%), of those unseen before %d of %d; missed:\n%s", understood[false], all[false],
		100*share, understood[true], all[true], missed)
	require.GreaterOrEqual(t, share, atLeast)
	golden, err := os.ReadFile("testdata/replies/missed.golden")
	require.NoError(t, err)
	require.Equal(t, string(golden), missed)
}

// replied plays a scene, answers the mail about what is awaited then, and returns what became of that; fits is whether
// it was to, and wrong whether moves were played that were not meant.
func (h *house) replied(scene, lang string, lines []string, want string) (got []string, fits, wrong bool) {
	h.T.Helper()
	table, seat := h.plays(scene, lang)
	letter, at := h.composed(table, seat), h.last()
	lines = append(lines, "", "On "+h.now.Now().Format(time.RFC1123)+", Posthorn wrote:",
		"> "+strings.ReplaceAll(strings.TrimSpace(letter.Text), "\n", "\n> "))
	to, err := netmail.ParseAddress(letter.Header.Get("Reply-To"))
	require.NoError(h.T, err)
	person, err := h.people.Person(h.Ctx, h.Sees(table).Table.Places[seat].Holders[0])
	require.NoError(h.T, err)
	outcome := h.write(to.Address, string(person.Address), table.String(), lines...)
	var moves []string
	for _, e := range h.story(table, at) {
		if move, ok := strings.CutPrefix(e, "reply: move "+seat.Letter()+" "); ok {
			moves = append(moves, move)
		}
	}
	words, idle := nothing[want]
	if idle {
		fits, wrong = len(moves) == 0 && slices.Contains(words, outcome), len(moves) > 0
	} else {
		meant := strings.Split(want, "; ")
		fits = slices.Equal(moves, meant)
		wrong = len(moves) > len(meant) || !slices.Equal(moves, meant[:min(len(moves), len(meant))])
	}
	return append(moves, outcome), fits, wrong
}

// plays opens the table of a script and makes its moves. Whoever is asked last then writes in a language.
func (h *house) plays(scene, lang string) (events.Name, domain.Seat) {
	h.T.Helper()
	s, err := script.Parse([]byte(scene), rulebooks.Named)
	require.NoError(h.T, err, scene)
	var ids []domain.PersonID
	for _, name := range s.Names {
		ids = append(ids, h.person(name, "en"))
	}
	table := h.started(desk.NewTable{Rulebook: s.Rulebook.Name(), Choices: s.Choices, Given: s.Given}, ids...)
	for line := range strings.SplitSeq(scene, "\n") {
		name, move, ok := strings.Cut(line, ": ")
		if seat, known := s.Seat(name); ok && known {
			h.play(table, seat, move)
		}
	}
	open := h.Sees(table).Line.Awaited()
	seat := open[len(open)-1].Seat
	require.NoError(h.T, h.people.SetLanguage(h.Ctx, ids[seat], lang))
	return table, seat
}

// scenesOf reads the scripts of a game, each below its key.
func scenesOf(t *testing.T, game string) map[string]string {
	text, err := os.ReadFile("testdata/replies/" + game + ".scenes")
	require.NoError(t, err)
	out := map[string]string{}
	for part := range strings.SplitSeq(string(text), "\n== ") {
		key, scene, _ := strings.Cut(strings.TrimPrefix(part, "== "), "\n")
		out[key] = scene
	}
	return out
}

func fileLines(t *testing.T, path string) []string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.Split(string(text), "\n")
}
