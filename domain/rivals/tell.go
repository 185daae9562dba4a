package rivals

import (
	"slices"
	"strings"

	"posthorn/domain"
)

// Tell is an event in sentences: what was done, and what everybody gained and lost by it.
func (showRoom) Tell(e *domain.Event) []domain.Say {
	switch body := e.Body.(type) {
	case *Dealt:
		if e.Anew {
			return []domain.Say{domain.S("tell.reshuffled")}
		}
		return []domain.Say{domain.S("tell.dealt", "word", "option.play."+body.Play.String())}
	case *Played:
		t := &teller{}
		t.lead(e, body)
		for _, op := range body.Ops {
			if op.Code == opHidden {
				t.hidden(e, op)
				continue
			}
			t.count(op)
			t.tell(op)
		}
		t.flush()
		for _, part := range e.Secrets {
			if h, ok := part.Body.(*Hidden); ok && h.Told {
				t.notes(h.Ops)
			}
		}
		return t.list
	}
	return nil
}

// teller gathers sentences; gains and payments that follow each other become one.
type teller struct {
	list       []domain.Say
	gain, lost [2]Goods
	drawn      [2][decksN]int
	causes     [2][]domain.Say // of victory points gained or lost
	counted    [2]int          // and how many
}

func (t *teller) say(key string, pairs ...any) {
	t.flush()
	t.list = append(t.list, domain.S(key, pairs...))
}

func (t *teller) flush() {
	for seat := range domain.Seat(2) {
		if t.lost[seat].total() > 0 {
			t.list = append(t.list, domain.S("tell.pays", "seat", seat, "goods", goodsSay(t.lost[seat])))
		}
		if t.gain[seat].total() > 0 {
			t.list = append(t.list, domain.S("tell.gains", "seat", seat, "goods", goodsSay(t.gain[seat])))
		}
		for k, n := range t.drawn[seat] {
			if n > 0 {
				t.list = append(t.list, domain.S("tell.draws", "seat", seat, "n", n, "stack", k+1))
			}
		}
	}
	t.gain, t.lost, t.drawn = [2]Goods{}, [2]Goods{}, [2][decksN]int{}
}

// goodsSay lists amounts of resources.
func goodsSay(g Goods) (list []domain.Say) {
	for res, n := range g {
		if n > 0 {
			list = append(list, domain.S("goods."+Res(res).String(), "n", int(n)))
		}
	}
	return list
}

// told are the outcomes that are a sentence, "tell.KEY", with what it names.
var told = [opCodes]struct{ key, names string }{
	opDice: {"dice", "seat die face"}, opUse: {"plays", "seat card"}, opBuild: {"builds", "seat card where"}, opOpen: {"builds", "seat card where"},
	opCache: {"cache", "seat at"}, opRoad: {"road", "seat"}, opSettle: {"settlement", "seat town"}, opCity: {"city", "seat town"},
	opLand: {"land", "seat terrain number at"}, opSwapReg: {"swap-regions", "seat place place2"}, opSwapCrd: {"swap-cards", "seat site site2"},
	opFetch: {"fetch", "seat card"}, opSeeDeck: {"looks", "seat stack"}, opSeeHand: {"looks-hand", "seat other"}, opDrawEvt: {"event", "card text"},
	opEventN: {"events-shuffled", ""}, opLose: {"brigands", "seat n"}, opWant: {"wants", "seat resource"}, opLaid: {"laid", "seat stack"},
	opWard: {"ward", "seat card"}, opShowLand: {"show-land", "terrain number"}, opTurn: {"turn", "seat n"},
	opUnder: {"under", "seat card stack"}, opTake: {"took-card", "seat card"}, opSteal: {"stole", "seat card"}, // in secret parts alone
}

