package state

import (
	"math/bits"

	"posthorn/domain/catan/table"
)

// Quick reads a body in exactly the form that AppendJSON writes, without reflection: whoever
// looks back folds a whole game. It tells false for any other form, which encoding/json then
// reads; the body is worth nothing then.
func (p *Played) Quick(b []byte) bool {
	r := scan{b: b}
	*p = Played{
		Next: NoColour, Robber: table.NoHex, From: NoColour, Card: noCard, Named: table.NoResource, Partner: NoColour, Won: NoColour,
	}
	r.must(`{"did":"`)
	p.Did = KindNamed(r.word())
	r.must(`,"phase":"`)
	p.Phase = PhaseNamed(r.word())
	p.Two = r.lit(`,"two":true`)
	if r.lit(`,"next":`) {
		p.Next = r.int()
	}
	p.Stint = r.lit(`,"stint":true`)
	p.quickRoll(&r)
	p.quickPieces(&r)
	p.quickCards(&r)
	p.quickTrade(&r)
	if r.lit(`,"won":[`) {
		p.Won, p.WonPoints = r.two()
	}
	if r.lit(`,"still":`) {
		p.Still = r.int()
	}
	if r.lit(`,"shown":[`) {
		r.each(p.Shown[:])
	}
	r.must(`}`)
	return !r.bad && r.at == len(b) && p.Did != noKind && p.Phase >= 0
}

func (p *Played) quickRoll(r *scan) {
	if r.lit(`,"dice":[`) {
		p.Rolled = true
		p.Dice[0], p.Dice[1] = r.two()
		if r.lit(`,"again":[`) {
			for more := true; more; more = r.lit(`,`) {
				r.must(`[`)
				a, b := r.two()
				p.Again = append(p.Again, [2]int8{a, b})
			}
			r.must(`]`)
		}
		if r.lit(`,"short":`) {
			p.Short = uint8(r.int())
		}
		if r.lit(`,"owes":[`) {
			for more := true; more; more = r.lit(`,`) {
				r.must(`[`)
				seat, n := r.two()
				p.Owes[r.colour(seat)] = n
			}
			r.must(`]`)
		}
	}
	if r.lit(`,"hands":[`) {
		for more := true; more; more = r.lit(`,`) {
			r.must(`[`)
			h := &p.Hands[r.colour(r.int())]
			for i := range h {
				r.must(`,`)
				h[i] = r.int()
			}
			r.must(`]`)
		}
		r.must(`]`)
	}
}

func (p *Played) quickPieces(r *scan) {
	if r.lit(`,"pieces":[`) {
		for i := range p.Pieces {
			r.must(`[`)
			p.Pieces[i].Colour = r.colour(r.int())
			r.must(`,`)
			p.Pieces[i].Sort = Sort(r.int())
			r.must(`,`)
			p.Pieces[i].At = r.int()
			r.must(`]`)
			if !r.lit(`,`) {
				break
			}
		}
		r.must(`]`)
	}
	if r.lit(`,"robber":`) {
		p.Robber = r.int()
	}
	if r.lit(`,"from":`) {
		p.From = r.int()
		r.must(`,"taken":`)
		p.Taken = r.int()
	}
	if r.lit(`,"lengths":[`) {
		p.Roads = true
		r.each(p.Lengths[:])
	}
	if r.lit(`,"cards":[`) {
		p.Cards = true
		p.Longest, p.Army = r.two()
	}
	if r.lit(`,"due":[`) {
		p.Due[0], p.Due[1] = r.two()
	}
}

func (p *Played) quickCards(r *scan) {
	p.Bought = r.lit(`,"bought":true`)
	if r.lit(`,"card":"`) {
		card, ok := table.CardNames[r.word()]
		p.Card, r.bad = card, r.bad || !ok
	}
	if r.lit(`,"named":"`) {
		named, ok := table.ResourceNames[r.word()]
		p.Named, r.bad = named, r.bad || !ok
	}
	p.Discharged = r.lit(`,"discharged":true`)
	p.TokenSpent = r.lit(`,"spent":true`)
	if r.lit(`,"tokens":[`) {
		p.Tokens[0], p.Tokens[1] = r.two()
	}
}

// quickTrade leaves offers to encoding/json: they are rare.
func (p *Played) quickTrade(r *scan) {
	if r.lit(`,"answered":`) {
		p.Answered = r.int()
	}
	if r.lit(`,"closed":`) {
		p.Closed = SeatSet(r.int())
		r.bad = r.bad || bits.Len8(uint8(p.Closed)) > MaxColours
	}
	if r.lit(`,"partner":`) {
		p.Partner = r.int()
	}
}

// scan reads what was written by hand. Once something is not as expected it is bad.
type scan struct {
	b   []byte
	at  int
	bad bool
}

// lit steps over a text that stands here, if it does.
func (r *scan) lit(text string) bool {
	if r.bad || len(r.b)-r.at < len(text) || string(r.b[r.at:r.at+len(text)]) != text {
		return false
	}
	r.at += len(text)
	return true
}

func (r *scan) must(text string) { r.bad = !r.lit(text) || r.bad }

// word is the text up to a quotation mark, and steps over that.
func (r *scan) word() string {
	from := r.at
	for r.at < len(r.b) && r.b[r.at] != '"' && r.b[r.at] != '\\' {
		r.at++
	}
	word := string(r.b[from:r.at])
	r.must(`"`)
	return word
}

func (r *scan) int() int8 {
	negative := r.lit(`-`)
	from, n := r.at, 0
	for r.at < len(r.b) && r.b[r.at] >= '0' && r.b[r.at] <= '9' && n < 128 {
		n = n*10 + int(r.b[r.at]-'0')
		r.at++
	}
	if r.at == from || n > 127 || r.at-from > 1 && r.b[from] == '0' {
		r.bad = true
		return 0
	}
	if negative {
		n = -n
	}
	return int8(n)
}

// two reads the rest of a pair: "3,4]".
func (r *scan) two() (a, b int8) {
	a = r.int()
	r.must(`,`)
	b = r.int()
	r.must(`]`)
	return a, b
}

// each reads the rest of a list of so many numbers.
func (r *scan) each(n []int8) {
	for i := range n {
		if i > 0 {
			r.must(`,`)
		}
		n[i] = r.int()
	}
	r.must(`]`)
}

// colour is a colour that there is; anything else is bad.
func (r *scan) colour(c int8) int8 {
	if !isColour(c) {
		r.bad = true
		return 0
	}
	return c
}
