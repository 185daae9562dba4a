package simulate

import "math/bits"

// dice is a generator for choosing among moves: splitmix64, the same on every machine. The
// chance of the game itself comes from domain.Luck.
type dice struct{ state uint64 }

// newDice is the generator of one game of a seed; games of neighbouring numbers or seeds are
// unrelated.
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

// below returns a number in [0, n), every one as likely (Lemire's method).
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

// after returns the number of the next move to be kept, if the n-th was kept last: above m
// with probability n/m, for every m from n on. It is exact to 2⁻³².
func (d *dice) after(n int) int {
	return int(uint64(n)<<32/(d.next()>>32+1)) + 1
}
