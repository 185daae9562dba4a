package inbound

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
)

// distinct leaves out choices that look like another of them, as a tile may that is turned around.
func (v *vocabulary) distinct(all []choice, at *domain.Line) []choice {
	if len(all) < 2 {
		return all
	}
	list := v.lists(at)[0].moves
	return slices.DeleteFunc(slices.Clone(all), func(c choice) bool {
		i := slices.IndexFunc(list, func(n turn.Named) bool { return n.Move == c.move })
		if i < 0 || !slices.ContainsFunc(list[i].Path, func(o turn.Option) bool { return o.Like != "" }) {
			return false
		}
		like := list[i].Keys()
		for j, o := range list[i].Path {
			like[j] = cmp.Or(o.Like, like[j])
		}
		i = slices.IndexFunc(list, func(n turn.Named) bool { return slices.Equal(n.Keys(), like) })
		return i >= 0 && slices.ContainsFunc(all, func(o choice) bool { return o.move == list[i].Move })
	})
}

// numberedAlike returns a move and others of its kind, if its place is said by a bare number after a little word ("to
// the 8") and others have that number too: the 8 may be what the board shows there. Otherwise it returns none.
func (v *vocabulary) numberedAlike(text string, m domain.Move, at *domain.Line) (all []choice) {
	said, is := tokens(text), strings.Fields(v.rulebook.FormatMove(m, nil))
	i := slices.IndexFunc(said, number)
	names := slices.ContainsFunc(said, func(w string) bool { return !v.littleWords()[w] && v.onlyNames([]string{w}) })
	if len(is) < 2 || i < 1 || !v.littleWords()[said[i-1]] || said[i] != is[1] ||
		slices.ContainsFunc(said[i+1:], number) {
		return nil
	}
	for _, n := range v.lists(at)[0].moves {
		other := strings.Fields(v.rulebook.FormatMove(n.Move, nil))
		if len(other) < 2 || other[0] != is[0] || names && !slices.Equal(other[2:], is[2:]) {
			continue
		}
		if _, _, err := at.Decide(v.seat, n.Move); err == nil &&
			(other[1] == is[1] || slices.Contains(tokens(n.Label()), is[1])) {
			all = append(all, v.choice(n.Move, at))
		}
	}
	return all
}

// withEither returns a trade at the bank's rate with the bank and with others, if a text says neither whom it is with
// nor that it is an offer. Otherwise it returns none.
func (v *vocabulary) withEither(text string, m domain.Move, at *domain.Line) []choice {
	means, is := v.rulebook.Extras().Means, v.rulebook.FormatMove(m, nil)
	for _, f := range v.rulebook.Forms(at.State, v.seat) {
		offer := strings.Fields(f.Pattern)[0]
		for _, rate := range f.Rates {
			if !strings.HasPrefix(is, fmt.Sprintf("%s %d %s ", offer, rate.N, rate.Word)) || means == nil ||
				slices.ContainsFunc(tokens(text), func(w string) bool { return means(w) == offer }) {
				continue
			}
			verb, cards, _ := strings.Cut(reply.Plain(text), " ")
			if number(verb) { // "4 wool for a brick"
				verb, cards = "", strings.TrimPrefix(is, offer)
			}
			bank, err := v.notation(verb + " " + strings.Fields(rate.Pattern)[0] + " " + cards)
			if err == nil && v.exact(v.rulebook.FormatMove(bank, nil), at) && v.exact(text, at) {
				return []choice{v.choice(bank, at), v.choice(m, at)}
			}
		}
	}
	return nil
}

// ended returns what ends a turn where that is called otherwise in the notation: of a move that is the end and cannot
// be made, the only one of the list that can and has a word for the end.
func (v *vocabulary) ended(m domain.Move, at *domain.Line) domain.Move {
	means := v.rulebook.Extras().Means
	if end, err := v.notation("end"); err != nil || m != end || means == nil || !at.Awaits(v.seat) {
		return m
	}
	if _, _, err := at.Decide(v.seat, m); err == nil {
		return m
	}
	ends := v.playable(at, func(n turn.Named) bool {
		return slices.ContainsFunc(tokens(n.Label()), func(w string) bool { return means(w) == "end" })
	}, turn.Named.Label)
	if len(ends) != 1 {
		return m
	}
	return ends[0].move
}

// keepsAll reports whether a text says that all is kept, which takes nothing back: "no exchange".
func (v *vocabulary) keepsAll(text string) bool {
	all, err := v.notation("keep all")
	m, unread := v.notation(strings.TrimRight(text, ".!; "))
	return err == nil && unread == nil && m == all && len(tokens(text)) > 1
}

