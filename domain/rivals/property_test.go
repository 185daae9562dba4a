package rivals

import (
	"flag"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
	"posthorn/domain/rulebooktest"
	"posthorn/domain/standin"
)

var manyGames = flag.Int("games", 2, "random games of each play to watch closely")

// watcher plays a game and checks after every event that no card is lost, no region holds more than three, the kept
// points and goods equal a recount, and folding the written events gives the state that was played.
type watcher struct {
	t       testing.TB
	line    *domain.Line
	mirror  *state.State
	cards   [256]int
	centre  int
	play    string
	events  int
	played  map[string]int
	recalls int
	points  [2]int
}

func watch(t testing.TB, play string, seed uint64, played map[string]int) *watcher {
	w := &watcher{t: t, play: play, played: played, mirror: &state.State{}}
	choices, err := domain.Complete(Rulebook, domain.Choices{"play": play})
	require.NoError(t, err)
	w.line = domain.NewLine(Rulebook, domain.NewThrowaway(seed))
	e, _, err := w.line.Setup(domain.Game{Choices: choices, Seats: 2, First: domain.Seat(seed % 2)})
	require.NoError(t, err)
	w.apply(&e)
	s := w.state()
	w.points = [2]int{s.Victory(0), s.Victory(1)}
	w.cards, w.centre = census(s), centreCount(s)
	total := w.centre
	for _, n := range w.cards {
		total += n
	}
	require.Equal(t, allCards()-leftInTheBox(s.Play), total)
	return w
}

// allCards returns the number of draw and event cards, plus the 49 of the centre.
func allCards() int {
	n := 49
	for _, p := range table.Printings {
		n += p.N
	}
	return n
}

// leftInTheBox counts the cards of other sets, and a duel's half-moons.
func leftInTheBox(play table.Play) (n int) {
	for i, p := range table.Printings {
		if i > 0 {
			n += p.N - table.CopiesIn(p, play)
		}
	}
	return n
}

func (w *watcher) state() *state.State { return w.line.State.(*state.State) }

func (w *watcher) apply(e *domain.Event) {
	w.line.Apply(e)
	public, secrets, err := Rulebook.Codec().Encode(e)
	require.NoError(w.t, err)
	back, err := Rulebook.Codec().Decode(e.Type, public, secrets)
	require.NoError(w.t, err, string(public))
	Rulebook.Evolve(w.mirror, &back)
	require.True(w.t, *w.state() == *w.mirror, "folded differently: %s", public)
	w.events++
}

func (w *watcher) move(seat domain.Seat, m domain.Move) {
	e, _, err := w.line.Decide(seat, m)
	require.NoError(w.t, err, "%s: refused: %s", w.play, Rulebook.FormatMove(m, nil))
	back, ok := Rulebook.Extras().Recall(&e)
	require.True(w.t, ok, "%s", e.Move)
	require.Equal(w.t, m, back)
	if strings.Contains(e.Move, "?") {
		w.recalls++
	}
	if w.events%40 == 0 {
		w.asked(seat)
	}
	w.apply(&e)
	w.count(&e)
	w.told(&e)
	s := w.state()
	require.True(w.t, w.cards == census(s), "%s: %v", e.Move, census(s))
	require.Equal(w.t, w.centre, centreCount(s), e.Move)
	for i := range s.Realms {
		r := &s.Realms[i]
		most := r.CacheGold
		for _, q := range r.Regions {
			most = max(most, q.Stored)
		}
		require.LessOrEqual(w.t, most, uint8(table.Capacity), e.Move)
		requireGoodsKept(w.t, r, e.Move)
		kept := s.Realms[i].Points
		kept.Victory = int8(s.Victory(domain.Seat(i)))
		require.True(w.t, pointsAnew(s, domain.Seat(i)) == kept, "%s: %+v", e.Move, kept)
	}
}

