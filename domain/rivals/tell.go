package rivals

import "posthorn/domain"

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

func (t *teller) tell(op Op) {
	seat := op.Seat
	switch op.Code {
	case opGain:
		t.gain[seat][op.Res] += uint8(op.N)
	case opPay:
		t.lost[seat][op.Res] += uint8(op.N)
	case opDraw:
		t.drawn[seat][op.Stack]++
	case opDice:
		t.say("tell.dice", "seat", seat, "die", int(op.N), "face_word", "face."+faceNames[op.Face])
	case opUse:
		t.say("tell.plays", "seat", seat, "card", op.Card.word())
	case opBuild, opOpen:
		t.say("tell.builds", "seat", seat, "card", op.Card.word(), "where", siteSay(op.Site))
	case opCache:
		t.say("tell.cache", "seat", seat, "at", op.Place.Name())
	case opRaze:
		key := "tell.razed-under"
		switch op.To {
		case toDiscard:
			key = "tell.razed"
		case toOpen:
			key = "tell.razed-open"
		}
		t.say(key, "seat", seat, "card", op.Card.word(), "stack", int(op.To))
	case opRoad:
		t.say("tell.road", "seat", seat)
	case opSettle:
		t.say("tell.settlement", "seat", seat, "at", int(op.Column)-origin)
	case opCity:
		t.say("tell.city", "seat", seat, "at", int(op.Column)-origin)
	case opLand:
		t.say("tell.land", "seat", seat, "terrain_word", "terrain."+op.Land.terrain().Terrain(), "number", int(op.Land.number()), "at", op.Place.Name())
	default:
		t.more(seat, op)
	}
}

func siteSay(at Site) domain.Say {
	return domain.S("place."+[...]string{"above", "below"}[at.side()], "at", at.town()-origin)
}

func (t *teller) more(seat domain.Seat, op Op) {
	switch op.Code {
	case opSwapReg:
		t.say("tell.swap-regions", "seat", seat, "a", op.Place.Name(), "b", op.Place2.Name())
	case opSwapCrd:
		t.say("tell.swap-cards", "seat", seat, "a", siteSay(op.Site), "b", siteSay(op.Site2))
	case opFetch:
		t.say("tell.fetch", "seat", seat, "card", op.Card.word())
	case opSeeDeck:
		t.say("tell.looks", "seat", seat, "stack", int(op.Stack)+1)
	case opSeeHand:
		t.say("tell.looks-hand", "seat", seat, "other", other(seat))
	case opDrawEvt:
		t.say("tell.event", "card", op.Card.word(), "text", op.Card.text())
	case opEventN:
		t.say("tell.events-shuffled")
	case opRoll:
		key := "tell.guard-failed"
		if op.M == 1 {
			key = "tell.guard-held"
		}
		t.say(key, "seat", seat, "die", int(op.N))
	case opLose:
		t.say("tell.brigands", "seat", seat, "n", int(op.N))
	case opWant:
		t.say("tell.wants", "seat", seat, "resource", domain.S("goods."+op.Res.String(), "n", int(op.N)))
	case opLaid:
		t.say("tell.laid", "seat", seat, "stack", int(op.Stack)+1)
	case opTook:
		if op.Stack == otherHand {
			t.say("tell.steals", "seat", seat, "other", other(seat))
		} else {
			t.say("tell.took", "seat", seat, "stack", int(op.Stack)+1)
		}
	case opWard:
		t.say("tell.ward", "seat", seat, "card", op.Card.word())
	case opShowLand:
		t.say("tell.show-land", "terrain_word", "terrain."+op.Land.terrain().Terrain(), "number", int(op.Land.number()))
	case opToken:
		t.token(seat, op)
	case opScore:
		t.score(seat, op)
	case opTurn:
		t.say("tell.turn", "seat", seat, "n", int(op.N))
	case opOver:
		if seat == domain.Nobody {
			t.say("tell.draw")
		} else {
			t.say("tell.over", "seat", seat)
		}
	}
}

// hidden tells what only its audience may read of what happened.
func (t *teller) hidden(e *domain.Event, at Op) {
	h, ok := e.Secrets[at.N].Body.(*Hidden)
	if !ok {
		return
	}
	for _, op := range h.Ops {
		seat := op.Seat
		switch op.Code {
		case opUnder:
			t.say("tell.under", "seat", seat, "card", op.Card.word(), "stack", int(op.Stack)+1)
		case opTake:
			t.say("tell.took-card", "seat", seat, "card", op.Card.word())
		case opSteal:
			t.say("tell.stole", "seat", seat, "card", op.Card.word())
		}
	}
}

// notes tells what an event lets its audience see.
func (t *teller) notes(ops []Op) {
	var saw, drew, gone []domain.Say
	for _, op := range ops {
		switch op.Code {
		case opSaw:
			saw = append(saw, op.Card.word())
		case opDrew:
			drew = append(drew, op.Card.word())
		case opGone:
			gone = append(gone, op.Card.word())
		}
	}
	for i, list := range [3][]domain.Say{saw, drew, gone} {
		if len(list) > 0 {
			t.say([3]string{"tell.saw", "tell.drew", "tell.gone"}[i], "cards", list)
		}
	}
}