// kept returns what leaves all as it is, where a text says no more than that: a hand is kept that might be exchanged.
// It returns nil if that is no move now.
func (v *vocabulary) kept(text string, at *domain.Line) domain.Move {
	all, err := v.notation("keep all")
	if err != nil || !reply.Keeps(text) {
		return nil
	}
	if _, _, err := at.Decide(v.seat, all); err != nil {
		return nil
	}
	return all
}

// instead returns what a move is called that cannot be made where another is filled in in the same way: an offer where
// an offer is to be answered is another one, made to whose turn it is.
func (v *vocabulary) instead(m domain.Move, at *domain.Line) domain.Move {
	if m == nil || !at.Awaits(v.seat) {
		return m
	}
	if _, _, err := at.Decide(v.seat, m); err == nil {
		return m
	}
	verb, cards, _ := strings.Cut(v.rulebook.FormatMove(m, nil), " ")
	if whose := v.rulebook.Extras().Turn; whose != nil {
		if _, seat := whose(at.State); seat != domain.Nobody {
			cards = strings.TrimSuffix(cards, " to "+seat.Letter())
		}
	}
	if verb == "give" { // where cards are to be given up, in whatever word
		if n := v.verb(at); n != "" {
			if other, err := v.notation(n + " " + cards); err == nil {
				return other
			}
		}
	}
	for _, f := range v.rulebook.Forms(at.State, v.seat) {
		words := strings.Fields(f.Pattern)
		if len(words) < 2 || words[0] == verb || !strings.Contains(cards, " for ") ||
			!slices.Contains(words, "for") {
			continue
		}
		other, err := v.notation(words[0] + " " + cards)
		if err != nil {
			continue
		}
		if _, _, err := at.Decide(v.seat, other); err == nil {
			return other
		}
	}
	return m
}

// verb returns the verb that all moves of the list have; "" if they have several.
func (v *vocabulary) verb(at *domain.Line) (verb string) {
	for _, n := range v.lists(at)[0].moves {
		is, _, _ := strings.Cut(v.rulebook.FormatMove(n.Move, nil), " ")
		if verb != "" && is != verb {
			return ""
		}
		verb = is
	}
	return verb
}

// proposes reports whether a move asks others what yes or no answers: then it may be written as a question, too.
func (v *vocabulary) proposes(m domain.Move, at *domain.Line) bool {
	answers, after := v.rulebook.Extras().Answers, at.Dealt(v.seat)
	e, _, err := after.Decide(v.seat, m)
	if answers == nil || err != nil {
		return false
	}
	after.Apply(&e)
	for seat := range domain.Seat(len(v.names)) {
		if seat != v.seat && len(answers(after.State, seat, true)) > len(answers(at.State, seat, true)) {
			return true
		}
	}
	return false
}

// idiom reports whether a text has nothing but a verb of the game, which begins a move whatever stands behind it, and
// little words, which are not only articles: "in the end", "on a roll".
func (v *vocabulary) idiom(text string) bool {
	bare := tokens(v.bare(text))
	begins := v.rulebook.Extras().Begins
	if len(bare) != 1 || begins == nil || reply.YesNo(bare) != reply.SaidNothing {
		return false
	}
	if verb, names := begins(bare[0]); !verb || names || v.reworded(reply.Plain(text)) == bare[0] {
		return false // "roll again" is as good as "roll"
	}
	return slices.ContainsFunc(tokens(reply.Plain(text)), func(w string) bool {
		return w != bare[0] && !reply.Article(w) && !reply.Known(w) && v.littleWords()[w]
	})
}

// repeats returns the listed move whose own words a text has that can also be read as one to be filled in, which no
// list has: a trade with the bank, say, as an offer.
func (v *vocabulary) repeats(text string, all []choice, at *domain.Line) []choice {
	if len(all) != 1 || !slices.ContainsFunc(v.rulebook.Forms(at.State, v.seat), func(f domain.Form) bool {
		return strings.Fields(f.Pattern)[0] == strings.Fields(v.rulebook.FormatMove(all[0].move, nil))[0]
	}) {
		return nil
	}
	fit, _ := v.fitting(v.lists(at)[0], tokens(reply.Plain(text)), func(a, b string) bool { return a == b }, at)
	if len(fit) != 1 {
		return nil
	}
	return fit
}

// dearer returns the counter-offer that a text is which only says what its writer wants instead for what is asked of
// them: "only for two bricks"; nil if it is none.
func (v *vocabulary) dearer(text string, at *domain.Line) domain.Move {
	price, ok := reply.Price(text)
	if !ok {
		return nil
	}
	for _, f := range v.rulebook.Forms(at.State, v.seat) {
		m, err := v.notation(v.p.Say(f.Typed))
		give, _, filled := strings.Cut(v.rulebook.FormatMove(m, nil), " for ")
		if err != nil || !filled || !v.offered(at) {
			continue
		}
		if m, err = v.notation(give + " for " + price); err == nil {
			return m
		}
	}
	return nil
}
