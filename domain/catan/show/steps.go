package show

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Spots of the drawing: an intersection is c13, a path p22, a hex h9.
func cornerSpot(c int8) string { return "c" + strconv.Itoa(int(c)) }
func pathSpot(p int8) string   { return "p" + strconv.Itoa(int(p)) }

func cornerStep(s *state.State, c int8) domain.Step {
	return placeStep(cornerSpot(c), domain.S("step.corner", "at", int(c)), cornerSay(&s.Board, c))
}

func pathStep(s *state.State, p int8) domain.Step {
	return placeStep(pathSpot(p), domain.S("step.path", "at", int(p)), pathSay(&s.Board, p))
}

func hexStep(s *state.State, h int8) domain.Step {
	return placeStep("h"+strconv.Itoa(int(h)),
		domain.S("step.hex", "at", int(h), "what", s.Board.HexSay(h, table.Plain)), domain.Say{})
}

// placeStep returns the choice of a place; its number follows the letter of its spot.
func placeStep(spot string, label, where domain.Say) domain.Step {
	return domain.Step{Key: spot, Place: spot[1:], Label: label, Where: where, Spot: spot}
}

func resourceStep(key string, r int8) domain.Step {
	return domain.Step{Key: table.Resource(r).String(),
		Label: domain.S(key, "resource_word", "resource."+table.Resource(r).String())}
}

// cardsSay counts cards of a resource.
func cardsSay(r int8, n int) domain.Say {
	return domain.S("cards."+table.Resource(r).String(), "n", n)
}

// Steps splits a move into choices, each with its question.
func (Room) Steps(s *state.State, mv state.Move) []domain.Step {
	m := &mv
	list := choices(s, m)
	if n := len(list); n > 0 {
		if !strings.HasPrefix(list[0].Label.Key, "step."+m.Kind.String()) {
			list[0].Whole = domain.S("step." + m.Kind.String())
		}
		list[n-1].Press, list[n-1].Ahead = pressOf(m.Kind), placeAhead(s, m.Kind)
	}
	for i := range list {
		if word := ask(s, m, i); word != "" {
			if word == "roll" && again(s) {
				word = "roll-again"
			}
			list[i].Ask = domain.S("ask." + word)
		}
		if s.Phase == state.PhaseDiscard || s.Phase == state.PhaseGive {
			list[i].Ask = domain.S("ask."+askFirst[s.Phase], "n", m.Give.Len()) // the whole is asked at each kind
		}
	}
	if o := &s.Offers[s.Active]; o.Open && m.Seat < 0 && (m.Kind == state.KindAccept || m.Kind == state.KindDecline) {
		list[0].Ask = domain.S("ask.answer", "who", domain.Seat(s.Active), "give", table.HandSay(o.Give), "want",
			table.HandSay(o.Want))
	}
	return list
}

// ask returns the question that the i-th choice on the way to a move answers: the same for all choices there, or "" if
// the sentence about the turn already asks it.
func ask(s *state.State, m *state.Move, i int) string {
	if first := askFirst[s.Phase]; i == 0 {
		return first
	}
	asks := askNext[m.Kind]
	if m.Kind == state.KindRob {
		i++ // the robber's hex is chosen first, a knight's after the knight
	}
	if i > len(asks) {
		return ""
	}
	return asks[i-1]
}

// The first question in a phase, and the question after the first choice of a kind of move.
var (
	askFirst = map[state.Phase]string{state.PhaseFound: "found", state.PhaseDiscard: "discard",
		state.PhaseRobber: "robber", state.PhaseNeutral: "neutral", state.PhaseGive: "give",
		state.PhaseRoll: "roll", state.PhaseMain: "main"}
	askNext = map[state.Kind][]string{
		state.KindFound: {"road"}, state.KindRoad: {"road"}, state.KindSettle: {"settle"}, state.KindCity: {"city"},
		state.KindRoads: {"road", "road"},
		state.KindRob:   {"robber", "victim"}, state.KindKnight: {"robber", "victim"},
		state.KindBank:   {"bank-give", "bank-get"},
		state.KindPlenty: {"take", "take"}, state.KindMonopoly: {"monopoly"},
	}
)

// placeAhead reports whether the board shows the places of a build before people say what to build. If a settlement or
// city can be built, roads are left out: their places lie too close to those for a finger.
func placeAhead(s *state.State, k state.Kind) bool {
	hand := &s.Hand[s.Active]
	switch k {
	case state.KindSettle, state.KindCity:
		return true
	case state.KindRoad:
		return !(hand.Covers(table.SettlementCost) && s.SettlementsLeft(s.Active) > 0 && s.OpenHomes(s.Active) != 0) &&
			!(hand.Covers(table.CityCost) && s.CitiesLeft(s.Active) > 0 && s.Settlements[s.Active] != 0)
	}
	return false
}

