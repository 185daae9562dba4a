package notation

import (
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// People offer trades in sentences of their own: "does anyone have a brick for two of my wool?" Such a sentence is an
// offer if each of its words is known, it names cards twice, and says which of them are given.

// bargains maps the phrases of such a sentence to what they say of the cards behind them.
var bargains = table.Typed.Words("bargain")

// mostBargain is the most words of a phrase.
const mostBargain = 4

// side says whose cards are.
type side int8

const (
	unsaid side = iota
	given       // the speaker's
	wanted      // the others'
)

func (s side) other() side { return (3 - s) % 3 }

// lot is some cards in such a sentence.
type lot struct {
	hand     table.Hand
	side     side
	owned    bool // a word before them says whose they are: that counts more than a verb
	exchange bool // a for stands before them
}

// bargain is such a sentence while it is read.
type bargain struct {
	lots   []lot
	to     state.SeatSet
	verb   side // of the last verb
	price  bool // a for came since the last cards
	owner  side // of the cards that come next
	joined bool // an and stands behind the last cards
	told   bool // "you give", but not yet "you want"
}

// bargain reads a sentence that offers a trade; false if it is none.
func (Room) bargain(text string, names []string) (state.Move, bool) {
	b := bargain{}
	for r := read(strings.ReplaceAll(text, "?", " "), names); len(r.left) > 0; {
		if !b.step(r) {
			return state.Move{}, false
		}
	}
	all := strings.Fields(strings.TrimRight(text, "!?.… "))
	unfinished := b.price || b.joined || len(all) > 0 && is(wordsTo)(all[len(all)-1])
	give, want, ok := b.sides()
	if !ok || unfinished {
		return state.Move{}, false
	}
	m := state.NewMove(state.KindOffer)
	m.Give, m.Want, m.To = give, want, b.to
	return m, true
}

// step reads the next words.
func (b *bargain) step(r *reader) bool {
	r.left[0] = strings.Trim(r.left[0], "!?…()\"")
	if r.left[0] == "" {
		r.left = r.left[1:]
		return true
	}
	if b.cards(r) {
		return true
	}
	for n := min(mostBargain, len(r.left)); n > 0; n-- {
		said := strings.TrimRight(domain.Fold(strings.Join(r.left[:n], " ")), "!?…")
		what, ok := bargains[said]
		if !ok {
			continue
		}
		if len(said) > 1 && len(r.namings(r.left)) > 0 {
			return false // it is somebody's name, too
		}
		r.left = r.left[n:]
		switch what {
		case "give":
			b.verb = given
		case "want":
			b.verb = wanted
		case "trade":
			b.verb = unsaid
		case "for":
			b.price = true
		case "my":
			b.owner = given
		case "your":
			b.owner = wanted
		case "and":
			b.joined = true
		case "dajesz": // as the list says it to its reader, and then what they want
			b.verb, b.told = given, true
		case "chcesz":
			if b.told {
				b.verb, b.told = wanted, false
			}
		}
		return true
	}
	if seat, named := r.seat(); named && len(r.left[0]) > 1 {
		b.to, r.left = b.to.With(int8(seat)), r.left[r.words:] // #nosec G115: a seat
		return true
	}
	return false
}

// cards reads an amount of a kind, which an and adds to the one before.
func (b *bargain) cards(r *reader) bool {
	n, rest, owner := int8(1), r.left, b.owner
	if many, err := strconv.Atoi(rest[0]); err == nil {
		if many < 1 || many > table.CardsOfKind {
			return false
		}
		n, rest = int8(many), rest[1:] // #nosec G115: bounded above
	} else if wordsOne[domain.Fold(rest[0])] && bargains[domain.Fold(rest[0])] == "" {
		rest = rest[1:]
	}
	for len(rest) > 1 && (is(wordsFrom)(rest[0]) || is(wordsThe)(rest[0]) || owns(rest[0]) != unsaid) {
		if s := owns(rest[0]); s != unsaid {
			owner = s
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return false
	}
	kind, ok := table.ResourceNamed(strings.Trim(rest[0], "!?…()\""))
	if !ok {
		return false
	}
	if len(rest) > 1 && owner == unsaid { // "a brick of mine", in Portuguese and Polish
		if owner = owns(strings.Trim(rest[1], "!?…()\"")); owner != unsaid {
			rest = rest[1:]
		}
	}
	if last := len(b.lots) - 1; b.joined && last >= 0 && !b.price {
		b.lots[last].hand[kind] += n
	} else {
		l := lot{side: b.verb, exchange: b.price}
		if owner != unsaid {
			l.side, l.owned = owner, true
		}
		l.hand[kind] = n
		b.lots, b.verb = append(b.lots, l), unsaid
	}
	r.left, b.price, b.owner, b.joined = rest[1:], false, unsaid, false
	return true
}

func owns(word string) side {
	return map[string]side{"my": given, "your": wanted}[bargains[domain.Fold(word)]]
}

// sides returns what is given and wanted, if that is said, and said in one way.
func (b *bargain) sides() (give, want table.Hand, ok bool) {
	if len(b.lots) != 2 || b.told {
		return give, want, false
	}
	first, second := b.lots[0], b.lots[1]
	switch {
	case first.exchange && second.side == unsaid, first.exchange && second.exchange,
		first.owned && second.owned && first.side == second.side:
		return give, want, false
	case first.exchange || second.exchange:
		one, two := &first, &second
		if first.exchange {
			one, two = two, one // "for a brick I'd give two wool"
		}
		switch {
		case two.owned:
			one.side = two.side.other()
		case one.side == unsaid && first.exchange:
			return give, want, false
		case one.side == unsaid:
			one.side = given
		}
		two.side = one.side.other()
	}
	if first.side == unsaid || first.side == second.side || second.side == unsaid {
		return give, want, false
	}
	if first.side == given {
		return first.hand, second.hand, true
	}
	return second.hand, first.hand, true
}
