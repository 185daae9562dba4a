package state

import (
	"strconv"

	"posthorn/domain/catan/table"
)

// AppendJSON writes the body by hand: a simulation encodes every move, and reflection
// would cost more than the rules. Field names are those of playedJSON.
func (p *Played) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"did":"`...)
	dst = append(dst, KindWords[p.Did]...)
	dst = append(dst, `","phase":"`...)
	dst = append(dst, PhaseWords[p.Phase]...)
	dst = append(dst, '"')
	if p.Two {
		dst = append(dst, `,"two":true`...)
	}
	if p.Next != NoColour {
		dst = field(dst, "next", p.Next)
	}
	if p.Stint {
		dst = append(dst, `,"stint":true`...)
	}
	dst = p.appendRoll(dst)
	dst = p.appendHands(dst)
	dst = p.appendPieces(dst)
	dst = p.appendCards(dst)
	dst = p.appendTrade(dst)
	if p.Won != NoColour {
		dst = append(dst, `,"won":`...)
		dst = list(dst, p.Won, p.WonPoints)
	}
	if p.Still != 0 {
		dst = field(dst, "still", p.Still)
	}
	if p.Shown != ([MaxColours]int8{}) {
		dst = append(dst, `,"shown":`...)
		dst = list(dst, p.Shown[:]...)
	}
	return append(dst, '}')
}

// MarshalJSON is AppendJSON for encoding/json.
func (p *Played) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

func (p *Played) appendRoll(dst []byte) []byte {
	if !p.Rolled {
		return dst
	}
	dst = append(dst, `,"dice":`...)
	dst = list(dst, p.Dice[0], p.Dice[1])
	for i, d := range p.Again {
		if i == 0 {
			dst = append(dst, `,"again":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = list(dst, d[0], d[1])
		if i == len(p.Again)-1 {
			dst = append(dst, ']')
		}
	}
	if p.Short != 0 {
		dst = field(dst, "short", int8(p.Short))
	}
	if p.Owes != ([MaxColours]int8{}) {
		dst = append(dst, `,"owes":[`...)
		first := true
		for c, n := range p.Owes {
			if n != 0 {
				dst = comma(dst, &first)
				dst = list(dst, int8(c), n)
			}
		}
		dst = append(dst, ']')
	}
	return dst
}

func (p *Played) appendHands(dst []byte) []byte {
	if p.Hands == ([MaxColours]table.Hand{}) {
		return dst
	}
	dst = append(dst, `,"hands":[`...)
	first := true
	for c, h := range p.Hands {
		if h != (table.Hand{}) {
			dst = comma(dst, &first)
			dst = list(dst, int8(c), h[0], h[1], h[2], h[3], h[4])
		}
	}
	return append(dst, ']')
}

func (p *Played) appendPieces(dst []byte) []byte {
	if p.Pieces[0].Sort != NoPiece {
		dst = append(dst, `,"pieces":[`...)
		first := true
		for _, x := range p.Pieces {
			if x.Sort != NoPiece {
				dst = comma(dst, &first)
				dst = list(dst, x.Colour, int8(x.Sort), x.At)
			}
		}
		dst = append(dst, ']')
	}
	if p.Robber != table.NoHex {
		dst = field(dst, "robber", p.Robber)
	}
	if p.From != NoColour {
		dst = field(dst, "from", p.From)
		dst = field(dst, "taken", p.Taken)
	}
	if p.Roads {
		dst = append(dst, `,"lengths":`...)
		dst = list(dst, p.Lengths[:]...)
	}
	if p.Cards {
		dst = append(dst, `,"cards":`...)
		dst = list(dst, p.Longest, p.Army)
	}
	if p.Due != ([2]int8{}) {
		dst = append(dst, `,"due":`...)
		dst = list(dst, p.Due[0], p.Due[1])
	}
	return dst
}

func (p *Played) appendCards(dst []byte) []byte {
	if p.Bought {
		dst = append(dst, `,"bought":true`...)
	}
	if p.Card != noCard {
		dst = append(dst, `,"card":"`...)
		dst = append(dst, table.CardWords[p.Card]...)
		dst = append(dst, '"')
	}
	if p.Named != table.NoResource {
		dst = append(dst, `,"named":"`...)
		dst = append(dst, table.ResourceWords[p.Named]...)
		dst = append(dst, '"')
	}
	if p.Discharged {
		dst = append(dst, `,"discharged":true`...)
	}
	if p.TokenSpent {
		dst = append(dst, `,"spent":true`...)
	}
	if p.Tokens != ([2]int8{}) {
		dst = append(dst, `,"tokens":`...)
		dst = list(dst, p.Tokens[0], p.Tokens[1])
	}
	return dst
}

func (p *Played) appendTrade(dst []byte) []byte {
	if o := &p.Opened; o.Open {
		dst = append(dst, `,"opened":{"n":`...)
		dst = strconv.AppendInt(dst, int64(o.Number), 10)
		dst = append(dst, `,"give":`...)
		dst = list(dst, o.Give[:]...)
		dst = append(dst, `,"want":`...)
		dst = list(dst, o.Want[:]...)
		dst = field(dst, "to", int8(o.To))
		if o.Ask {
			dst = append(dst, `,"ask":true`...)
		}
		dst = append(dst, '}')
	}
	if p.Answered != 0 {
		dst = field(dst, "answered", p.Answered)
	}
	if p.Closed != 0 {
		dst = field(dst, "closed", int8(p.Closed))
	}
	if p.Partner != NoColour {
		dst = field(dst, "partner", p.Partner)
	}
	return dst
}

func field(dst []byte, name string, n int8) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return strconv.AppendInt(dst, int64(n), 10)
}

func list(dst []byte, n ...int8) []byte {
	dst = append(dst, '[')
	for i, x := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(x), 10)
	}
	return append(dst, ']')
}

func comma(dst []byte, first *bool) []byte {
	if !*first {
		dst = append(dst, ',')
	}
	*first = false
	return dst
}