// pressOf returns how a page asks for a kind of move, at its last step.
func pressOf(k state.Kind) domain.Press {
	switch k {
	case state.KindRoll, state.KindAccept, state.KindDecline:
		return domain.PressOnce
	case state.KindEnd:
		return domain.PressOut
	}
	return domain.PressChosen
}

// choices returns what to do, then where or with what.
func choices(s *state.State, m *state.Move) []domain.Step {
	list := []domain.Step{{Key: m.Kind.String(), Label: domain.S("step." + m.Kind.String())}}
	switch m.Kind {
	case state.KindFound, state.KindRob:
		list = nil // there is no choice of what to do
	case state.KindDiscard, state.KindGive:
		return handSteps(s, m)
	case state.KindAccept, state.KindDecline, state.KindConfirm:
		if m.Seat >= 0 {
			list[0] = domain.Step{Key: list[0].Key + "-" + m.Seat.Letter(),
				Label: domain.S(list[0].Label.Key+"-from", "who", m.Seat)}
		}
		return list
	case state.KindOffer, state.KindCounter:
		list[0].Label = tradeSay(s, m)
		return list
	case state.KindBank:
		give := domain.Step{Key: table.Resource(m.A).String(),
			Label: domain.S("step.bank-give", "cards", cardsSay(m.A, int(s.Rate(s.Active, table.Resource(m.A)))))}
		return append(list, give, resourceStep("step.bank-get", m.B))
	case state.KindNeutral:
		return neutralSteps(s, m)
	}
	for _, p := range state.PartsOf[m.Kind] {
		switch {
		case p == state.PartCorner:
			list = append(list, cornerStep(s, m.A))
		case p == state.PartPath:
			list = append(list, pathStep(s, m.A))
		case p == state.PartHex:
			list = append(list, hexStep(s, m.A))
		case p == state.PartSeat && m.Seat >= 0:
			list = append(list, domain.Step{Key: m.Seat.Letter(), Place: m.Seat.Letter(),
				Label: domain.S("step.seat", "who", m.Seat)})
		case p == state.PartGive:
			list = append(list, resourceStep("step.take", m.A))
		case p == state.PartGet && m.B != table.NoPlace:
			list = append(list, resourceStep("step.take", m.B))
		case (p == state.PartRoad || p == state.PartSecond) && m.B != table.NoPlace:
			list = append(list, pathStep(s, m.B))
		}
	}
	return list
}

// tradeSay says what is offered for what, and to whom.
func tradeSay(s *state.State, m *state.Move) domain.Say {
	key, to := "step."+m.Kind.String()+"-of", m.To
	if m.Ask {
		key = "step.offer-ask"
	}
	if to == 0 {
		to = (1<<s.Seats - 1) &^ (1 << s.Active)
	}
	return domain.S(key, "give", table.HandSay(m.Give), "want", table.HandSay(m.Want), "to", to.List())
}

// handSteps counts cards out kind by kind, leaving out kinds the seat does not have.
func handSteps(s *state.State, m *state.Move) []domain.Step {
	var list []domain.Step
	seat := s.Active
	if s.Phase == state.PhaseDiscard {
		seat = holderOf(s, m.Give)
	}
	for r, n := range m.Give {
		if n != 0 || seat < 0 || s.Hand[seat][r] != 0 {
			list = append(list, domain.Step{Key: strconv.Itoa(int(n)) + table.Resource(r).String(),
				Label: cardsSay(int8(r), int(n)), None: n == 0}) // #nosec G115: there are five
		}
	}
	return list
}

// holderOf finds the one seat that owes as many cards, or -1: the steps of a discard then count every kind, so that
// they are the same for everybody.
func holderOf(s *state.State, h table.Hand) int8 {
	who := int8(-1)
	for c := range s.Seats {
		if int(s.Owes[c]) == h.Len() {
			if who >= 0 {
				return -1
			}
			who = c
		}
	}
	return who
}

// neutralSteps returns the choices of where the neutrals build. If either of them may build, both can have the same
// place: its name then begins with the neutral's letter, as in the notation.
func neutralSteps(s *state.State, m *state.Move) []domain.Step {
	var list []domain.Step
	for i, x := range m.Neutral {
		if x.Sort == state.NoPiece {
			continue
		}
		step, label := pathStep(s, x.At), "step.neutral-road"
		if x.Sort == state.SettlementPiece {
			step, label = cornerStep(s, x.At), "step.neutral-settle"
		}
		step.Label = domain.S(label, "letter", table.NeutralLetters[i], "at", int(x.At))
		step.Key = table.NeutralLetters[i] + step.Key
		if m.Neutral[1-i].Sort == state.NoPiece {
			step.Place, step.Spot = table.NeutralLetters[i]+" "+step.Place, step.Key
		}
		list = append(list, step)
	}
	return list
}
