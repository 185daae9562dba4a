package rivals

import (
	"sync"

	"posthorn/domain"
)

// deciding is a decision in the making: a working copy of the state and what has happened
// to it so far. Every change goes through do, which is how Evolve will repeat it.
type deciding struct {
	s      *State
	luck   *domain.Luck
	seat   domain.Seat
	mv     *Move
	ops    []Op
	parts  []domain.Secret
	at     int // where new tasks go in the queue
	queued bool
	paid   int // how many of mv.Pay have been used
	stored int // how many of mv.Into have been used
	hush   string
}

func (g *deciding) do(o Op) {
	if o.Code == opGain || o.Code == opPay { // the event says of what, so that it can be told
		o.Res = g.s.Realms[o.Seat].yields(o.Place)
	}
	g.ops = append(g.ops, o)
	g.s.apply(&g.ops[len(g.ops)-1])
}

// hidden does something whose outcome only the audience may read.
func (g *deciding) hidden(to domain.Audience, ops ...Op) {
	g.ops = append(g.ops, Op{Code: opHidden, N: int16(len(g.parts))})
	h := newHidden()
	h.Ops = append(h.Ops, ops...)
	g.s.applyAll(h.Ops)
	g.part(to, h)
}

// tell adds notes that only the audience may read; nothing changes by them.
func (g *deciding) tell(to domain.Audience, ops ...Op) {
	h := g.told(to)
	h.Ops = append(h.Ops, ops...)
}

// told are the notes for an audience.
func (g *deciding) told(to domain.Audience) *Hidden {
	for i := range g.parts {
		if h, ok := g.parts[i].Body.(*Hidden); ok && h.Told && g.parts[i].To == to {
			return h
		}
	}
	h := newHidden()
	h.Told = true
	g.part(to, h)
	return h
}

func (g *deciding) part(to domain.Audience, h *Hidden) {
	if g.parts == nil {
		g.parts = make([]domain.Secret, 0, 2)
	}
	g.parts = append(g.parts, domain.Secret{To: to, Body: h})
}

// push puts a task where the one being worked on stood.
func (g *deciding) push(t Task) {
	s := g.s
	s.NextID++
	t.ID = s.NextID
	copy(s.Tasks[g.at+1:s.TasksN+1], s.Tasks[g.at:s.TasksN])
	s.Tasks[g.at] = t
	s.TasksN++
	g.at++
	g.queued = true
}

// drop takes a task out of the queue; what it brings goes in its place.
func (g *deciding) drop(i int) Task {
	s := g.s
	t := s.Tasks[i]
	copy(s.Tasks[i:s.TasksN-1], s.Tasks[i+1:s.TasksN])
	s.TasksN--
	s.Tasks[s.TasksN] = Task{}
	g.at = i
	g.queued = true
	return t
}

// Decide judges a move by a seat: one event, or a *domain.Refusal.
func (rulesRoom) Decide(s *State, seat domain.Seat, m Move, luck *domain.Luck) (domain.Event, error) {
	if !s.awaits(seat) {
		return domain.Event{}, domain.Refuse("not-awaited", "seat", seat)
	}
	d := desks.Get().(*desk)
	defer desks.Put(d)
	d.work, d.mv = *s, m
	g := &d.g
	*g = deciding{s: &d.work, luck: luck, seat: seat, mv: &d.mv, ops: g.ops[:0]}
	if r := g.judge(); r != nil {
		return domain.Event{}, r
	}
	g.run()
	if r := g.leftOver(); r != nil {
		return domain.Event{}, r
	}
	return g.event(s), nil
}

// desk is what a decision is worked out on. Desks are used again: a state is large, and
// nothing of a desk outlives its decision.
type desk struct {
	g    deciding
	work State
	mv   Move
}

var desks = sync.Pool{New: func() any { return &desk{g: deciding{ops: make([]Op, 0, 32)}} }}

// judge does the move itself; what follows is left in the queue.
func (g *deciding) judge() *domain.Refusal {
	if i := g.s.openTask(g.seat); i >= 0 {
		return g.answer(i)
	}
	switch g.s.Phase {
	case Rolling:
		return g.rolling()
	case Acting:
		return g.acting()
	case Drawing:
		return g.drawing()
	case Exchanging:
		return g.exchanging()
	}
	return domain.Refuse("not-awaited", "seat", g.seat)
}

