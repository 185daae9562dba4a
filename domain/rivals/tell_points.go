package rivals

import "posthorn/domain"

// lead says the move itself where its outcomes do not: what is about to be built, what was
// named, that somebody passes.
func (t *teller) lead(e *domain.Event, body *Played) {
	m, err := notationRoom{}.ParseMove(e.Move, nil)
	if err != nil {
		return // a move that hides a card has outcomes that tell it
	}
	has := func(codes ...opCode) bool {
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
	case Road, Settle, City, Build:
		if !has(opRoad, opSettle, opCity, opBuild, opOpen, opCache) {
			t.say("tell.plans", "seat", e.Seat, "what", m.plan())
		}
	case Bank:
		var g Goods
		g[m.Res.res()] = m.N
		t.say("tell.bank", "seat", e.Seat, "goods", goodsSay(g))
	case Save:
		t.say("tell.saves", "seat", e.Seat, "goods", goodsSay(m.goods()))
	case Buy:
		t.say("tell.buys", "seat", e.Seat, "goods", goodsSay(m.goods()))
	case Give:
		t.say("tell.gives", "seat", e.Seat, "goods", goodsSay(m.goods()))
	case NameCard:
		t.say("tell.names", "seat", e.Seat, "card", m.Card.word(), "where", domain.S("place."+[...]string{"above", "above", "below"}[m.Side], "at", int(m.At)))
	case Arrange:
		if !has(opSwapReg) {
			t.say("tell.keeps", "seat", e.Seat)
		}
	case End:
		t.say("tell.ends", "seat", e.Seat)
	case Close:
		t.say("tell.closes", "seat", e.Seat)
	case Pass:
		t.say("tell.passes", "seat", e.Seat)
	case PayFrom:
		if m.Pay[0] == 0 {
			t.say("tell.pays-riots", "seat", e.Seat)
		}
	}
}

// plan is what a move is about to build.
func (m *Move) plan() domain.Say {
	switch m.Verb {
	case Road:
		return domain.S("plan.road")
	case Settle:
		return domain.S("plan.settlement")
	case City:
		return domain.S("plan.city", "at", int(m.At))
	}
	return m.Card.word()
}

// count gathers what brings victory points or takes them.
func (t *teller) count(op Op) {
	cause := func(n int, say domain.Say) {
		if n != 0 && op.Seat >= 0 {
			t.causes[op.Seat] = append(t.causes[op.Seat], causeSay(say, n))
			t.counted[op.Seat] += n
		}
	}
	switch op.Code {
	case opSettle:
		cause(1, domain.S("plan.settlement"))
	case opCity:
		cause(1, domain.S("plan.city", "at", int(op.Column)-origin))
	case opBuild, opOpen:
		cause(int(op.Card.Row().Points.Victory), op.Card.word())
	case opRaze:
		cause(-int(op.Card.Row().Points.Victory), op.Card.word())
	case opToken:
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
		return "−" + digits(uint8(-n))
	}
	return "+" + digits(uint8(n))
}

// token says who takes a token, and by how many points to how many.
func (t *teller) token(seat domain.Seat, op Op) {
	name := [...]string{"hero", "trade"}[op.Token]
	if seat == domain.Nobody {
		t.say("tell.token-lost-"+name, "n", int(op.N), "other", int(op.M))
		return
	}
	t.say("tell.token-"+name, "seat", seat, "n", int(op.N), "other", int(op.M))
}

// score says how many victory points somebody has now, and why.
func (t *teller) score(seat domain.Seat, op Op) {
	causes := t.causes[seat]
	// What is left are tokens that went, and a Harbor that three trade ships make count.
	if rest := int(op.M) - t.counted[seat]; rest != 0 {
		causes = append(causes, causeSay(domain.S("cause.together"), rest))
	}
	t.say("tell.score", "seat", seat, "points", int(op.N), "causes", causes)
}