// told checks that at least one sentence tells every event to everybody, in every language, and that points gained or
// lost come with their causes.
func (w *watcher) told(e *domain.Event) {
	for _, v := range []domain.Viewer{domain.Spectator, 0, 1} {
		redacted := e.Redact(v)
		says := Rulebook.Tell(&redacted, nil)
		require.NotEmpty(w.t, says, "nothing is told of %q", e.Move)
		for _, say := range says {
			requireWords(w.t, say)
			if say.Key == "tell.score" {
				require.NotEmpty(w.t, say.Args["causes"], e.Move)
			}
		}
	}
	for seat := range w.points {
		if now := w.state().Victory(domain.Seat(seat)); now != w.points[seat] {
			require.Contains(w.t, e.Body.(*state.Played).Ops,
				state.Op{Code: state.OpScore, Seat: domain.Seat(seat), N: int16(now), M: int16(now - w.points[seat])})
			w.points[seat] = now
		}
	}
}

// asked checks that whatever a page or a mail asks and offers has its words: the steps of every legal move, and what
// the cards say.
func (w *watcher) asked(seat domain.Seat) {
	for m := range Rulebook.Legal(w.line.State, seat) {
		for _, step := range Rulebook.Steps(w.line.State, m) {
			requireWords(w.t, step.Label)
			requireWords(w.t, step.Ask)
		}
	}
	for _, v := range []domain.Viewer{domain.Spectator, 0, 1} {
		keys := map[string]bool{}
		for _, c := range Rulebook.Cards(Rulebook.View(w.line.State, v)) {
			require.False(w.t, keys[c.Key], "two cards at %s", c.Key)
			keys[c.Key] = true
			for _, say := range append(append([]domain.Say{c.Place, c.Label}, c.Lines...), c.Not...) {
				requireWords(w.t, say)
			}
		}
	}
}

// count notes which cards were played, built or resolved.
func (w *watcher) count(e *domain.Event) {
	for _, op := range e.Body.(*state.Played).Ops {
		switch op.Code {
		case state.OpUse, state.OpBuild, state.OpOpen, state.OpCache, state.OpDrawEvt:
			w.played[op.Card.Row().ID]++
		}
	}
}

// pointsAnew counts a principality's points the slow way, from the rules' own words.
func pointsAnew(s *state.State, seat domain.Seat) table.Points {
	sums := [2]table.Points{}
	for i := range s.Realms {
		r := &s.Realms[i]
		p := &sums[i]
		ships, has := int8(0), map[string]int8{}
		for _, town := range r.Towns {
			p.Victory += int8(town.Level)
			for _, side := range town.Sites {
				for _, c := range side {
					if c == table.NoCard {
						continue
					}
					row := c.Row()
					has[row.ID]++
					if strings.HasSuffix(row.ID, "_ship") && row.ID != "pirate_ship" {
						ships++
					}
					p.Victory += row.Points.Victory
					p.Commerce += row.Points.Commerce
					p.Strength += row.Points.Strength
					p.Skill += row.Points.Skill
					p.Progress += row.Points.Progress
				}
			}
		}
		if ships >= 3 {
			p.Victory += has["harbor"]
		}
		p.Commerce += has["trading_base"]*(has["marketplace"]+has["harbor"]) + has["salt_silo"]*ships
	}
	mine, theirs := sums[seat], sums[state.Other(seat)]
	if mine.Strength >= 3 && mine.Strength > theirs.Strength {
		mine.Victory++
	}
	if mine.Commerce >= 3 && mine.Commerce > theirs.Commerce {
		mine.Victory++
	}
	return mine
}

func (w *watcher) run(choose func(seat domain.Seat) domain.Move) bool {
	for range 20_000 {
		open := w.line.Awaited()
		if len(open) == 0 {
			return true
		}
		w.move(open[0].Seat, choose(open[0].Seat))
	}
	return false
}

