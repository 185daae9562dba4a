package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Tell tells an event in sentences. It skips redacted secret parts.
func (Room) Tell(e *domain.Event, v *state.View) []domain.Say {
	switch b := e.Body.(type) {
	case *state.SetUp:
		return []domain.Say{domain.S("tell.set-up", "who", b.First)}
	case *state.Dealt:
		return []domain.Say{domain.S("tell.dealt")}
	case *state.Played:
		t := teller{Played: b, board: &v.Board, by: int8(e.Seat), secrets: e.Secrets}
		t.move()
		t.ended()
		for c, n := range b.Tokens {
			if n > 0 {
				t.of(c, "tell.tokens-gained", "n", int(n))
			} else if n < 0 {
				t.of(c, "tell.tokens-paid", "n", int(-n))
			}
		}
		t.awards()
		if b.Phase == state.PhaseOver {
			t.over()
		}
		return t.list
	}
	return nil
}

type teller struct {
	*state.Played
	board   *table.Board
	by      int8
	secrets []domain.Secret
	list    []domain.Say
}

// also adds a sentence.
func (t *teller) also(key string, pairs ...any) { t.list = append(t.list, domain.S(key, pairs...)) }

// of adds a sentence about a seat.
func (t *teller) of(c int, key string, pairs ...any) {
	t.also(key, append([]any{"who", domain.Seat(c)}, pairs...)...)
}

// say adds a sentence about the mover.
func (t *teller) say(key string, pairs ...any) { t.of(int(t.by), key, pairs...) }

func (t *teller) over() {
	if t.Won[1] == 0 {
		t.also("tell.standstill")
	} else {
		t.of(int(t.Won[0]), "tell.won", "n", int(t.Won[1]))
	}
	for c, n := range t.Shown {
		if n > 0 {
			t.of(c, "tell.shown", "n", int(n))
		}
	}
}

func (t *teller) move() {
	first, second := t.Pieces[0], t.Pieces[1]
	switch t.Did {
	case state.KindFound:
		t.say("tell.found", "where", pieceSay(t.board, first), "road", pieceSay(t.board, second))
		t.gains()
	case state.KindRoll:
		t.roll()
	case state.KindRoad:
		t.say("tell.road", "where", pieceSay(t.board, first))
	case state.KindSettle, state.KindCity:
		t.say("tell."+t.Did.String(), "where", pieceSay(t.board, first))
	case state.KindBuy:
		t.say("tell.buy")
		t.unseen()
	case state.KindKnight:
		t.say("tell.knight")
		t.robber()
	case state.KindRob:
		t.robber()
	case state.KindRoads:
		if second.Sort == state.NoPiece {
			t.say("tell.one-free-road", "where", pieceSay(t.board, first))
		} else {
			t.say("tell.free-roads", "where", pieceSay(t.board, first), "second", pieceSay(t.board, second))
		}
	case state.KindPlenty:
		t.say("tell.plenty", "cards", table.HandSay(t.Hands[t.by]))
	case state.KindMonopoly:
		t.monopoly()
	case state.KindDiscard:
		t.say("tell.discard", "cards", table.HandSay(t.Hands[t.by].Times(-1)))
	case state.KindBank:
		gave, got := sides(t.Hands[t.by])
		t.say("tell.bank", "gave", gave, "got", got)
	case state.KindGive:
		t.say("tell.give", "cards", table.HandSay(t.Hands[t.Partner]), "whom", domain.Seat(t.Partner))
	case state.KindNeutral:
		for _, x := range t.Pieces {
			letter := table.NeutralLetters[(x.Colour-2)&1]
			switch x.Sort {
			case state.RoadPiece:
				t.say("tell.neutral-road", "letter", letter, "where", pieceSay(t.board, x))
			case state.SettlementPiece:
				t.say("tell.neutral-settle", "letter", letter, "where", pieceSay(t.board, x))
			}
		}
	case state.KindEnd:
		t.say("tell.end")
		if t.Next != state.None {
			t.of(int(t.Next), "tell.next")
		}
	case state.KindTokenTrade:
		t.say("tell.force")
		t.steal()
	case state.KindTokenDesert:
		t.say("tell.desert")
	case state.KindWithdraw, state.KindRefill:
		t.say("tell." + t.Did.String())
	default:
		t.trade()
	}
}

// ended tells whose offers ended for another reason than a trade, their maker or the end of the turn.
func (t *teller) ended() {
	if t.Partner != state.None || t.Next != state.None || t.Won[1] != 0 || t.Did == state.KindWithdraw {
		return
	}
	for _, seat := range t.Closed.List() {
		t.of(int(seat), "tell.offer-ends")
	}
}

func (t *teller) roll() {
	for _, d := range t.Again {
		t.say("tell.again", "a", int(d[0]), "b", int(d[1]), "total", int(d[0]+d[1]))
	}
	total := int(t.Dice[0] + t.Dice[1])
	t.say("tell.roll", "a", int(t.Dice[0]), "b", int(t.Dice[1]), "total", total)
	if total == 7 {
		for c, n := range t.Owes {
			if n > 0 {
				t.of(c, "tell.owes", "n", int(n))
			}
		}
		t.say("tell.seven")
		return
	}
	if !t.gains() {
		t.also("tell.no-gain")
	}
	for r, word := range table.ResourceWords {
		if t.Short>>r&1 != 0 {
			t.also("tell.short", "resource_word", "resource."+word)
		}
	}
}

