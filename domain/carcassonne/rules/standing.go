package rules

import (
	"slices"

	"posthorn/domain"
	"posthorn/domain/carcassonne/state"
	"posthorn/domain/kit"
)

// Standing returns the scores now and with the final scoring, the same for everybody. In a solo game the entries are
// the colours.
func (Room) Standing(s *state.State, _ domain.Viewer) domain.Standing {
	final := finalScores(s)
	end := finalPoints(s, final)
	n := int(s.Owners)
	out := domain.Standing{
		Scores: make([]int, n), Final: make([]int, n), Causes: make([][]domain.Say, n), Ended: s.Over,
	}
	for o := range n {
		out.Scores[o], out.Final[o] = int(s.Scores[o]), int(end[o])
		if s.Solo {
			out.Labels = append(out.Labels, state.ColourSay(state.Owner(o)))
		}
	}
	for i := range final {
		x := &final[i]
		for _, a := range x.Points {
			out.Causes[a.Seat] = append(out.Causes[a.Seat], causeSay(s, x, a))
		}
	}
	if s.Over && n > 0 {
		out.Ranks, out.Result = kit.Ranks(out.Final), Result(s, out.Final)
	}
	return out
}

// PointsAfter returns the scores after a turn, for the last turn with the final scoring. It does not copy the state,
// which takes 24 KB.
func (r Room) PointsAfter(s *state.State, e *domain.Event) []int {
	b, ok := e.Body.(*state.Played)
	if !ok {
		after := s.Clone()
		state.Room{}.Evolve(after, e)
		return r.Standing(after, domain.Spectator).Points()
	}
	points := make([]int, s.Owners)
	for o := range points {
		points[o] = int(s.Scores[o])
	}
	for _, list := range [2][]state.Score{b.Scores, b.Final} {
		for i := range list {
			for _, a := range list[i].Points {
				points[a.Seat] += a.Points
			}
		}
	}
	return points
}

// Result says who won. Equal scores share the win: the rulebook has no tie-break (S1; point 4).
func Result(s *state.State, final []int) []domain.Say {
	if s.Solo {
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

func causeSay(s *state.State, x *state.Score, a state.Awarded) domain.Say {
	return domain.S("cause", "feature", state.FeatureSay(x), "points", domain.S("points", "n", a.Points))
}