// TestGamesKeepTheirPromises plays random games of each play, and two with the steady stand-in, which gets further
// into the cards.
func TestGamesKeepTheirPromises(t *testing.T) {
	for _, play := range table.PlayNames {
		t.Run(play, func(t *testing.T) {
			played := map[string]int{}
			unfinished, events := 0, 0
			for seed := range uint64(*manyGames) {
				w := watch(t, play, seed, played)
				dice := seed*0x9E3779B97F4A7C15 + 1
				finished := w.run(func(seat domain.Seat) domain.Move {
					var chosen domain.Move
					n := uint64(0)
					for m := range Rulebook.Legal(w.line.State, seat) {
						n++
						dice = dice*6364136223846793005 + 1442695040888963407
						if (dice>>33)%n == 0 {
							chosen = m
						}
					}
					require.NotZero(t, n, "%+v", w.state().Tasks[0])
					return chosen
				})
				events += w.events
				if !finished {
					unfinished++
				}
			}
			for seed := range uint64(max(1, *manyGames/50)) {
				w := watch(t, play, 1_000_000+seed, played)
				step := seed
				require.True(t, w.run(func(seat domain.Seat) domain.Move {
					step++
					m, ok := standin.Steady{}.Choose(standin.Look(Rulebook, w.line.State, seat, step))
					require.True(t, ok)
					return m
				}), "steady stand-ins finish")
			}
			require.LessOrEqual(t, unfinished*20, *manyGames)
			report(t, play, played, events, unfinished)
		})
	}
}

// report prints how often each card of a play was played, built or resolved.
func report(t *testing.T, play string, played map[string]int, events, unfinished int) {
	var lines, never []string
	for _, r := range table.Table.Cards {
		in := 0
		for i, p := range table.Printings {
			if i > 0 && p.Row == r {
				in += table.CopiesIn(p, table.Play(table.Index(table.PlayNames[:], play)))
			}
		}
		if in == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %d", r.ID, played[r.ID]))
		if played[r.ID] == 0 {
			never = append(never, r.ID)
		}
	}
	sort.Strings(lines)
	t.Logf("%s: %d games, %d events, %d unfinished; never seen: %v; %s", play, *manyGames, events, unfinished, never,
		strings.Join(lines, ", "))
	if *manyGames >= 100 {
		require.Empty(t, never, "cards that never came to be played")
	}
}

// TestGoldenGames: anything ever written always folds.
func TestGoldenGames(t *testing.T) {
	var games []rulebooktest.Recording
	for i, play := range table.PlayNames {
		games = append(games, rulebooktest.Recording{File: play + ".jsonl", Edition: "2"},
			rulebooktest.Recording{File: play + "-3.jsonl", Edition: "3", Choices: domain.Choices{"play": play},
				Seats: 2, Seed: uint64(i + 1), Cap: 200})
	}
	// with the points after each event
	games = append(games, rulebooktest.Recording{File: "counted-intro.jsonl", Edition: "2"},
		rulebooktest.Recording{File: "counted-duel.jsonl", Edition: "2"},
		rulebooktest.Recording{File: "gold-closed.jsonl", Edition: "2"}) // a draw, closed at a standstill
	rulebooktest.Golden(t, Rulebook, disk, games...)
}

// TestWhatIsFormattedIsRead: any move written in notation reads back the same.
func TestWhatIsFormattedIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"build", "play", "bank", "discard", "swap", "search", "lose", "pay", "into",
			"take", "corners", "move", "arrange", "hand", "bury", "draw", "road", "settle", "city", "remove", "name"}).
			Draw(t, "verb")
		for range rapid.IntRange(0, 5).Draw(t, "words") {
			text += " " + rapid.SampledFrom([]string{"abbey", "mint", "goldsmith:gold", "1", "3", "-2", "0a", "-1b",
				"cache", "above", "below", "ore", "wool", "left", "right", "fields3", "hills1", "forest", "pay", "into",
				"scout"}).Draw(t, "word")
		}
		m, err := Rulebook.ParseMove(text, nil)
		if err != nil {
			return
		}
		back, err := Rulebook.ParseMove(Rulebook.FormatMove(m, nil), nil)
		require.NoError(t, err, text)
		require.Equal(t, m, back, text)
	})
}

func FuzzParseMove(f *testing.F) {
	for _, sc := range scenarios(f) {
		for _, l := range strings.Split(sc.text, "\n") {
			if _, move, ok := strings.Cut(l, ": "); ok {
				f.Add(move)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Rulebook.ParseMove(text, nil)
		if err != nil {
			_, refused := domain.AsRefusal(err)
			require.True(t, refused)
			return
		}
		back, err := Rulebook.ParseMove(Rulebook.FormatMove(m, nil), nil)
		require.NoError(t, err, text)
		require.Equal(t, m, back, text)
	})
}
