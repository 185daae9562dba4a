// Package simulate plays whole games of a rulebook against itself, through the same Line as
// the server: to find faults, to measure, and to compare stand-ins.
package simulate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"slices"

	"github.com/minio/highwayhash"

	"posthorn/domain"
	"posthorn/domain/standin"
)

// DefaultCap is how many moves a game may take before it counts as unfinished: several times
// the longest random game of any of the house's rulebooks.
const DefaultCap = 20_000

// Config says what to simulate.
type Config struct {
	Rulebook domain.Rulebook
	Choices  domain.Choices // complete, see domain.Complete
	Seats    int
	Seed     uint64
	Cap      int // moves per game; 0 means DefaultCap

	// Standins play the seats, Standins[i] seat i; nil plays uniformly random legal moves. With stand-ins, seats 0, 1,
	// 2 … begin the games in turn, so that going first favours none.
	Standins []standin.Standin

	// Events makes the player write every event as a log would, and digest what it wrote. Otherwise it writes nothing,
	// not even the moves, and digests choices: see [Game].
	Events bool
}

// Check reports whether the games can be set up at all.
func (c *Config) Check() error {
	least, most := c.Rulebook.Seats(c.Choices)
	if c.Seats < least || c.Seats > most {
		return fmt.Errorf("%s with these options has %d to %d seats, not %d", c.Rulebook.Name(), least, most, c.Seats)
	}
	if c.Standins != nil && len(c.Standins) != c.Seats {
		return fmt.Errorf("%d stand-ins for %d seats", len(c.Standins), c.Seats)
	}
	return nil
}

// Game is one game played.
type Game struct {
	Moves    int   // accepted
	Refused  int   // listed as legal, but refused: a fault of the rulebook
	Choices  int   // legal moves listed over all decisions, accepted or refused
	Finished bool  // false: stopped by the cap, or nobody awaited could move
	Scores   []int // by entry of Standing, with the final scoring
	Ranks    []int // by entry; nil if unfinished

	// Digest is a HighwayHash-256. With Config.Events it is over each event's type and public part, and the audience
	// (two bytes, a bit a seat) and content of each secret part; all but the audience stand after their length in four
	// bytes. Otherwise it is over what determines them: for the set-up and each move the seat, the number of legal
	// moves, which of them it was (from 0), the number of draws, and each draw's purpose, number and size; and over
	// the scores and ranks at the end. Numbers stand in four bytes, the least first.
	Digest [highwayhash.Size]byte
}

// Player plays games one after another and keeps its buffers between them. A game depends only on the seed and its
// number, so any number of players may share the work.
type Player struct {
	cfg   Config
	codec domain.Codec
	hash  *highwayhash.Digest
	buf   []byte
	event domain.Event // the last one
	rng   dice
	sieve sieve
	// pick is the rulebook's PickLegal, or nil
	pick func(s domain.State, seat domain.Seat, pick func(n int) int) (domain.Move, int)
}

// digestKey is the fixed key of the digests. They show whether two machines played the same games and need not resist
// forgery: such a hash is ten times as fast as one that does.
var digestKey = []byte("posthorn simulate: digest of all")

// NewPlayer makes a player.
func NewPlayer(cfg Config) *Player {
	if cfg.Cap == 0 {
		cfg.Cap = DefaultCap
	}
	h, err := highwayhash.NewDigest(digestKey)
	if err != nil {
		panic("simulate: " + err.Error()) // the key has the right length
	}
	p := &Player{cfg: cfg, codec: cfg.Rulebook.Codec(), hash: h, pick: cfg.Rulebook.Extras().PickLegal}
	p.sieve.ready(&p.rng)
	return p
}

// Play plays game number i, counted from 0. An error is a fault of the rulebook, never a matter of chance: a legal move
// led to something other than a refusal.
func (p *Player) Play(i int) (Game, error) {
	p.rng, p.sieve.at = newDice(p.cfg.Seed, uint64(i)), 0
	line := domain.NewLine(p.cfg.Rulebook, domain.NewThrowaway(p.rng.next()))
	g := Game{}
	p.hash.Reset()
	p.buf = p.buf[:0]
	first := domain.Seat(0)
	if p.cfg.Standins != nil {
		first = domain.Seat(i % p.cfg.Seats)
	}
	var err error
	p.event, _, err = line.Setup(domain.Game{Choices: p.cfg.Choices, Seats: p.cfg.Seats, First: first})
	if err == nil {
		err = p.apply(line, 0)
	}
	for err == nil && len(line.Awaited()) > 0 && g.Moves+g.Refused < p.cfg.Cap {
		var moved bool
		if moved, err = p.move(line, &g); !moved {
			break
		}
	}
	if err != nil {
		return g, fmt.Errorf("game %d of seed %d, after %d moves: %w", i, p.cfg.Seed, g.Moves, err)
	}
	st := p.cfg.Rulebook.Standing(line.State, domain.Referee)
	g.Finished, g.Scores, g.Ranks = st.Ended, st.Final, st.Ranks
	if !p.cfg.Events {
		p.note(g.Scores...)
		p.note(g.Ranks...)
	}
	p.digest()
	p.hash.Sum(g.Digest[:0])
	return g, nil
}

