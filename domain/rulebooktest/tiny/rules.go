package tiny

import (
	"iter"
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Awaited lists everybody who has not chosen, and then the one who rolls. The round tells one decision from the next.
func (game) Awaited(s *state) (open []domain.Decision) {
	if s.Over || s.Round == 0 {
		return nil
	}
	for i, c := range s.Chosen {
		if c == "" {
			open = append(open, domain.Decision{Seat: domain.Seat(i), Kind: "choose", Serial: s.Round})
		}
	}
	if open == nil {
		open = append(open, domain.Decision{Seat: s.Roller, Kind: "roll", Serial: s.Round})
	}
	return open
}

// Legal lists a seat's moves, by public knowledge alone.
func (game) Legal(s *state, seat domain.Seat) iter.Seq[move] {
	return kit.Legal(moves, func(m move) bool { return !s.Over && s.judge(seat, m) == nil })
}

// judge refuses what a seat must not do now, by public knowledge alone. It is only called for awaited seats, so it need
// not check that.
func (s *state) judge(seat domain.Seat, m move) error {
	switch rolling := !slices.Contains(s.Chosen, ""); {
	case rolling && m.verb != "roll":
		return domain.Refuse("all-chose")
	case !rolling && m.verb == "roll":
		return domain.Refuse("not-all-chose")
	case m.verb == "swap" && len(s.Stack) == 0:
		return domain.Refuse("stack-empty")
	case m.verb == "peek" && int(m.at) >= len(s.Hands):
		return domain.Refuse("no-seat", "letter", m.at.Letter())
	case m.verb == "peek" && s.Known[m.at].Admits(domain.ViewOf(seat)):
		return domain.Refuse("known", "seat", m.at)
	}
	return nil
}

// Decide judges a move.
func (game) Decide(s *state, seat domain.Seat, m move, luck *domain.Luck) (domain.Event, error) {
	if err := s.judge(seat, m); err != nil {
		return domain.Event{}, err
	}
	told := func(of domain.Seat, card int) []domain.Secret {
		return []domain.Secret{kit.Hold(of, card, domain.To(seat))}
	}
	switch m.verb {
	case "keep":
		return domain.Event{Type: typeChose, Body: &chose{Choice: "keep"}}, nil
	case "swap":
		return domain.Event{Type: typeChose, Body: &chose{Choice: "swap", Laid: s.Hands[seat]},
			Secrets: told(seat, s.Stack[0])}, nil
	case "peek":
		return domain.Event{Type: typeChose, Body: &chose{Choice: "peek", At: m.at},
			Secrets: told(m.at, s.Hands[m.at])}, nil
	}
	return s.decideRoll(luck), nil
}

func (s *state) decideRoll(luck *domain.Luck) domain.Event {
	die := kit.OneOf(luck, "die", []int{1, 2, 3, 4, 5, 6})
	b := &rolled{Die: die, Hands: slices.Clone(s.Hands), Low: s.Low && die%2 == 1}
	best := slices.Max(s.Hands)
	if b.Low {
		best = slices.Min(s.Hands)
	}
	b.Winner = domain.Seat(slices.Index(s.Hands, best))
	b.Over = s.Round >= s.Rounds || len(s.Stack) < len(s.Hands)
	e := domain.Event{Type: typeRolled, Body: b}
	for i := range s.Hands {
		if !b.Over {
			e.Secrets = append(e.Secrets, kit.Hold(domain.Seat(i), s.Stack[i], domain.To(domain.Seat(i))))
		}
	}
	return e
}

// Standing counts the points. The two points for never having peeked come at the end.
func (game) Standing(s *state, _ domain.Viewer) domain.Standing {
	final, causes := slices.Clone(s.Scores), make([][]domain.Say, len(s.Scores))
	for i := range final {
		if !s.Peeked[i] {
			final[i] += honesty
			causes[i] = []domain.Say{domain.S("cause.honest", "n", honesty)}
		}
	}
	st := kit.Standing(s.Scores, final, s.Over)
	st.Causes = causes
	return st
}

// Value returns the points a seat can count on: those it has, and the die's average times the chance that its card wins
// against cards nobody knows.
func (game) Value(s *state, seat domain.Seat) float64 {
	v := float64(game{}.Standing(s, domain.Referee).Final[seat])
	if s.Over {
		return v
	}
	high, low := 1.0, 1.0
	for range len(s.Hands) - 1 {
		high *= float64(s.Hands[seat]-1) / (cards - 1)
		low *= float64(cards-s.Hands[seat]) / (cards - 1)
	}
	if s.Low {
		high = (high + low) / 2
	}
	return v + 3.5*high
}

// orders are moves: keep, swap or peek when a seat chooses, roll when it rolls.
var orders = kit.Repeats[move, *View]{Notation: game{}, Label: label,
	Offered: []move{plain("keep"), plain("swap"), plain("roll")},
	Answers: func(m move, d domain.Decision) bool { return (m.verb == "roll") == (d.Kind == "roll") },
}
