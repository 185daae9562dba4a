package catan

import (
	"slices"
	"strconv"

	"posthorn/domain"
)

// Spots of the drawing: an intersection is c13, a path p22, a hex h9.
func cornerSpot(c int8) string { return "c" + strconv.Itoa(int(c)) }
func pathSpot(p int8) string   { return "p" + strconv.Itoa(int(p)) }
func hexSpot(h int8) string    { return "h" + strconv.Itoa(int(h)) }

func (s *State) cornerStep(c int8) domain.Step {
	return placeStep(cornerSpot(c), domain.S("step.corner", "at", int(c)), whereSay(s.around(isle.hexesAt[c], c, c)))
}

func (s *State) pathStep(p int8) domain.Step {
	a, b := isle.ends[p][0], isle.ends[p][1]
	return placeStep(pathSpot(p), domain.S("step.path", "at", int(p)), whereSay(s.around(hexesBeside(p), a, b)))
}

func (s *State) hexStep(h int8) domain.Step {
	return placeStep(hexSpot(h), domain.S("step.hex", "at", int(h), "what", s.board.hexSay(h)), domain.Say{})
}

// placeStep is the choice of a place; its number follows the letter of its spot.
func placeStep(spot string, label, where domain.Say) domain.Step {
	return domain.Step{Key: spot, Place: spot[1:], Label: label, Where: where, Spot: spot}
}

// hexesBeside are the hexes that a path lies between, or the one whose coast it is.
func hexesBeside(p int8) (list []int8) {
	for _, h := range isle.hexesAt[isle.ends[p][0]] {
		if slices.Contains(isle.sides[h][:], p) {
			list = append(list, h)
		}
	}
	return list
}

// around is what lies about a place, for people: its hexes, and the harbour that both of its ends
// share; an intersection is both of its own ends.
func (s *State) around(hexes []int8, ends ...int8) (list []domain.Say) {
	for _, h := range hexes {
		list = append(list, s.board.hexSay(h))
	}
	for i, p := range isle.harbourPath {
		jetties := isle.ends[p]
		if slices.Contains(jetties[:], ends[0]) && slices.Contains(jetties[:], ends[1]) {
			list = append(list, domain.S("where.harbour", "harbour_word", "harbour."+s.board.Harbours[i].String()))
		}
	}
	return list
}

// whereSay names a place by what lies about it.
func whereSay(about []domain.Say) domain.Say {
	if n := len(about) - 1; n > 0 {
		return domain.S("where", "list", about[:n], "last", about[n])
	}
	return domain.S("where.coast", "what", about)
}

func seatStep(seat domain.Seat) domain.Step {
	return domain.Step{Key: seat.Letter(), Place: seat.Letter(), Label: domain.S("step.seat", "who", seat)}
}

func resourceStep(key string, r int8) domain.Step {
	return domain.Step{Key: Resource(r).String(), Label: domain.S(key, "resource_word", "resource."+Resource(r).String())}
}

// Steps splits a move into choices, each with what is asked there.
func (showRoom) Steps(s *State, mv Move) []domain.Step {
	m := &mv
	list := s.choices(m)
	for i := range list {
		if word := s.ask(m, i); word != "" {
			list[i].Ask = domain.S("ask." + word)
		}
	}
	if o := &s.offers[s.active]; o.Open && m.Seat < 0 && (m.Kind == KindAccept || m.Kind == KindDecline) {
		list[0].Ask = domain.S("ask.answer", "who", domain.Seat(s.active), "give", handSay(o.Give), "want", handSay(o.Want))
	}
	return list
}

// ask is what the i-th choice on the way to a move answers: the same for all that may be chosen
// there, or "" where the sentence about the turn has said it.
func (s *State) ask(m *Move, i int) string {
	if first := askFirst[s.phase]; i == 0 {
		return first
	}
	asks := askNext[m.Kind]
	if m.Kind == KindRob {
		i++ // a robber's hex is chosen first, a knight's after the knight
	}
	if i > len(asks) {
		return ""
	}
	return asks[i-1]
}

