package simulate

import (
	"iter"

	"posthorn/domain"
)

// sieve picks one of many, each as likely, and keeps one at a time: the n-th takes the place of
// the kept one with probability 1/n. Which n is next to do so is drawn at once, so that most
// moves of a list cost a comparison.
type sieve struct {
	rng     *dice
	n, next int
	kept    domain.Move

	see  func(domain.Move) bool // what follows as functions: made once, not for every move of a game
	pick func(n int) int
}

func (s *sieve) ready(rng *dice) {
	s.rng = rng
	s.see = func(m domain.Move) bool {
		if s.n++; s.n == s.next {
			s.kept, s.next = m, rng.after(s.n)
		}
		return true
	}
	s.pick = func(n int) int {
		kept := 1
		for next := 1; next <= n; next = rng.after(next) {
			kept = next
		}
		return kept - 1
	}
}

// sift picks one of a list, and says how many there were.
func (s *sieve) sift(list iter.Seq[domain.Move]) (domain.Move, int) {
	s.n, s.next, s.kept = 0, 1, nil
	list(s.see)
	return s.kept, s.n
}
