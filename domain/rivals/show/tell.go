package show

import (
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/rivals/notation"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// Tell puts an event into sentences: what was done, and what everybody gained and lost by it.
func (Room) Tell(e *domain.Event, _ *state.View) []domain.Say {
	switch body := e.Body.(type) {
	case *state.Dealt:
		if e.Anew {
			return []domain.Say{domain.S("tell.reshuffled")}
		}
		return []domain.Say{domain.S("tell.dealt", "word", "option.play."+body.Play.String())}
	case *state.Played:
		t := &teller{by: e.Seat, pays: "tell.pays"}
		t.lead(e, body)
		for _, op := range body.Ops {
			if op.Code == state.OpHidden {
				t.hidden(e, op)
				continue
			}
			t.count(op)
			t.tell(op)
		}
		t.flush()
		for _, part := range e.Secrets {
			if h, ok := part.Body.(*state.Hidden); ok && h.Told != nil {
				t.notes(h.Told)
			}
		}
		return slices.DeleteFunc(t.list, t.saidWhole)
	}
	return nil
}

// teller collects sentences; it merges gains and payments that follow each other.
type teller struct {
	list       []domain.Say
	by         domain.Seat
	pays       string // the sentence for what the mover pays next
	robbed     bool   // goods that go now are paid to nobody: brigands or the plague take them
	gain, lost [2]table.Goods
	paid       table.Goods // by the mover
	drawn      [2][table.DecksN]int
	causes     [2][]domain.Say   // of gaining or losing victory points
	counted    [2]int            // and how many
	left       [2][]state.Token  // tokens that changed hands, whether or not the seat had them
	whole      map[shortened]int // sentences to leave out, since the reader may know more
}

// shortened is a sentence about a seat that does not name the card.
type shortened struct {
	key  string
	seat domain.Seat
}

// saidWhole reports whether another sentence says this with the card's name.
func (t *teller) saidWhole(s domain.Say) bool {
	seat, ok := s.Args["seat"].(domain.Seat)
	short := shortened{s.Key, seat}
	if !ok || t.whole[short] == 0 {
		return false
	}
	t.whole[short]--
	return true
}

func (t *teller) say(key string, pairs ...any) {
	t.flush()
	t.list = append(t.list, domain.S(key, pairs...))
}

func (t *teller) flush() {
	moved := func(key string, seat domain.Seat, goods table.Goods) {
		if goods.Total() > 0 {
			t.list = append(t.list, domain.S(key, "seat", seat, "goods", table.GoodsSay(goods)))
		}
	}
	for seat := range domain.Seat(2) {
		if seat == t.by && t.paid.Total() > 0 {
			moved(t.pays, seat, t.paid)
			t.pays = "tell.pays"
		}
		moved("tell.loses", seat, t.lost[seat])
		moved("tell.gains", seat, t.gain[seat])
		for k, n := range t.drawn[seat] {
			if n > 0 {
				t.list = append(t.list, domain.S("tell.draws", "seat", seat, "n", n, "stack", k+1))
			}
		}
	}
	t.gain, t.lost, t.paid, t.drawn = [2]table.Goods{}, [2]table.Goods{}, table.Goods{}, [2][table.DecksN]int{}
}

// told maps outcomes that are a sentence, "tell.KEY", to what it names.
var told = [state.OpCodes]struct{ key, names string }{
	state.OpDice: {"dice", "seat die face"}, state.OpUse: {"plays", "seat card"},
	state.OpBuild: {"builds", "seat card where"}, state.OpOpen: {"builds", "seat card where"},
	state.OpCache: {"cache", "seat at"}, state.OpRoad: {"road", "seat"}, state.OpSettle: {"settlement", "seat end"},
	state.OpCity: {"city", "seat town"},
	state.OpLand: {"land", "seat terrain number corner"}, state.OpSwapReg: {"swap-regions", "seat place place2"},
	state.OpSwapCrd: {"swap-cards", "seat site site2"},
	state.OpFetch:   {"fetch", "seat card"}, state.OpSeeDeck: {"looks", "seat stack"},
	state.OpSeeHand: {"looks-hand", "seat other"}, state.OpDrawEvt: {"event", "card text"},
	state.OpEventN: {"events-shuffled", ""}, state.OpLose: {"brigands", "seat n"},
	state.OpWant: {"wants", "seat resource"}, state.OpLaid: {"laid", "seat stack"},
	state.OpLost: {"lost", "seat n"},
	state.OpWard: {"ward", "seat card"}, state.OpShowLand: {"show-land", "terrain number"},
	state.OpTurn: {"turn", "seat n"},
	// in secret parts only
	state.OpUnder: {"under", "seat card stack"}, state.OpTake: {"took-card", "seat card stack"},
	state.OpSteal: {"stole", "seat card other"},
}

// named is what an outcome names: the argument of a sentence and its value.
var named = map[string]struct {
	arg string
	get func(*state.Op) any
}{
	"seat":   {"seat", func(o *state.Op) any { return o.Seat }},
	"other":  {"other", func(o *state.Op) any { return state.Other(o.Seat) }},
	"card":   {"card", func(o *state.Op) any { return o.Card.Word() }},
	"text":   {"text", func(o *state.Op) any { return o.Card.Text() }},
	"n":      {"n", func(o *state.Op) any { return int(o.N) }},
	"die":    {"die", func(o *state.Op) any { return int(o.N) }},
	"face":   {"face_word", func(o *state.Op) any { return "face." + o.Face.String() }},
	"where":  {"where", func(o *state.Op) any { return table.SiteSay(o.Site) }},
	"site":   {"a", func(o *state.Op) any { return table.SiteSay(o.Site) }},
	"site2":  {"b", func(o *state.Op) any { return table.SiteSay(o.Site2) }},
	"at":     {"at", func(o *state.Op) any { return table.PlaceSay(o.Place) }},
	"place":  {"a", func(o *state.Op) any { return table.PlaceSay(o.Place) }},
	"place2": {"b", func(o *state.Op) any { return table.PlaceSay(o.Place2) }},
	"town":   {"town", func(o *state.Op) any { return table.TownSay(int(o.Column), ".of") }},
	"end":    {"where", func(o *state.Op) any { return table.EndSay(int(o.Column), "") }},
	"corner": {"where", func(o *state.Op) any {
		return table.EndSay(o.Place.Gap(), table.SideNames[o.Place.Side()+1]+"-")
	}}, "stack": {"stack", func(o *state.Op) any { return int(o.Stack) + 1 }},
	"terrain":  {"terrain_word", func(o *state.Op) any { return "terrain." + o.Land.Terrain().Terrain() }},
	"number":   {"number", func(o *state.Op) any { return int(o.Land.Number()) }},
	"resource": {"resource", func(o *state.Op) any { return o.Res.Count(int(o.N)) }},
}

// sentence tells an outcome that is a sentence.
func (t *teller) sentence(op *state.Op) {
	row := &told[op.Code]
	if row.key == "" {
		return
	}
	var pairs []any
	for _, name := range strings.Fields(row.names) {
		pairs = append(pairs, named[name].arg, named[name].get(op))
	}
	t.say("tell."+row.key, pairs...)
}

func (t *teller) tell(op state.Op) {
	seat := op.Seat
	switch op.Code {
	case state.OpGain:
		t.gain[seat][op.Res] += uint8(op.N)
	case state.OpPay:
		if seat == t.by && !t.robbed {
			t.paid[op.Res] += uint8(op.N)
		} else {
			t.lost[seat][op.Res] += uint8(op.N)
		}
	case state.OpDraw:
		t.drawn[seat][op.Stack]++
	case state.OpRaze:
		key := "tell.razed-under"
		switch op.To {
		case state.ToDiscard:
			key = "tell.razed"
		case state.ToOpen:
			key = "tell.razed-open"
		}
		t.say(key, "seat", seat, "card", op.Card.Word(), "stack", int(op.To))
	case state.OpRoll:
		t.say([...]string{"tell.guard-failed", "tell.guard-held"}[op.M&1], "seat", seat, "die", int(op.N))
	case state.OpTook:
		if op.Stack == state.OtherHand {
			t.say("tell.steals", "seat", seat, "other", state.Other(seat))
		} else {
			t.say("tell.took", "seat", seat, "stack", int(op.Stack)+1)
		}
	case state.OpToken:
		key, pairs := "tell.token-", []any{"seat", seat}
		if seat == domain.Nobody {
			key, pairs = "tell.token-lost-", nil
		}
		t.say(key+[...]string{"hero", "trade"}[op.Token], append(pairs, "n", int(op.N), "other", int(op.M))...)
	case state.OpScore:
		causes := t.causes[seat]
		switch rest := int(op.M) - t.counted[seat]; {
		// tokens lost, and a Harbor that counts because of three trade ships
		case rest < 0 && -rest == len(t.left[seat]):
			for _, token := range t.left[seat] {
				causes = append(causes, causeSay(tokenSay(token), -1))
			}
		case rest != 0:
			causes = append(causes, causeSay(domain.S("cause.together"), rest))
		}
		t.say("tell.score", "seat", seat, "n", int(op.N), "causes", causes)
	case state.OpOver:
		if seat == domain.Nobody {
			t.say("tell.draw")
		} else {
			t.say("tell.over", "seat", seat)
		}
	case state.OpUnder, state.OpTake, state.OpSteal: // told from their secret part
	default:
		t.sentence(&op)
		t.robbed = op.Code == state.OpLose || op.Code == state.OpDrawEvt &&
			slices.ContainsFunc(op.Card.Row().Effects, func(e table.Effect) bool { return e.Do == "plague" })
	}
}

// shorts are the public sentences for what a secret part tells with the card.
var shorts = map[state.OpCode]string{state.OpUnder: "tell.laid", state.OpTake: "tell.took",
	state.OpSteal: "tell.steals"}

// hidden tells what happened that only its audience may read.
func (t *teller) hidden(e *domain.Event, at state.Op) {
	h, ok := e.Secrets[at.N].Body.(*state.Hidden)
	if !ok {
		return
	}
	for _, op := range h.Ops {
		if short := shorts[op.Code]; short != "" {
			t.sentence(&op)
			if t.whole == nil {
				t.whole = map[shortened]int{}
			}
			t.whole[shortened{short, op.Seat}]++
		}
	}
}

// notes tells what an event lets its audience see.
func (t *teller) notes(ops []state.Op) {
	var lists [3][]domain.Say
	for _, op := range ops {
		if i := slices.Index([]state.OpCode{state.OpSaw, state.OpDrew, state.OpGone}, op.Code); i >= 0 {
			lists[i] = append(lists[i], op.Card.Word())
		}
	}
	t.flush()
	for i, list := range lists {
		if len(list) > 0 {
			t.beside(domain.S([...]string{"tell.saw", "tell.drew", "tell.gone"}[i], "cards", list))
		}
	}
}

// beside puts the drawn cards right after the sentence that somebody draws: what follows may be the other's turn.
func (t *teller) beside(s domain.Say) {
	at := len(t.list)
	if s.Key == "tell.drew" {
		for i, said := range t.list {
			if said.Key == "tell.draws" {
				at = i + 1
			}
		}
	}
	t.list = slices.Insert(t.list, at, s)
}

// TellOrder puts an order into a sentence.
func (Room) TellOrder(order string, _ *state.View) []domain.Say {
	w := strings.Fields(order)
	if len(w) == 0 {
		return nil
	}
	if notation.OrderWords[order] != "" {
		return []domain.Say{domain.S("order." + strings.ReplaceAll(order, " ", "-"))}
	}
	prefix, what := "res.", "resources"
	if w[0] == "lose" {
		prefix, what = "card.", "cards"
	}
	var list []domain.Say
	for _, name := range w[1:] {
		list = append(list, domain.S(prefix+name))
	}
	return []domain.Say{domain.S("order."+w[0], what, list)}
}

// lead tells the move itself if its outcomes do not: what is about to be built, what was named, that somebody passes.
func (t *teller) lead(e *domain.Event, body *state.Played) {
	m, err := notation.Room{}.ParseMove(e.Move, nil)
	if err != nil {
		return // the outcomes of a move that hides a card tell it
	}
	has := func(codes ...state.OpCode) bool {
		return slices.ContainsFunc(body.Ops, func(op state.Op) bool { return slices.Contains(codes, op.Code) })
	}
	switch key := leads[m.Verb]; m.Verb {
	case state.Road, state.Settle, state.City, state.Build:
		if !has(state.OpRoad, state.OpSettle, state.OpCity, state.OpBuild, state.OpOpen, state.OpCache) {
			t.say(key, "seat", e.Seat, "what", plan(&m))
		}
	case state.Bank, state.Give:
		if has(state.OpPay) {
			t.pays = key
			return
		}
		goods := m.Goods()
		if m.Verb == state.Bank {
			goods = table.Just(m.Res.Res(), m.N)
		}
		t.say(key, "seat", e.Seat, "goods", table.GoodsSay(goods))
	case state.Save, state.Buy:
		t.say(key, "seat", e.Seat, "goods", table.GoodsSay(m.Goods()))
	case state.NameCard:
		t.say(key, "seat", e.Seat, "card", m.Card.Word(), "where", table.SiteSay(sideOf(m.At, m.Side)))
	case state.Arrange, state.End, state.Close, state.Pass, state.PayFrom:
		if m.Pay[0] == 0 && !has(state.OpSwapReg) {
			t.say(key, "seat", e.Seat)
		}
	}
}

// leads are the sentences for moves that their outcomes do not tell.
var leads = map[state.Verb]string{
	state.Road: "tell.plans", state.Settle: "tell.plans", state.City: "tell.plans", state.Build: "tell.plans",
	state.Bank: "tell.bank", state.Save: "tell.saves", state.Buy: "tell.buys", state.Give: "tell.gives",
	state.NameCard: "tell.names",
	state.Arrange:  "tell.keeps", state.End: "tell.ends", state.Close: "tell.closes", state.Pass: "tell.passes",
	state.PayFrom: "tell.pays-riots",
}

// plan returns what a move is about to build.
func plan(m *state.Move) domain.Say {
	switch m.Verb {
	case state.Road:
		return domain.S("plan.road")
	case state.Settle:
		return domain.S("plan.settlement")
	case state.City:
		return domain.S("plan.city", "town", table.TownSay(int(m.At)+table.Origin, ".of"))
	}
	return m.Card.Word()
}

// count collects what brings or takes victory points.
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
		cause(1, domain.S("plan.city", "town", table.TownSay(int(op.Column), ".of")))
	case state.OpBuild, state.OpOpen:
		cause(int(op.Card.Row().Points.Victory), op.Card.Word())
	case state.OpRaze:
		cause(-int(op.Card.Row().Points.Victory), op.Card.Word())
	case state.OpToken:
		cause(1, tokenSay(op.Token))
		for seat := range domain.Seat(2) {
			if seat != op.Seat {
				t.left[seat] = append(t.left[seat], op.Token)
			}
		}
	}
}

func tokenSay(token state.Token) domain.Say {
	return domain.S([...]string{"cause.hero", "cause.trade"}[token])
}

func causeSay(what domain.Say, n int) domain.Say {
	points := "+" + strconv.Itoa(n)
	if n < 0 {
		points = "−" + strconv.Itoa(-n)
	}
	return domain.S("cause", "what", what, "points", points)
}
