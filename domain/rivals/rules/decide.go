package rules

import (
	"sync"

	"posthorn/domain"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// deciding is a decision in progress: a working copy of the state and what has happened to it so far. Every change
// goes through do, and Evolve will repeat it the same way.
type deciding struct {
	s      *state.State
	luck   *domain.Luck
	seat   domain.Seat
	mv     *state.Move
	ops    []state.Op
	parts  []domain.Secret
	at     int // where the queue takes new tasks
	queued bool
	paid   int // how many of mv.Pay have been used
	stored int // how many of mv.Into have been used
	public string
	kept   *kept
}

func (g *deciding) do(o state.Op) {
	if o.Code == state.OpGain || o.Code == state.OpPay { // the event names the resource, so that it can be told
		o.Res = g.s.Realms[o.Seat].Yields(o.Place)
	}
	g.ops = append(g.ops, o)
	g.s.Apply(&g.ops[len(g.ops)-1])
}

// hidden applies outcomes that only the audience may read.
func (g *deciding) hidden(to domain.Audience, ops ...state.Op) {
	g.ops = append(g.ops, state.Op{Code: state.OpHidden, N: int16(len(g.parts))})
	h := g.part(to)
	h.Ops = g.kept.ops.keep(ops...)
	g.s.ApplyAll(h.Ops)
}

// tell adds notes that only the audience may read; they change nothing.
func (g *deciding) tell(to domain.Audience, ops ...state.Op) {
	if h := g.told(to); len(h.Told) == 0 {
		h.Told = g.kept.ops.keep(ops...)
	} else {
		h.Told = append(h.Told, ops...)
	}
}

// told returns the notes for an audience.
func (g *deciding) told(to domain.Audience) *state.Hidden {
	for i := range g.parts {
		if h, ok := g.parts[i].Body.(*state.Hidden); ok && h.Told != nil && g.parts[i].To == to {
			return h
		}
	}
	h := g.part(to)
	h.Told = state.Ops{}
	return h
}

func (g *deciding) part(to domain.Audience) *state.Hidden {
	h := &g.kept.hidden.keep(state.Hidden{})[0]
	g.parts = append(g.parts, domain.Secret{To: to, Body: h})
	return h
}

// push puts a task in the place of the one being worked on.
func (g *deciding) push(t state.Task) {
	s := g.s
	s.NextID++
	t.ID = s.NextID
	copy(s.Tasks[g.at+1:s.TasksN+1], s.Tasks[g.at:s.TasksN])
	s.Tasks[g.at] = t
	s.TasksN++
	g.at++
	g.queued = true
}

// drop takes the first task out of the queue; tasks that it leads to go in its place.
func (g *deciding) drop() state.Task {
	s := g.s
	t := s.Tasks[0]
	copy(s.Tasks[:s.TasksN-1], s.Tasks[1:s.TasksN])
	s.TasksN--
	s.Tasks[s.TasksN] = state.Task{}
	g.at = 0
	g.queued = true
	return t
}

// Decide judges a move by a seat. It returns one event, or a *domain.Refusal.
func (r *Room) Decide(s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck) (e domain.Event, err error) {
	err = r.DecideOver(&e, s, seat, m, luck)
	return e, err
}

// DecideOver is Decide, but reuses the memory of a move's event that is no longer needed.
func (*Room) DecideOver(e *domain.Event, s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck) error {
	if !s.Awaits(seat) {
		return domain.Refuse("not-awaited", "seat", seat)
	}
	d := desks.Get().(*desk)
	defer desks.Put(d)
	g := d.begin(s, seat, m, luck, e)
	if r := g.judge(); r != nil {
		return r
	}
	for g.s.TasksN > 0 && g.auto() { // until somebody has to choose
	}
	if r := g.leftOver(); r != nil {
		return r
	}
	g.event(e, s)
	return nil
}

// begin prepares to judge a move, reusing an event that is no longer needed.
func (d *desk) begin(s *state.State, seat domain.Seat, m state.Move, luck *domain.Luck, over *domain.Event) *deciding {
	d.kept.begin(over)
	d.work, d.mv = *s, m
	g := &d.g
	g.s, g.mv, g.luck, g.seat, g.ops, g.parts, g.kept = &d.work, &d.mv, luck, seat, g.ops[:0], g.parts[:0], &d.kept
	g.at, g.queued, g.paid, g.stored, g.public = 0, false, 0, 0, "" // field by field, as that is faster
	return g
}

// desk is what a decision is worked out on. Desks are reused: a state is large, and nothing on a desk outlives its
// decision.
type desk struct {
	g    deciding
	work state.State
	mv   state.Move
	kept kept
}

var desks = sync.Pool{New: func() any { return &desk{g: deciding{ops: make([]state.Op, 0, 32)}} }}

// judge makes the move itself, and leaves what follows in the queue.
func (g *deciding) judge() *domain.Refusal {
	if g.s.Asked(g.seat) != state.NoTask {
		return g.answer(g.s.Tasks[0])
	}
	switch g.s.Phase {
	case state.Rolling:
		return g.rolling()
	case state.Acting:
		return g.acting()
	case state.Drawing:
		return g.drawing()
	case state.Exchanging:
		return g.exchanging()
	}
	return domain.Refuse("not-awaited", "seat", g.seat)
}

// leftOver refuses places that a move named without need.
func (g *deciding) leftOver() *domain.Refusal {
	if g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid] != 0 {
		return domain.Refuse("pay-too-much", "place", table.PlaceSay(g.mv.Pay[g.paid].Place()))
	}
	if g.stored < len(g.mv.Into) && g.mv.Into[g.stored] != 0 {
		return domain.Refuse("into-too-much", "place", table.PlaceSay(g.mv.Into[g.stored].Place()))
	}
	return nil
}