// move plays one move of an awaited seat, all equally likely; if that seat has none, it tries the next.
func (p *Player) move(line *domain.Line, g *Game) (bool, error) {
	open := line.Awaited()
	from := p.rng.below(len(open))
	for j := range open {
		seat := open[(from+j)%len(open)].Seat
		m, n := p.choose(line, seat)
		if n == 0 {
			continue
		}
		g.Choices += n
		err := line.DecideOver(&p.event, seat, m)
		if err != nil {
			if _, refused := domain.AsRefusal(err); refused {
				g.Refused++
				return true, nil
			}
			return false, err
		}
		if p.cfg.Events {
			line.Name(&p.event, m)
		}
		g.Moves++
		return true, p.apply(line, n)
	}
	return false, nil
}

// choose picks one of a seat's legal moves, and returns how many there were. If no stand-in plays the seat, all are
// equally likely.
func (p *Player) choose(line *domain.Line, seat domain.Seat) (chosen domain.Move, n int) {
	if p.cfg.Standins != nil && p.cfg.Standins[seat] != nil {
		sight := standin.Look(line.Rulebook, line.State, seat, p.rng.next())
		m, ok := p.cfg.Standins[seat].Choose(sight)
		if !ok {
			return nil, 0
		}
		p.sieve.at = slices.Index(sight.Moves, m)
		return m, len(sight.Moves)
	}
	if p.pick != nil {
		return p.pick(line.State, seat, p.sieve.pick)
	}
	return p.sieve.sift(line.Rulebook.Legal(line.State, seat))
}

// apply folds the last event in and digests it: a move chosen from n, or the first event with n = 0.
func (p *Player) apply(line *domain.Line, n int) (err error) {
	line.Apply(&p.event)
	if p.cfg.Events {
		if p.buf, err = p.codec.AppendEvent(p.buf, &p.event); err != nil {
			return err
		}
	} else {
		p.choice(n)
	}
	if len(p.buf) > atOnce {
		p.digest()
	}
	return nil
}

// choice digests what determines the last event.
func (p *Player) choice(n int) {
	p.note(int(p.event.Seat), n, p.sieve.at, len(p.event.Draws))
	for i := range p.event.Draws {
		d := &p.event.Draws[i]
		p.buf = append(p.buf, d.Purpose...)
		p.note(int(d.K), d.Size)
	}
}

// note digests numbers.
func (p *Player) note(numbers ...int) {
	for _, n := range numbers {
		p.buf = binary.LittleEndian.AppendUint32(p.buf, uint32(n))
	}
}

// atOnce is how many bytes are digested together, which is faster than one by one.
const atOnce = 4 << 10

func (p *Player) digest() {
	_, _ = p.hash.Write(p.buf)
	p.buf = p.buf[:0]
}

// Tally adds games up. It takes them in the order of their numbers, so that its digest does not depend on which player
// played which.
type Tally struct {
	Games, Moves, Refused, Unfinished int

	choices        int
	scores, firsts []float64 // by entry of Standing
	digest         hash.Hash
}

// NewTally returns an empty tally.
func NewTally() *Tally { return &Tally{digest: sha256.New()} }

// Add counts the next game.
func (t *Tally) Add(g Game) {
	t.Games++
	t.Moves += g.Moves
	t.Refused += g.Refused
	t.choices += g.Choices
	_, _ = t.digest.Write(g.Digest[:])
	for i, s := range g.Scores {
		if i == len(t.scores) {
			t.scores, t.firsts = append(t.scores, 0), append(t.firsts, 0)
		}
		t.scores[i] += float64(s)
	}
	if !g.Finished {
		t.Unfinished++
		return
	}
	first := 0
	for _, r := range g.Ranks {
		if r == 1 {
			first++
		}
	}
	for i, r := range g.Ranks[:min(len(g.Ranks), len(t.firsts))] {
		if r == 1 { // seats that share the rank share the win
			t.firsts[i] += 1 / float64(first)
		}
	}
}

// Digest returns the SHA-256, in hexadecimal, over the digests of the games in their order.
func (t *Tally) Digest() string { return hex.EncodeToString(t.digest.Sum(nil)) }

// MeanChoices returns how many legal moves there were to choose from, on average.
func (t *Tally) MeanChoices() float64 { return ratio(float64(t.choices), t.Moves+t.Refused) }

// MeanScores returns the mean final scores of all games, by entry of Standing; an unfinished game counts as if it had
// ended there.
func (t *Tally) MeanScores() []float64 { return means(t.scores, t.Games) }

// WinRates returns the share of the finished games won, by entry of Standing; a tie is divided.
func (t *Tally) WinRates() []float64 { return means(t.firsts, t.Games-t.Unfinished) }

// WinIntervals returns the 95 % confidence intervals of the win rates, by Wilson's score: least and most, by entry of
// Standing. Empty if no game was finished.
func (t *Tally) WinIntervals() (list [][2]float64) {
	const z = 1.959964
	n := float64(t.Games - t.Unfinished)
	if n == 0 {
		return nil
	}
	for _, p := range t.WinRates() {
		middle, spread := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
		list = append(list, [2]float64{max(0, (middle-spread)/(1+z*z/n)), min(1, (middle+spread)/(1+z*z/n))})
	}
	return list
}

func means(sums []float64, n int) []float64 {
	m := make([]float64, len(sums))
	for i, s := range sums {
		m[i] = ratio(s, n)
	}
	return m
}

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
