package inbound

import (
	"posthorn/domain"
	"posthorn/mail/reply"
)

// described returns the playable moves that a text describes by what they do, and the others that it may mean.
func (v *vocabulary) described(text string, at *domain.Line) (fit, others []choice) {
	described := v.rulebook.Extras().Described
	if described == nil {
		return nil, nil
	}
	playable := func(all []domain.Move) (out []choice) {
		for _, m := range all {
			if _, _, err := at.Decide(v.seat, m); err == nil {
				out = append(out, choice{m, v.inFull(m, at)})
			}
		}
		return v.distinct(out, at)
	}
	is, may := described(at.State, v.reworded(reply.Plain(text)))
	return playable(is), playable(may)
}
