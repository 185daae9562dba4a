package inbound

import (
	"posthorn/domain"
	"posthorn/mail/reply"
)

// described returns the playable moves that a text describes by what they do, and the others that it may mean; where
// nothing is playable, no is the only move that it can mean.
func (v *vocabulary) described(text string, at *domain.Line) (fit, others []choice, no domain.Move) {
	described := v.rulebook.Extras().Described
	if described == nil {
		return nil, nil, nil
	}
	playable := func(all []domain.Move) (out []choice) {
		for _, m := range all {
			if _, _, err := at.Decide(v.seat, m); err == nil {
				out = append(out, v.choice(m, at))
			}
		}
		return v.distinct(out, at)
	}
	is, may := described(at.State, v.reworded(reply.Plain(text)))
	if fit, others = playable(is), playable(may); len(fit)+len(others) == 0 && len(is) == 1 {
		no = is[0]
	}
	return fit, others, no
}