// gains tells who got what, and whether anybody did.
func (t *teller) gains() (some bool) {
	for c, h := range t.Hands {
		if h != (table.Hand{}) {
			t.of(c, "tell.gain", "cards", table.HandSay(h))
			some = true
		}
	}
	return some
}

func (t *teller) robber() {
	if t.Robber != state.None {
		t.say("tell.robber", "what", t.board.HexSay(int8(t.Robber), table.To))
	}
	if t.From != state.None {
		t.steal()
	}
}

func (t *teller) steal() {
	t.say("tell.steal", "whom", domain.Seat(t.From), "n", int(t.Taken))
	t.unseen()
}

// unseen tells the secret parts of the event to viewers who may read them.
func (t *teller) unseen() {
	for _, part := range t.secrets {
		u, ok := part.Body.(*state.Unseen)
		switch {
		case !ok:
		case u.Card > 0:
			t.say("tell.card", "card_word", "card."+table.Card(u.Card-1).String())
		case u.Took != (table.Hand{}):
			t.also("tell.took", "cards", table.HandSay(u.Took))
		}
	}
}

func (t *teller) monopoly() {
	t.say("tell.monopoly", "resource_word", "resource."+t.Named.String())
	for c, h := range t.Hands {
		if int8(c) != t.by && h != (table.Hand{}) {
			t.of(c, "tell.gave-up", "cards", table.HandSay(h.Times(-1)))
		}
	}
	if t.Hands[t.by] == (table.Hand{}) {
		t.also("tell.no-monopoly")
	}
}

// trade tells offers and answers.
func (t *teller) trade() {
	o := t.Opened
	switch {
	case t.Partner != state.None:
		gave, got := sides(t.Hands[t.by])
		t.say("tell.trade", "whom", domain.Seat(t.Partner), "gave", gave, "got", got)
	case o != nil:
		key := "tell." + t.Did.String()
		if t.Did == state.KindOffer && o.Ask {
			key = "tell.offer-ask"
		}
		t.say(key, "give", table.HandSay(o.Give), "want", table.HandSay(o.Want), "to", o.To.List())
	case t.Did == state.KindAccept:
		t.say("tell.would")
	case t.Did == state.KindDecline:
		t.say("tell.decline")
	}
}

// awards tells who holds a special card now. A knight moves the army, anything else the road.
func (t *teller) awards() {
	if t.Cards == nil {
		return
	}
	card, holder, seats := "tell.longest", t.Cards[0], int8(state.MaxColours)
	if t.Did == state.KindKnight || t.Did == state.KindRefill {
		card, holder = "tell.army", t.Cards[1]
	}
	if holder == state.NoColour {
		t.also(card + "-aside")
		return
	}
	if t.Two {
		seats = 2
	}
	pairs := []any{"who", table.ColourSay(holder, seats)}
	if card == "tell.longest" {
		pairs = append(pairs, "n", int(t.Lengths[holder]))
	}
	t.also(card, pairs...)
}

// sides splits what changed hands into what a seat gave and what it got.
func sides(h table.Hand) (gave, got []domain.Say) {
	var out, in table.Hand
	for r, n := range h {
		out[r], in[r] = max(0, -n), max(0, n)
	}
	return table.HandSay(out), table.HandSay(in)
}

// TellOrder tells a canonical order in sentences.
func (Room) TellOrder(order string, v *state.View) []domain.Say {
	o, err := notation.ParseOrder(order, nil)
	if err != nil {
		return nil
	}
	return say(o, &v.Board)
}

// say returns the order in words.
func say(o notation.Order, b *table.Board) []domain.Say {
	with, key := o.Seats.List(), "order."+notation.OrderWords[o.Kind]
	switch o.Kind {
	case notation.OrderRoll:
		return []domain.Say{domain.S("order.roll")}
	case notation.OrderDiscard:
		var list []domain.Say
		for _, k := range o.Kinds {
			list = append(list, domain.S("resource."+k.String()))
		}
		return []domain.Say{domain.S("order.discard", "list", list)}
	case notation.OrderDecline:
		if len(with) > 0 {
			return []domain.Say{domain.S("order.decline-of", "to", with)}
		}
		return []domain.Say{domain.S("order.decline")}
	case notation.OrderRob, notation.OrderKnight:
		what := b.HexSay(o.Hex, table.To)
		if o.Seat != domain.Nobody {
			return []domain.Say{domain.S(key+"-of", "what", what, "hex", int(o.Hex), "who", o.Seat)}
		}
		return []domain.Say{domain.S(key, "what", what, "hex", int(o.Hex))}
	}
	give, want := table.HandSay(o.Give), table.HandSay(o.Want)
	list := []domain.Say{domain.S("order.give", "give", give, "want", want)}
	if o.Counter {
		list = append(list, domain.S("order.counter", "give", give, "want", want))
	}
	if o.Times > 0 {
		list = append(list, domain.S("order.times", "n", o.Times))
	}
	switch {
	case o.Except:
		list = append(list, domain.S("order.not", "to", with))
	case len(with) > 0:
		list = append(list, domain.S("order.to", "to", with))
	}
	return list
}