// named is what an outcome names: the argument of a sentence and its value.
var named = map[string]struct {
	arg string
	get func(*Op) any
}{
	"seat": {"seat", func(o *Op) any { return o.Seat }}, "other": {"other", func(o *Op) any { return other(o.Seat) }},
	"card": {"card", func(o *Op) any { return o.Card.word() }}, "text": {"text", func(o *Op) any { return o.Card.text() }},
	"n": {"n", func(o *Op) any { return int(o.N) }}, "die": {"die", func(o *Op) any { return int(o.N) }},
	"face":  {"face_word", func(o *Op) any { return "face." + o.Face.String() }},
	"where": {"where", func(o *Op) any { return siteSay(o.Site) }}, "site": {"a", func(o *Op) any { return siteSay(o.Site) }},
	"site2": {"b", func(o *Op) any { return siteSay(o.Site2) }}, "at": {"at", func(o *Op) any { return o.Place.Name() }},
	"place": {"a", func(o *Op) any { return o.Place.Name() }}, "place2": {"b", func(o *Op) any { return o.Place2.Name() }},
	"town": {"at", func(o *Op) any { return int(o.Column) - origin }}, "stack": {"stack", func(o *Op) any { return int(o.Stack) + 1 }},
	"terrain":  {"terrain_word", func(o *Op) any { return "terrain." + o.Land.terrain().Terrain() }},
	"number":   {"number", func(o *Op) any { return int(o.Land.number()) }},
	"resource": {"resource", func(o *Op) any { return domain.S("goods."+o.Res.String(), "n", int(o.N)) }},
}

// sentence says an outcome that is one.
func (t *teller) sentence(op *Op) {
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

func (t *teller) tell(op Op) {
	seat := op.Seat
	switch op.Code {
	case opGain:
		t.gain[seat][op.Res] += uint8(op.N)
	case opPay:
		t.lost[seat][op.Res] += uint8(op.N)
	case opDraw:
		t.drawn[seat][op.Stack]++
	case opRaze:
		key := "tell.razed-under"
		switch op.To {
		case toDiscard:
			key = "tell.razed"
		case toOpen:
			key = "tell.razed-open"
		}
		t.say(key, "seat", seat, "card", op.Card.word(), "stack", int(op.To))
	case opRoll:
		t.say([...]string{"tell.guard-failed", "tell.guard-held"}[op.M&1], "seat", seat, "die", int(op.N))
	case opTook:
		if op.Stack == otherHand {
			t.say("tell.steals", "seat", seat, "other", other(seat))
		} else {
			t.say("tell.took", "seat", seat, "stack", int(op.Stack)+1)
		}
	case opToken:
		t.token(seat, op)
	case opScore:
		t.score(seat, op)
	case opOver:
		if seat == domain.Nobody {
			t.say("tell.draw")
		} else {
			t.say("tell.over", "seat", seat)
		}
	case opUnder, opTake, opSteal: // told from their secret part
	default:
		t.sentence(&op)
	}
}

func siteSay(at Site) domain.Say {
	return domain.S([...]string{"place.above", "place.below"}[at.side()], "at", at.town()-origin)
}

// hidden tells what only its audience may read of what happened.
func (t *teller) hidden(e *domain.Event, at Op) {
	h, ok := e.Secrets[at.N].Body.(*Hidden)
	if !ok {
		return
	}
	for _, op := range h.Ops {
		if op.Code == opUnder || op.Code == opTake || op.Code == opSteal {
			t.sentence(&op)
		}
	}
}

// notes tells what an event lets its audience see.
func (t *teller) notes(ops []Op) {
	var lists [3][]domain.Say
	for _, op := range ops {
		if i := slices.Index([]opCode{opSaw, opDrew, opGone}, op.Code); i >= 0 {
			lists[i] = append(lists[i], op.Card.word())
		}
	}
	for i, list := range lists {
		if len(list) > 0 {
			t.say([...]string{"tell.saw", "tell.drew", "tell.gone"}[i], "cards", list)
		}
	}
}
