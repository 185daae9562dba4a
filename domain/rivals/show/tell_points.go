package show

import (
	"posthorn/domain"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// lead says the move itself where its outcomes do not: what is about to be built, what was
// named, that somebody passes.
func (t *teller) lead(e *domain.Event, body *state.Played) {
	m, err := notation.Room{}.ParseMove(e.Move, nil)
	if err != nil {
		return // a move that hides a card has outcomes that tell it
	}
	has := func(codes ...state.OpCode) bool {
		for _, op := range body.Ops {
			for _, code := range codes {
				if op.Code == code {
					return true
				}
			}
		}
		return false
	}
	switch m.Verb {
	case state.Road, state.Settle, state.City, state.Build:
		if !has(state.OpRoad, state.OpSettle, state.OpCity, state.OpBuild, state.OpOpen, state.OpCache) {
			t.say("tell.plans", "seat", e.Seat, "what", plan(&m))
		}
	case state.Bank:
		var g table.Goods
		g[m.Res.Res()] = m.N
		t.say("tell.bank", "seat", e.Seat, "goods", table.GoodsSay(g))
	case state.Save:
		t.say("tell.saves", "seat", e.Seat, "goods", table.GoodsSay(m.Goods()))
	case state.Buy:
		t.say("tell.buys", "seat", e.Seat, "goods", table.GoodsSay(m.Goods()))
	case state.Give:
		t.say("tell.gives", "seat", e.Seat, "goods", table.GoodsSay(m.Goods()))
	case state.NameCard:
		t.say("tell.names", "seat", e.Seat, "card", m.Card.Word(), "where", domain.S("place."+[...]string{"above", "above", "below"}[m.Side], "at", int(m.At)))
	case state.Arrange:
		if !has(state.OpSwapReg) {
			t.say("tell.keeps", "seat", e.Seat)
		}
	case state.End:
		t.say("tell.ends", "seat", e.Seat)
	case state.Close:
		t.say("tell.closes", "seat", e.Seat)
	case state.Pass:
		t.say("tell.passes", "seat", e.Seat)
	case state.PayFrom:
		if m.Pay[0] == 0 {
			t.say("tell.pays-riots", "seat", e.Seat)
		}
	}
}

// plan is what a move is about to build.
func plan(m *state.Move) domain.Say {
	switch m.Verb {
	case state.Road:
		return domain.S("plan.road")
	case state.Settle:
		return domain.S("plan.settlement")
	case state.City:
		return domain.S("plan.city", "at", int(m.At))
	}
	return m.Card.Word()
}

// count gathers what brings victory points or takes them.
func (t *teller) count(op state.Op) {
	cause := func(n int, say domain.Say) {
		if n != 0 && op.Seat >= 0 {
			t.causes[op.Seat] = append(t.causes[op.Seat], causeSay(say, n))
			t.counted[op.Seat] += n
		}
	}
	switch op.Code {
	case state.OpSettle:
		cause(1, domain.S("plan.settlement"))
	case state.OpCity:
		cause(1, domain.S("plan.city", "at", int(op.Column)-table.Origin))
	case state.OpBuild, state.OpOpen:
		cause(int(op.Card.Row().Points.Victory), op.Card.Word())
	case state.OpRaze:
		cause(-int(op.Card.Row().Points.Victory), op.Card.Word())
	case state.OpToken:
		if op.Seat >= 0 {
			cause(1, domain.S([...]string{"cause.hero", "cause.trade"}[op.Token]))
		}
	}
}

func causeSay(what domain.Say, n int) domain.Say {
	return domain.S("cause", "what", what, "points", signed(n))
}

// signed writes points gained or lost.
func signed(n int) string {
	if n < 0 {
		return "−" + table.Digits(uint8(-n))
	}
	return "+" + table.Digits(uint8(n))
}

// token says who takes a token, and by how many points to how many.
func (t *teller) token(seat domain.Seat, op state.Op) {
	name := [...]string{"hero", "trade"}[op.Token]
	if seat == domain.Nobody {
		t.say("tell.token-lost-"+name, "n", int(op.N), "other", int(op.M))
		return
	}
	t.say("tell.token-"+name, "seat", seat, "n", int(op.N), "other", int(op.M))
}

// score says how many victory points somebody has now, and why.
func (t *teller) score(seat domain.Seat, op state.Op) {
	causes := t.causes[seat]
	// What is left are tokens that went, and a Harbor that three trade ships make count.
	if rest := int(op.M) - t.counted[seat]; rest != 0 {
		causes = append(causes, causeSay(domain.S("cause.together"), rest))
	}
	t.say("tell.score", "seat", seat, "points", int(op.N), "causes", causes)
}
