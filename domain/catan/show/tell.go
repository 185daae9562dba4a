package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Tell says an event in sentences. Secret parts that were redacted are passed over.
func (Room) Tell(e *domain.Event) []domain.Say {
	switch b := e.Body.(type) {
	case *state.SetUp:
		return []domain.Say{domain.S("tell.set-up", "who", b.First)}
	case *state.Dealt:
		return []domain.Say{domain.S("tell.dealt")}
	case *state.Played:
		t := teller{p: b, by: int8(e.Seat), secrets: e.Secrets}
		t.all()
		return t.list
	}
	return nil
}

type teller struct {
	p       *state.Played
	by      int8
	secrets []domain.Secret
	list    []domain.Say
}

func (t *teller) say(key string, pairs ...any) {
	t.list = append(t.list, domain.S(key, append([]any{"who", domain.Seat(t.by)}, pairs...)...))
}

func (t *teller) colour(c int8) any {
	if t.p.Two {
		return table.ColourSay(c, 2)
	}
	return domain.Seat(c)
}

func (t *teller) all() {
	t.move()
	t.ended()
	t.tokens()
	t.awards()
	if t.p.Phase == state.PhaseOver {
		t.over()
	}
}

func (t *teller) over() {
	if t.p.Won[1] == 0 {
		t.list = append(t.list, domain.S("tell.standstill"))
	} else {
		t.list = append(t.list, domain.S("tell.won", "who", domain.Seat(t.p.Won[0]), "n", int(t.p.Won[1])))
	}
	for c, n := range t.p.Shown {
		if n > 0 {
			t.list = append(t.list, domain.S("tell.shown", "who", domain.Seat(c), "n", int(n)))
		}
	}
}

func (t *teller) move() {
	p := t.p
	switch p.Did {
	case state.KindFound:
		t.say("tell.found", "at", int(p.Pieces[0].At), "path", int(p.Pieces[1].At))
		t.gains()
	case state.KindRoll:
		t.roll()
	case state.KindRoad:
		t.say("tell.road", "path", int(p.Pieces[0].At))
	case state.KindSettle:
		t.say("tell.settle", "at", int(p.Pieces[0].At))
	case state.KindCity:
		t.say("tell.city", "at", int(p.Pieces[0].At))
	case state.KindBuy:
		t.say("tell.buy")
		t.unseen()
	case state.KindKnight:
		t.say("tell.knight")
		t.robber()
	case state.KindRob:
		t.robber()
	case state.KindRoads:
		t.freeRoads()
	case state.KindPlenty:
		t.say("tell.plenty", "cards", table.HandSay(p.Hands[t.by]))
	case state.KindMonopoly:
		t.monopoly()
	case state.KindDiscard:
		t.say("tell.discard", "cards", table.HandSay(p.Hands[t.by].Times(-1)))
	case state.KindBank:
		gave, got := sides(p.Hands[t.by])
		t.say("tell.bank", "gave", table.HandSay(gave), "got", table.HandSay(got))
	case state.KindGive:
		t.say("tell.give", "cards", table.HandSay(p.Hands[p.Partner]), "whom", domain.Seat(p.Partner))
	case state.KindNeutral:
		t.neutral()
	case state.KindEnd:
		t.end()
	default:
		t.trade()
	}
}

// ended says whose offers ended by something else than a trade, their maker or the turn.
func (t *teller) ended() {
	p := t.p
	if p.Partner != state.None || p.Next != state.None || p.Won[1] != 0 || p.Did == state.KindWithdraw {
		return
	}
	for _, seat := range p.Closed.List() {
		t.list = append(t.list, domain.S("tell.offer-ends", "who", seat))
	}
}

func (t *teller) roll() {
	p := t.p
	for _, d := range p.Again {
		t.say("tell.again", "a", int(d[0]), "b", int(d[1]), "total", int(d[0]+d[1]))
	}
	t.say("tell.roll", "a", int(p.Dice[0]), "b", int(p.Dice[1]), "total", int(p.Dice[0]+p.Dice[1]))
	if p.Dice[0]+p.Dice[1] == 7 {
		for c, n := range p.Owes {
			if n > 0 {
				t.list = append(t.list, domain.S("tell.owes", "who", domain.Seat(c), "n", int(n)))
			}
		}
		t.say("tell.seven")
		return
	}
	t.gains()
	for r := range table.Kinds {
		if p.Short>>r&1 != 0 {
			t.list = append(t.list, domain.S("tell.short", "resource_word", "resource."+table.ResourceWords[r]))
		}
	}
}

func (t *teller) gains() {
	any := false
	for c, h := range t.p.Hands {
		if h != (table.Hand{}) {
			any = true
			t.list = append(t.list, domain.S("tell.gain", "who", domain.Seat(c), "cards", table.HandSay(h)))
		}
	}
	if !any && t.p.Did == state.KindRoll {
		t.list = append(t.list, domain.S("tell.no-gain"))
	}
}

