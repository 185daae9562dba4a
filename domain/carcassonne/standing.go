package carcassonne

import "posthorn/domain"

// Standing is the scores now and with the final scoring, the same for everybody. A solo
// game's entries are its colours.
func (Rules) Standing(st domain.State, _ domain.Viewer) domain.Standing {
	s := st.(*State)
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
		out.Ranks, out.Result = ranks(out.Final), s.result(out.Final)
	}
	return out
}

// ranks are shared by equal scores: the rulebook knows no tie-break (S1; point 4).
func ranks(final []int) []int {
	list := make([]int, len(final))
	for i, mine := range final {
		list[i] = 1
		for _, theirs := range final {
			if theirs > mine {
				list[i]++
			}
		}
	}
	return list
}

func (s *State) result(final []int) []domain.Say {
	if s.solo {
		lowest := final[0]
		for _, n := range final[1:] {
			lowest = min(lowest, n)
		}
		return []domain.Say{domain.S("result.solo", "n", lowest)}
	}
	best, winners := final[0], []domain.Say(nil)
	for _, n := range final[1:] {
		best = max(best, n)
	}
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
