package inbound

import (
	"posthorn/domain"
	"posthorn/mail/reply"
)

// described returns the moves that a text describes by what they do, or those that it may mean; one is true if it can
// be played as the only one.
func (v *vocabulary) described(text string, at *domain.Line) (which []choice, one bool) {
	described := v.rulebook.Extras().Described
	if described == nil {
		return nil, false
	}
	playable := func(all []domain.Move) (out []choice) {
		for _, m := range all {
			if _, _, err := at.Decide(v.seat, m); err == nil {
				out = append(out, choice{m, v.inFull(m, at)})
			}
		}
		return v.distinct(out, at)
	}
	fit, others := described(at.State, v.reworded(reply.Plain(text)))
	if which = playable(fit); len(which) > 0 {
		return which, len(which) == 1
	}
	return playable(others), false
}
