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
	Ops   Ops     `json:"ops"`
	Tasks []Task  `json:"tasks,omitzero"` // nil if the queue has not changed
	Count Counter `json:"count,omitzero"` // of nothing, if it has not changed
}

// Counter counts a game's decisions and its tasks.
type Counter [2]uint16

// Hidden is a secret part of a move: outcomes that happen where the public part says so, or
// (Told) notes for the audience, with the whole move where the public one hides a card.
type Hidden struct {
	Move string `json:"move,omitempty"`
	Ops  Ops    `json:"ops,omitzero"`
	Told Ops    `json:"told,omitzero"`
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
		if body.Tasks != nil {
			n := copy(s.Tasks[:], body.Tasks)
			clear(s.Tasks[n:max(n, int(s.TasksN))])
			s.TasksN = uint8(n)
		}
		if body.Count != (Counter{}) {
			s.Serial, s.NextID = body.Count[0], body.Count[1]
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
