package simulate

import (
	"iter"
	"math/bits"

	"posthorn/domain"
)

// dice is a generator for choosing among moves: splitmix64, the same on every machine. The
// chance of the game itself comes from domain.Luck.
type dice struct{ state uint64 }

// newDice returns the generator for one game of a seed; games with neighbouring numbers or seeds are unrelated.
func newDice(seed, game uint64) dice {
	d := dice{seed}
	d.state = d.next() ^ game*0xd1342543de82ef95
	d.state = d.next()
	return d
}

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	x := d.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a number in [0, n), all equally likely (Lemire's method).
func (d *dice) below(n int) int {
	if n == 1 {
		return 0
	}
	hi, lo := bits.Mul64(d.next(), uint64(n))
	if lo < uint64(n) {
		for least := -uint64(n) % uint64(n); lo < least; {
			hi, lo = bits.Mul64(d.next(), uint64(n))
		}
	}
	return int(hi)
}

// after returns the number of the next move to keep if the n-th was the last one kept: above m with probability n/m,
// for every m from n on. It is exact to 2⁻³².
func (d *dice) after(n int) int {
	return int(uint64(n)<<32/(d.next()>>32+1)) + 1
}

// sieve picks one of many, all equally likely, and keeps one at a time: the n-th replaces the kept one with probability
// 1/n. It draws the next n to do so in advance, so that most moves of a list cost only a comparison.
type sieve struct {
	n, next int
	kept    domain.Move
	at      int // which of the last list was kept, from 0

	see  func(domain.Move) bool // the method as a function value: made once, not for every move of a game
	pick func(n int) int
}

func (s *sieve) ready(rng *dice) {
	s.see = func(m domain.Move) bool {
		if s.n++; s.n == s.next {
			s.kept, s.at, s.next = m, s.n-1, rng.after(s.n)
		}
		return true
	}
	s.pick = func(n int) int {
		for next := 1; next <= n; next = rng.after(next) {
			s.at = next - 1
		}
		return s.at
	}
}

// sift picks one of a list, and returns how many there were.
func (s *sieve) sift(list iter.Seq[domain.Move]) (domain.Move, int) {
	s.n, s.next, s.kept = 0, 1, nil
	list(s.see)
	return s.kept, s.n
}