// event closes the decision: it works out what is awaited now, and makes the event.
func (g *deciding) event(e *domain.Event, before *state.State) {
	g.score(before)
	g.show()
	g.ask()
	if g.public != "" {
		g.told(domain.To(g.seat)).Move = notation.Format(g.mv)
	}
	body := &g.kept.played.keep(state.Played{Ops: g.kept.ops.keep(g.ops...)})[0]
	if g.queued {
		body.Tasks = g.kept.tasks.keep(g.s.Tasks[:g.s.TasksN]...)
	}
	if before.Serial != g.s.Serial || before.NextID != g.s.NextID {
		body.Count = state.Counter{g.s.Serial, g.s.NextID}
	}
	var parts []domain.Secret
	if len(g.parts) > 0 {
		parts = g.kept.parts.keep(g.parts...)
	}
	g.kept.last = body
	*e = domain.Event{Type: state.PlayedType, Move: g.public, Body: body, Secrets: parts}
}

// show shows everybody the hand card about to be built while its owner still has to say how to pay: the move has
// named it.
func (g *deciding) show() {
	for i := range int(g.s.TasksN) {
		t := &g.s.Tasks[i]
		if t.Kind != state.TaskPlace && t.Kind != state.TaskSettle || t.Card == table.NoCard ||
			t.Kind == state.TaskPlace && t.Arg == 1 {
			continue
		}
		r := &g.s.Realms[t.Seat]
		if at := r.ShownFirst(t.Card); at >= 0 && r.Hand[at].Seen&state.Public == 0 {
			g.do(state.Op{Code: state.OpShow, Seat: t.Seat, Card: t.Card})
		}
	}
}

// score notes how the decision has changed the tokens and the victory points.
func (g *deciding) score(before *state.State) {
	if before.Realms[0].Points == g.s.Realms[0].Points && before.Realms[1].Points == g.s.Realms[1].Points {
		return
	}
	for which, holder := range [2]func(*state.State) domain.Seat{state.HeroToken: (*state.State).Strongest,
		state.TradeToken: (*state.State).Busiest} {
		seat := holder(g.s)
		if seat == holder(before) {
			continue
		}
		held := seat
		if held == domain.Nobody { // the seat that loses it
			held = holder(before)
		}
		mine, theirs := g.s.Realms[held].Points, g.s.Realms[state.Other(held)].Points
		have, against := mine.Strength, theirs.Strength
		if state.Token(which) == state.TradeToken {
			have, against = mine.Commerce, theirs.Commerce
		}
		g.do(state.Op{Code: state.OpToken, Seat: seat, Token: state.Token(which), N: int16(have), M: int16(against)})
	}
	for seat := range domain.Seat(2) {
		if now := g.s.Victory(seat); now != before.Victory(seat) {
			g.do(state.Op{Code: state.OpScore, Seat: seat, N: int16(now), M: int16(now - before.Victory(seat))})
		}
	}
}

// ask works out whom the game awaits. A seat's own turn is one decision as long as the other is not needed in
// between; every question to the other is a separate one.
func (g *deciding) ask() {
	for seat := range domain.Seat(2) {
		now := whatAwaits(g.s, seat)
		old := g.s.Asks[seat]
		if now.Kind == old.Kind && now.Task == old.Task {
			continue
		}
		if now.Kind != state.AskNothing {
			g.s.Serial++
			now.Serial = g.s.Serial
		}
		g.do(state.Op{Code: state.OpAsk, Seat: seat, Ask: now.Kind, N: int16(now.Task), M: int16(now.Serial)})
	}
}

func whatAwaits(s *state.State, seat domain.Seat) state.Ask {
	if s.Phase == state.Over {
		return state.Ask{}
	}
	kind := s.Asked(seat)
	switch {
	case s.TasksN == 0 && s.Active != seat, s.TasksN > 0 && kind == state.NoTask:
		return state.Ask{}
	case s.Phase == state.Begin:
		return state.Ask{Kind: state.AskBegin}
	case seat == s.Active:
		return state.Ask{Kind: state.AskTurn}
	}
	return state.Ask{Kind: kinds[kind].asks, Task: s.Tasks[0].ID}
}
