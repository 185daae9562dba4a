package show

import (
	"slices"

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
		return slices.ContainsFunc(body.Ops, func(op state.Op) bool { return slices.Contains(codes, op.Code) })
	}
	switch key := leads[m.Verb]; m.Verb {
	case state.Road, state.Settle, state.City, state.Build:
		if !has(state.OpRoad, state.OpSettle, state.OpCity, state.OpBuild, state.OpOpen, state.OpCache) {
			t.say(key, "seat", e.Seat, "what", plan(&m))
		}
	case state.Bank:
		t.say(key, "seat", e.Seat, "goods", table.GoodsSay(table.Just(m.Res.Res(), m.N)))
	case state.Save, state.Buy, state.Give:
		t.say(key, "seat", e.Seat, "goods", table.GoodsSay(m.Goods()))
	case state.NameCard:
		t.say(key, "seat", e.Seat, "card", m.Card.Word(), "where", table.SiteSay(sideOf(m.At, m.Side)))
	case state.Arrange, state.End, state.Close, state.Pass, state.PayFrom:
		if m.Pay[0] == 0 && !has(state.OpSwapReg) {
			t.say(key, "seat", e.Seat)
		}
	}
}

// leads are the sentences of moves that their outcomes do not tell.
var leads = map[state.Verb]string{
	state.Road: "tell.plans", state.Settle: "tell.plans", state.City: "tell.plans", state.Build: "tell.plans",
	state.Bank: "tell.bank", state.Save: "tell.saves", state.Buy: "tell.buys", state.Give: "tell.gives", state.NameCard: "tell.names",
	state.Arrange: "tell.keeps", state.End: "tell.ends", state.Close: "tell.closes", state.Pass: "tell.passes", state.PayFrom: "tell.pays-riots",
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
	key, pairs := "tell.token-", []any{"seat", seat}
	if seat == domain.Nobody {
		key, pairs = "tell.token-lost-", nil
	}
	t.say(key+[...]string{"hero", "trade"}[op.Token], append(pairs, "n", int(op.N), "other", int(op.M))...)
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
