// Package rulebooktest is the suite that every rulebook passes: it tests what design.md promises of a game on whole
// random games. A rulebook's own tests say what its rules are; this suite says that the house can rely on it.
//
// It is for tests only, and as pure as the rulebooks: files and the environment are up to the callers.
package rulebooktest

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
)

// Config says how much to try. The zero value tries a little of everything, in seconds.
type Config struct {
	// Long makes the run thorough.
	Long bool
	// Variants are the options to play with, each completed with the defaults; nil plays the defaults, and every other
	// value of each option once.
	Variants []domain.Choices
	// Seats lists the numbers of seats to play with; nil plays the fewest and the most that a variant allows.
	Seats []int
	// Games is how many games to play for each variant and number of seats; 0 means 2, or 40 in a long run.
	Games int
	// Deep is how many positions of a game to examine closely; 0 means 5, or 40 in a long run.
	Deep int
	// Cap is how many moves a random game may take before the suite stops it; 0 means 20,000. At most one game in
	// twenty may be stopped.
	Cap int
	// Deals is how many fresh deals of a position to compare; 0 means 6, or 24 in a long run.
	Deals int
	// Tries is how many moves to judge in one position; 0 means 60, or all in a long run.
	Tries int
	// Wrong is how many moves that are hardly legal to try before each move of a game; 0 means 2, or 20 in a long run.
	// The flag -wrong-moves overrides it.
	Wrong int
	// Conceivable yields moves that somebody could think of in a position, legal or not; nil tries those that were
	// legal elsewhere in the games, and mistyped ones.
	Conceivable func(s domain.State, seat domain.Seat) iter.Seq[domain.Move]
	// Truths says of each refusal of the game when it is true.
	Truths Truths
	// Leads checks where the rule behind each refusal stands; nil checks nothing.
	Leads *Leads
	// HouseKeys are keys of the house's catalogue that the rulebook uses, besides "on" and "off".
	HouseKeys []string
	// Seed is the seed of the random games; 0 means 1.
	Seed uint64
}

func (c Config) complete() Config {
	few := []int{2, 5, 6, 60, 2}
	if c.Long {
		few = []int{40, 40, 24, 1_000_000, 20}
	}
	c.Games, c.Deep, c.Deals, c.Tries = cmp.Or(c.Games, few[0]), cmp.Or(c.Deep, few[1]), cmp.Or(c.Deals, few[2]),
		cmp.Or(c.Tries, few[3])
	c.Wrong = cmp.Or(*wrongMoves, c.Wrong, few[4])
	c.Cap, c.Seed = cmp.Or(c.Cap, 20_000), cmp.Or(c.Seed, 1)
	return c
}

// Run runs the suite on a rulebook.
func Run(t *testing.T, rb domain.Rulebook, cfg Config) {
	t.Helper()
	s := try(t, func(name string, check func(T)) { t.Run(name, func(t *testing.T) { check(t) }) }, rb, cfg)
	t.Logf("%d games; %d moves were refused for a reason that is true", s.games, s.refused)
}

func try(t T, section func(name string, check func(T)), rb domain.Rulebook, cfg Config) *suite {
	cfg = cfg.complete()
	s := &suite{rb: rb, cfg: cfg, words: newLexicon(t, rb, cfg.HouseKeys), dealt: dealt{}}
	section("words", func(t T) { s.words.complete(t, rb) })
	section("refusals have their truths", func(t T) { s.covered(t) })
	section("options", func(t T) { optionsHold(t, rb) })
	section("notation never breaks", func(t T) { notationHolds(t, rb) })
	for _, choices := range cfg.variants(t, rb) {
		for _, seats := range cfg.seats(t, rb, choices) {
			section(label(rb, choices, seats), func(t T) {
				for i := range cfg.Games {
					s.play(t, choices, seats, i)
				}
			})
		}
	}
	section("all that was said has words", s.words.report)
	section("games end", func(t T) {
		require.LessOrEqual(t, s.unfinished*20, s.games, "%d of %d games were stopped after %d moves", s.unfinished,
			s.games, cfg.Cap)
	})
	section("Blind deals afresh", func(t T) {
		if s.hidden {
			require.True(t, s.dealtAfresh, "there are secret parts, but Blind never changed what the referee sees")
		}
		s.dealt.hold(t)
	})
	section("Reshuffle shuffles", func(t T) {
		if rb.Extras().Reshuffle != nil {
			require.True(t, s.reshuffled, "Reshuffle never changed what the referee sees")
		}
	})
	return s
}

// suite is what is collected over all the games of a run.
type suite struct {
	rb    domain.Rulebook
	cfg   Config
	words *lexicon

	games, unfinished   int
	refused             int  // moves
	hidden, dealtAfresh bool // an event had secret parts; a deal differed from the truth
	dealt               dealt
	reshuffled          bool // a shuffle differed from the truth
}

func (c Config) variants(t T, rb domain.Rulebook) []domain.Choices {
	given := c.Variants
	if given == nil {
		given = append(given, nil)
		for _, o := range rb.Options() {
			for _, v := range o.Values {
				if v != o.Default {
					given = append(given, domain.Choices{o.Key: v})
				}
			}
		}
	}
	all := make([]domain.Choices, len(given))
	for i, g := range given {
		full, err := domain.Complete(rb, g)
		require.NoError(t, err, "variant %v", g)
		all[i] = full
	}
	return all
}

func (c Config) seats(t T, rb domain.Rulebook, choices domain.Choices) []int {
	least, most := rb.Seats(choices)
	require.True(t, 1 <= least && least <= most && most <= domain.MaxSeats, "%d to %d seats", least, most)
	if c.Seats == nil {
		return slices.Compact([]int{least, most})
	}
	var fit []int
	for _, n := range c.Seats {
		if least <= n && n <= most {
			fit = append(fit, n)
		}
	}
	require.NotEmpty(t, fit, "no number of seats in %v fits %v", c.Seats, choices)
	return fit
}

// label names a variant by what differs from the defaults.
func label(rb domain.Rulebook, choices domain.Choices, seats int) string {
	parts := []string{fmt.Sprintf("%d seats", seats)}
	for _, o := range rb.Options() {
		if choices[o.Key] != o.Default {
			parts = append(parts, o.Key+"="+choices[o.Key])
		}
	}
	return strings.Join(parts, " ")
}

// optionsHold checks that defaults are allowed values, and that what is unknown is refused.
func optionsHold(t T, rb domain.Rulebook) {
	require.NotEmpty(t, rb.Name())
	require.NotEmpty(t, rb.Edition())
	seen := map[string]bool{}
	for _, o := range rb.Options() {
		require.False(t, seen[o.Key], "option %s is there twice", o.Key)
		seen[o.Key] = true
		require.Contains(t, o.Values, o.Default, "option %s", o.Key)
		for _, v := range o.Values {
			require.Len(t, strings.Fields(v), 1, "a value of %s is one word in scripts: %q", o.Key, v)
		}
	}
	_, err := domain.Complete(rb, domain.Choices{"no-such-option": "on"})
	_, refused := domain.AsRefusal(err)
	require.True(t, refused)
}

// T is what the suite reports to: a *testing.T, or a collector of the faults that the suite's own tests expect.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}