// leftOver refuses places that a move named and nothing asked for.
func (g *deciding) leftOver() *domain.Refusal {
	if g.paid < len(g.mv.Pay) && g.mv.Pay[g.paid] != 0 {
		return domain.Refuse("pay-too-much", "place", g.mv.Pay[g.paid].place().Name())
	}
	if g.stored < len(g.mv.Into) && g.mv.Into[g.stored] != 0 {
		return domain.Refuse("into-too-much", "place", g.mv.Into[g.stored].place().Name())
	}
	return nil
}

// run works the queue off until somebody has to choose.
func (g *deciding) run() {
	for g.s.TasksN > 0 && g.auto(0) {
	}
}

// event closes the decision: what is awaited now, and the event that says it all.
func (g *deciding) event(before *State) domain.Event {
	g.score(before)
	g.show()
	g.ask()
	if g.hush != "" {
		g.told(domain.To(g.seat)).Move = format(g.mv)
	}
	body := newPlayed(g.ops, g.s.Tasks[:g.s.TasksN], g.queued)
	if before.Serial != g.s.Serial || before.NextID != g.s.NextID {
		body.Serial, body.NextID = g.s.Serial, g.s.NextID
	}
	return domain.Event{Type: playedType, Move: g.hush, Body: body, Secrets: g.parts}
}

// show lets everybody know the hand card that is about to be built, while it is still asked
// how it is paid for: the move has named it.
func (g *deciding) show() {
	for i := range int(g.s.TasksN) {
		t := &g.s.Tasks[i]
		if t.Kind != taskPlace && t.Kind != taskSettle || t.Card == NoCard || t.Kind == taskPlace && t.Arg == 1 {
			continue
		}
		r := &g.s.Realms[t.Seat]
		if at := r.shownFirst(t.Card); at >= 0 && r.Hand[at].Seen&public == 0 {
			g.do(Op{Code: opShow, Seat: t.Seat, Card: t.Card})
		}
	}
}

// score notes what the decision has changed about the tokens and the victory points.
func (g *deciding) score(before *State) {
	if before.Realms[0].Points == g.s.Realms[0].Points && before.Realms[1].Points == g.s.Realms[1].Points {
		return
	}
	for which, holder := range [2]func(*State) domain.Seat{heroToken: (*State).strongest, tradeToken: (*State).busiest} {
		seat := holder(g.s)
		if seat == holder(before) {
			continue
		}
		held := seat
		if held == domain.Nobody { // from whom it goes
			held = holder(before)
		}
		mine, theirs := g.s.Realms[held].Points, g.s.Realms[other(held)].Points
		have, against := mine.Strength, theirs.Strength
		if token(which) == tradeToken {
			have, against = mine.Commerce, theirs.Commerce
		}
		g.do(Op{Code: opToken, Seat: seat, Token: token(which), N: int16(have), M: int16(against)})
	}
	for seat := range domain.Seat(2) {
		if now := g.s.victory(seat); now != before.victory(seat) {
			g.do(Op{Code: opScore, Seat: seat, N: int16(now), M: int16(now - before.victory(seat))})
		}
	}
}

// ask works out whom the game awaits. A seat's own turn is one decision as long as the
// other is not needed in between; every question to the other is one of its own.
func (g *deciding) ask() {
	for seat := range domain.Seat(2) {
		now := g.s.whatAwaits(seat)
		old := g.s.Asks[seat]
		if now.Kind == old.Kind && now.Task == old.Task {
			continue
		}
		if now.Kind != askNothing {
			g.s.Serial++
			now.Serial = g.s.Serial
		}
		g.do(Op{Code: opAsk, Seat: seat, Ask: now.Kind, N: int16(now.Task), M: int16(now.Serial)})
	}
}

func (s *State) whatAwaits(seat domain.Seat) Ask {
	if s.Phase == Over {
		return Ask{}
	}
	if s.TasksN == 0 {
		if s.Active == seat {
			return Ask{Kind: askTurn}
		}
		return Ask{}
	}
	i := s.openTask(seat)
	switch {
	case i < 0:
		return Ask{}
	case s.Phase == Begin:
		return Ask{Kind: askBegin}
	case seat == s.Active:
		return Ask{Kind: askTurn}
	}
	return Ask{Kind: kinds[s.Tasks[i].Kind].asks, Task: s.Tasks[i].ID}
}
