package rivals

import "posthorn/domain"

const (
	dealtType  = "dealt.v1"
	playedType = "played.v1"
)

// Played is the public body of a move: its outcomes, and the queue of what is now to be
// done if that has changed.
type Played struct {
	Ops    []Op
	Queued bool
	Tasks  []Task
	Serial uint16 // how many decisions there have been; 0 if that has not changed
	NextID uint16
}

// Hidden is a secret part of a move: outcomes that happen where the public part says so, or
// (Told) notes for the audience, with the whole move where the public one hides a card.
type Hidden struct {
	Told bool
	Move string
	Ops  []Op
}

// Recall gives the move of an event, from its secret part where the public notation hides a
// card; false for a deal, or where that part is redacted.
func (rb Rulebook) Recall(e *domain.Event) (domain.Move, bool) {
	text := e.Move
	for _, part := range e.Secrets {
		if h, ok := part.Body.(*Hidden); ok && h.Move != "" {
			text = h.Move
		}
	}
	m, err := rb.ParseMove(text, nil)
	return m, err == nil
}

// Evolve applies an event in place.
func (Rulebook) Evolve(st domain.State, e *domain.Event) {
	s := st.(*State)
	switch body := e.Body.(type) {
	case *Dealt:
		body.evolve(s, e.Secrets)
	case *Played:
		for _, op := range body.Ops {
			if op.Code != opHidden {
				s.apply(op)
				continue
			}
			if h, ok := e.Secrets[op.A].Body.(*Hidden); ok {
				for _, o := range h.Ops {
					s.apply(o)
				}
			}
		}
		if body.Queued {
			clear(s.Tasks[copy(s.Tasks[:], body.Tasks):])
			s.TasksN = uint8(len(body.Tasks))
		}
		if body.NextID != 0 || body.Serial != 0 {
			s.Serial, s.NextID = body.Serial, body.NextID
		}
	}
}
