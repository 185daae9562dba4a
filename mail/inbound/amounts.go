package inbound

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
)

// inAmounts returns a text that says all of something ("all my wool and the ore") with how many that are for its
// writer, and so for what else it names without a number; one has one of each of these. Both are "" for a text that
// says all of nothing that its writer has.
func (v *vocabulary) inAmounts(text string, at *domain.Line) (all, one string) {
	goods := v.rulebook.Extras().Goods
	if goods == nil || !at.Awaits(v.seat) {
		return "", ""
	}
	held := goods(v.rulebook.View(at.State, domain.Referee))
	if int(v.seat) >= len(held.Each) {
		return "", ""
	}
	words, said := strings.Fields(text), false
	var each, single []string
	for i := 0; i < len(words); {
		every, n := reply.Every(strings.Trim(words[i], ",.;!")), 0
		if every {
			n = 1
		}
		for i+n < len(words) && (every && words[i+n] == "of" || reply.Article(words[i+n])) {
			n++
		}
		kind := -1
		if i+n < len(words) {
			kind = v.kind(words[i+n], held.Kinds)
		}
		counted := len(each) > 0 && number(strings.Trim(each[len(each)-1], ",.;!"))
		if kind < 0 || counted || !every && !said && !slices.ContainsFunc(words[i+n:], reply.Every) {
			each, single, i = append(each, words[i]), append(single, words[i]), i+1
			continue
		}
		has := strconv.Itoa(held.Each[v.seat][kind])
		said, i = said || every, i+n+1
		each = append(each, has, words[i-1])
		if !every {
			has = "1"
		}
		single = append(single, has, words[i-1])
	}
	if !said {
		return "", ""
	}
	return strings.Join(each, " "), strings.Join(single, " ")
}

// kind returns which kind of what people have a word names, in whatever form, or -1.
func (v *vocabulary) kind(word string, kinds []domain.Say) int {
	word = domain.Fold(strings.Trim(word, ",.;!"))
	return slices.IndexFunc(kinds, func(kind domain.Say) bool {
		return slices.ContainsFunc(parts(v.p.Say(kind)), func(name string) bool { return v.alike(name, word) })
	})
}

// everything reads a text that says all of something; ok is false if it says so of nothing, or is none of a move. If
// only the other reading of what it names without a number can be made, that is asked about.
func (v *vocabulary) everything(text string, at *domain.Line) (r reading, ok bool) {
	all, one := v.inAmounts(text, at)
	if all == "" {
		return r, false
	}
	if r = v.statement(all, at); len(r.moves) > 0 || all == one {
		return r, len(r.moves)+len(r.which) > 0 || r.why != ""
	}
	other := v.statement(one, at)
	if c := other.only(); c != nil {
		return reading{which: []choice{*c}, unsure: true}, true
	}
	r.why = cmp.Or(r.why, other.why)
	return r, len(r.which) > 0 || r.why != ""
}

// summed returns the move that a text is without its verb, where all choices have the same and the text says how many
// of what, as what there is to discard, or names somebody: "12, take Bo's card". It returns nil if it is none.
func (v *vocabulary) summed(text string, at *domain.Line) domain.Move {
	verb, named := v.verb(at), v.named(owned.ReplaceAllString(text, "$1"))
	for _, n := range v.lists(at)[0].moves {
		if said := tokens(n.Label()); verb == "" || !named && (len(said) == 0 || !number(said[0])) {
			return nil
		}
	}
	m, err := v.notation(verb + " " + v.bare(owned.ReplaceAllString(text, "$1")))
	if err != nil {
		return nil
	}
	return m
}

// remainder returns the move that gives up all but what a text says is kept, where cards are to be given up: "keep 2
// ore and wool". It returns nil if it is none.
func (v *vocabulary) remainder(text string, at *domain.Line) domain.Move {
	kept, verb, goods := reply.Kept(text), v.verb(at), v.rulebook.Extras().Goods
	if kept == "" || verb == "" || goods == nil {
		return nil
	}
	m, err := v.notation(verb + " " + v.bare(kept))
	if err != nil {
		return nil
	}
	held := goods(v.rulebook.View(at.State, domain.Referee))
	if int(v.seat) >= len(held.Each) {
		return nil
	}
	left := slices.Clone(held.Each[v.seat])
	said := tokens(v.rulebook.FormatMove(m, nil))
	for i := 1; i+1 < len(said); i += 2 {
		n, err := strconv.Atoi(said[i])
		kind := v.kind(said[i+1], held.Kinds)
		if err != nil || kind < 0 {
			return nil
		}
		left[kind] -= n
	}
	all := []string{verb}
	for kind, n := range left {
		if n < 0 {
			return nil
		}
		if n > 0 {
			all = append(all, strconv.Itoa(n), v.p.Say(held.Kinds[kind]))
		}
	}
	if m, err = v.notation(strings.Join(all, " ")); err != nil {
		return nil
	}
	return m
}
