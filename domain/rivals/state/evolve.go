package state

import "posthorn/domain"

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

// NewPlayed copies what happened into one piece of memory, as nearly every move fits into one
// of five sizes.
func NewPlayed(ops []Op, tasks []Task, queued bool) *Played {
	var p *Played
	if !queued {
		tasks = nil
	}
	switch {
	case len(ops) <= 2 && len(tasks) == 0:
		x := &struct {
			Played
			ops [2]Op
		}{}
		p, x.Ops = &x.Played, x.ops[:0]
	case len(ops) <= 2 && len(tasks) <= 2:
		x := &struct {
			Played
			ops   [2]Op
			tasks [2]Task
		}{}
		p, x.Ops, x.Tasks = &x.Played, x.ops[:0], x.tasks[:0]
	case len(ops) <= 5 && len(tasks) == 0:
		x := &struct {
			Played
			ops [5]Op
		}{}
		p, x.Ops = &x.Played, x.ops[:0]
	case len(ops) <= 5 && len(tasks) <= 2:
		x := &struct {
			Played
			ops   [5]Op
			tasks [2]Task
		}{}
		p, x.Ops, x.Tasks = &x.Played, x.ops[:0], x.tasks[:0]
	case len(ops) <= 12 && len(tasks) <= 2:
		x := &struct {
			Played
			ops   [12]Op
			tasks [2]Task
		}{}
		p, x.Ops, x.Tasks = &x.Played, x.ops[:0], x.tasks[:0]
	default:
		p = &Played{Ops: make([]Op, 0, len(ops)), Tasks: make([]Task, 0, len(tasks))}
	}
	p.Ops = append(p.Ops, ops...)
	if p.Queued = queued; len(tasks) > 0 {
		p.Tasks = append(p.Tasks, tasks...)
	} else {
		p.Tasks = nil
	}
	return p
}

// NewHidden makes a secret part with room for the few outcomes it mostly has.
func NewHidden() *Hidden {
	x := &struct {
		Hidden
		ops [2]Op
	}{}
	x.Ops = x.ops[:0]
	return &x.Hidden
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

func (s *State) ApplyAll(ops []Op) {
	for i := range ops {
		s.Apply(&ops[i])
	}
}
