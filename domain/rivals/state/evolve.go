package state

import "posthorn/domain"

// The types of events.
const (
	dealtType  = "dealt.v1"
	PlayedType = "played.v1"
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

// Evolve applies an event in place.
func (Room) Evolve(s *State, e *domain.Event) {
	switch body := e.Body.(type) {
	case *Dealt:
		body.evolve(s, e.Secrets)
	case *Played:
		for i := range body.Ops {
			s.ApplyIn(&body.Ops[i], e.Secrets)
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

// ApplyIn applies an outcome of an event with these secret parts.
func (s *State) ApplyIn(o *Op, parts []domain.Secret) {
	if o.Code != OpHidden {
		s.Apply(o)
	} else if h, ok := parts[o.N].Body.(*Hidden); ok {
		s.ApplyAll(h.Ops)
	}
}

// ApplyAll applies outcomes in their order.
func (s *State) ApplyAll(ops []Op) {
	for i := range ops {
		s.Apply(&ops[i])
	}
}