// What is asked first in a phase, and what after the first choice of a kind of move.
var (
	askFirst = map[Phase]string{PhaseFound: "found", PhaseDiscard: "discard", PhaseRobber: "robber", PhaseNeutral: "neutral", PhaseGive: "give"}
	askNext  = map[Kind][]string{
		KindFound: {"road"}, KindRoad: {"road"}, KindSettle: {"settle"}, KindCity: {"city"}, KindRoads: {"road", "road"},
		KindRob: {"robber", "victim"}, KindKnight: {"robber", "victim"}, KindBank: {"bank-give", "bank-get"},
		KindPlenty: {"take", "take"}, KindMonopoly: {"monopoly"},
	}
)

// choices are what to do, then where or what.
func (s *State) choices(m *Move) []domain.Step {
	list := []domain.Step{{Key: m.Kind.String(), Label: domain.S("step." + m.Kind.String())}}
	switch m.Kind {
	case KindFound, KindRob:
		list = nil // what to do is no choice
	case KindDiscard, KindGive:
		return s.handSteps(m)
	case KindAccept, KindDecline, KindConfirm:
		if m.Seat >= 0 {
			list[0] = domain.Step{
				Key: m.Kind.String() + "-" + m.Seat.Letter(), Label: domain.S("step."+m.Kind.String()+"-from", "who", m.Seat),
			}
		}
		return list
	case KindBank:
		give := resourceStep("step.bank-give", m.A)
		give.Label.Args["n"] = int(s.rate(s.active, Resource(m.A)))
		return append(list, give, resourceStep("step.bank-get", m.B))
	case KindNeutral:
		return s.neutralSteps(m)
	}
	for _, p := range partsOf[m.Kind] {
		switch {
		case p == PartCorner:
			list = append(list, s.cornerStep(m.A))
		case p == PartPath:
			list = append(list, s.pathStep(m.A))
		case p == PartHex:
			list = append(list, s.hexStep(m.A))
		case p == PartSeat && m.Seat >= 0:
			list = append(list, seatStep(m.Seat))
		case p == PartGive:
			list = append(list, resourceStep("step.take", m.A))
		case p == PartGet && m.B != noPlace:
			list = append(list, resourceStep("step.take", m.B))
		case (p == PartRoad || p == PartSecond) && m.B != noPlace:
			list = append(list, s.pathStep(m.B))
		}
	}
	return list
}

// handSteps counts cards out kind by kind, leaving out kinds the seat does not have.
func (s *State) handSteps(m *Move) []domain.Step {
	var list []domain.Step
	seat := s.active
	if s.phase == PhaseDiscard {
		seat = s.holderOf(m.Give)
	}
	for r, n := range m.Give {
		if n == 0 && seat >= 0 && s.hand[seat][r] == 0 {
			continue
		}
		list = append(list, domain.Step{
			Key:   strconv.Itoa(int(n)) + Resource(r).String(),
			Label: domain.S("step.cards", "n", int(n), "resource_word", "resource."+Resource(r).String()),
		})
	}
	return list
}

// holderOf finds the one seat that owes as many cards, or -1: the steps of a discard then
// count every kind, so that they are the same whoever asks.
func (s *State) holderOf(h Hand) int8 {
	who := int8(-1)
	for c := range s.seats {
		if int(s.owes[c]) == h.Len() {
			if who >= 0 {
				return -1
			}
			who = c
		}
	}
	return who
}

// neutralSteps are where the neutrals build. Where either of them may, both can have the same place:
// its name then begins with the neutral's letter, as the notation's does.
func (s *State) neutralSteps(m *Move) []domain.Step {
	var list []domain.Step
	for i, x := range m.Neutral {
		if x.Sort == NoPiece {
			continue
		}
		step, label := s.pathStep(x.At), "step.neutral-road"
		if x.Sort == SettlementPiece {
			step, label = s.cornerStep(x.At), "step.neutral-settle"
		}
		step.Label = domain.S(label, "letter", neutralLetters[i], "at", int(x.At))
		step.Key = neutralLetters[i] + step.Key
		if m.Neutral[1-i].Sort == NoPiece {
			step.Place, step.Spot = neutralLetters[i]+" "+step.Place, step.Key
		}
		list = append(list, step)
	}
	return list
}
