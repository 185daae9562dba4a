package carcassonne

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/kit"
)

// Standing is the scores now and with the final scoring, the same for everybody. A solo
// game's entries are its colours.
func (rulesRoom) Standing(s *State, _ domain.Viewer) domain.Standing {
	final := s.finalScores()
	end := s.finalPoints(final)
	n := int(s.owners)
	out := domain.Standing{
		Scores: make([]int, n), Final: make([]int, n), Causes: make([][]domain.Say, n), Ended: s.over,
	}
	for o := range n {
		out.Scores[o], out.Final[o] = int(s.scores[o]), int(end[o])
		if s.solo {
			out.Labels = append(out.Labels, colourSay(Owner(o)))
		}
	}
	for i := range final {
		x := &final[i]
		for _, a := range x.Points {
			out.Causes[a.Seat] = append(out.Causes[a.Seat], s.causeSay(x, a))
		}
	}
	if s.over && n > 0 {
		out.Ranks, out.Result = kit.Ranks(out.Final), s.result(out.Final)
	}
	return out
}

// result says who won; equal scores share it, for the rulebook knows no tie-break (S1; point 4).
func (s *State) result(final []int) []domain.Say {
	if s.solo {
		return []domain.Say{domain.S("result.solo", "n", slices.Min(final))}
	}
	best, winners := slices.Max(final), []domain.Say(nil)
	for o, n := range final {
		if n == best {
			winners = append(winners, domain.S("who", "who", domain.Seat(o)))
		}
	}
	if len(winners) > 1 {
		return []domain.Say{domain.S("result.shared", "who", winners, "n", best)}
	}
	return []domain.Say{domain.S("result.won", "who", winners[0], "n", best)}
}

func colourSay(o Owner) domain.Say { return domain.S("colour." + o.Seat().Letter()) }

// ownerSay names an owner: a player, or a colour.
func ownerSay(o Owner, solo bool) any {
	if solo {
		return colourSay(o)
	}
	return o.Seat()
}

func (s *State) causeSay(x *Score, a Awarded) domain.Say {
	return domain.S("cause", "feature", featureSay(x), "points", domain.S("points", "n", a.Points))
}