func (t *teller) robber() {
	p := t.p
	t.say("tell.robber", "hex", int(p.Robber))
	if p.From != state.None {
		t.say("tell.steal", "whom", domain.Seat(p.From), "n", int(p.Taken))
		t.unseen()
	}
}

// unseen tells the secret parts that came along to those who may read them.
func (t *teller) unseen() {
	for _, part := range t.secrets {
		u, ok := part.Body.(*state.Unseen)
		switch {
		case !ok:
		case u.Card > 0:
			t.say("tell.card", "card_word", "card."+table.Card(u.Card-1).String())
		case u.Took != (table.Hand{}):
			t.list = append(t.list, domain.S("tell.took", "cards", table.HandSay(u.Took)))
		}
	}
}

func (t *teller) freeRoads() {
	p := t.p
	if p.Pieces[1].Sort == state.NoPiece {
		t.say("tell.one-free-road", "path", int(p.Pieces[0].At))
		return
	}
	t.say("tell.free-roads", "path", int(p.Pieces[0].At), "second", int(p.Pieces[1].At))
}

func (t *teller) monopoly() {
	p := t.p
	mine := p.Hands[t.by]
	t.say("tell.monopoly", "resource_word", "resource."+p.Named.String())
	for c, h := range p.Hands {
		if int8(c) != t.by && h != (table.Hand{}) {
			t.list = append(t.list, domain.S("tell.gave-up", "who", domain.Seat(c), "cards", table.HandSay(h.Times(-1))))
		}
	}
	if mine == (table.Hand{}) {
		t.list = append(t.list, domain.S("tell.no-monopoly"))
	}
}

func (t *teller) neutral() {
	for _, x := range t.p.Pieces {
		key := "tell.neutral-road"
		switch x.Sort {
		case state.NoPiece:
			continue
		case state.SettlementPiece:
			key = "tell.neutral-settle"
		}
		t.say(key, "letter", table.NeutralLetters[(x.Colour-2)&1], "at", int(x.At))
	}
}

func (t *teller) end() {
	t.say("tell.end")
	if t.p.Next != state.None {
		t.list = append(t.list, domain.S("tell.next", "who", domain.Seat(t.p.Next)))
	}
}

// trade tells offers and answers, and the token actions of Catan for two.
func (t *teller) trade() {
	p := t.p
	switch {
	case p.Partner != state.None:
		gave, got := sides(p.Hands[t.by])
		t.say("tell.trade", "whom", domain.Seat(p.Partner), "gave", table.HandSay(gave), "got", table.HandSay(got))
	case p.Opened != nil:
		t.offered()
	case p.Did == state.KindAccept:
		t.say("tell.would")
	case p.Did == state.KindDecline:
		t.say("tell.decline")
	case p.Did == state.KindWithdraw:
		t.say("tell.withdraw")
	case p.Did == state.KindTokenTrade:
		t.say("tell.force")
		t.say("tell.steal", "whom", domain.Seat(p.From), "n", int(p.Taken))
		t.unseen()
	case p.Did == state.KindTokenDesert:
		t.say("tell.desert")
	case p.Did == state.KindRefill:
		t.say("tell.refill")
	}
}

func (t *teller) offered() {
	o := t.p.Opened
	key := "tell.offer"
	switch {
	case t.p.Did == state.KindCounter:
		key = "tell.counter"
	case o.Ask:
		key = "tell.offer-ask"
	}
	t.say(key, "give", table.HandSay(o.Give), "want", table.HandSay(o.Want), "to", seatsSay(o.To))
}

func (t *teller) tokens() {
	for c, n := range t.p.Tokens {
		switch {
		case n > 0:
			t.list = append(t.list, domain.S("tell.tokens-gained", "who", domain.Seat(c), "n", int(n)))
		case n < 0:
			t.list = append(t.list, domain.S("tell.tokens-paid", "who", domain.Seat(c), "n", int(-n)))
		}
	}
}

// awards says who holds a special card now. A knight moves the army, anything else the road.
func (t *teller) awards() {
	p := t.p
	if p.Cards == nil {
		return
	}
	army := p.Did == state.KindKnight || p.Did == state.KindRefill
	holder, held, aside := p.Cards[0], "tell.longest", "tell.longest-aside"
	if army {
		holder, held, aside = p.Cards[1], "tell.army", "tell.army-aside"
	}
	switch {
	case holder == state.NoColour:
		t.list = append(t.list, domain.S(aside))
	case army:
		t.list = append(t.list, domain.S(held, "who", t.colour(holder)))
	default:
		t.list = append(t.list, domain.S(held, "who", t.colour(holder), "n", int(p.Lengths[holder])))
	}
}

// sides splits what changed hands into what was given and what was got.
func sides(h table.Hand) (gave, got table.Hand) {
	for r, n := range h {
		if n < 0 {
			gave[r] = -n
		} else {
			got[r] = n
		}
	}
	return gave, got
}

// TellOrder says a canonical order in sentences.
func (Room) TellOrder(order string) []domain.Say {
	o, err := notation.ParseOrder(order, nil)
	if err != nil {
		return nil
	}
	return Say(o)
}
