package inbound

import (
	"slices"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/mail/reply"
)

// tries reports whether a text that is no move looks like one that went wrong: it begins as one does, it has two words
// of the game, or it begins with a letter. What it asks for must not be passed over for a later line.
func (v *vocabulary) tries(text string, at *domain.Line) bool {
	if v.beside[text] {
		return false
	}
	all, said := parts(text), reply.YesNo([]string{text})
	if v.begins(all) && said == reply.SaidNothing && !reply.Greets(text) {
		return true
	}
	listed, spoken := v.spoken(all, at)
	letter := len(all) > 0 && utf8.RuneCountInString(all[0]) == 1
	return listed > 1 && 3*listed >= len(all) ||
		spoken > 1 && (said == reply.SaidNothing || said == reply.SaidYes) || letter && len(all) <= mostAfterLetter
}

// spoken counts the words that speak of the game: those that are numbers or in a move that is listed, and with them
// those that begin moves or name what people have. Names of people do not count.
func (v *vocabulary) spoken(all []string, at *domain.Line) (listed, spoken int) {
	known := map[string]bool{}
	for i, w := range all {
		if number(w) || v.listed(w, at) {
			listed++
		}
		if number(w) || !v.onlyNames([]string{w}) &&
			(v.listed(w, at) || v.begins(all[i:]) || v.goods(w, at)) {
			known[w] = true
		}
	}
	return listed, len(known)
}

// hints reports whether a line that is no move has one word of the game, and is no courtesy: above a move it may be
// what that depends on.
func (v *vocabulary) hints(text string, at *domain.Line) bool {
	_, spoken := v.spoken(parts(text), at)
	return spoken > 0 && !reply.Polite(text) && !v.beside[text]
}

// goods reports whether a word names a kind of what people have, in whatever form.
func (v *vocabulary) goods(word string, at *domain.Line) bool {
	goods := v.rulebook.Extras().Goods
	if goods == nil || at == nil {
		return false
	}
	return slices.ContainsFunc(goods(v.rulebook.View(at.State, domain.Referee)).Kinds, func(kind domain.Say) bool {
		return slices.ContainsFunc(parts(v.p.Say(kind)), func(name string) bool { return akin(name, word) })
	})
}

// begins reports whether words begin as a move of the rulebook does.
func (v *vocabulary) begins(all []string) bool {
	begins := v.rulebook.Extras().Begins
	for n := range min(mostBegin, len(all)) {
		if begins == nil {
			return false
		}
		if is, _ := begins(strings.Join(all[:n+1], " ")); is {
			return true
		}
	}
	return false
}

// mostBegin is how many words may stand for what a move begins with: the name of a card.
const mostBegin = 4

// lettered reports whether a text has nothing but numbers and letters of a list, at least two.
func lettered(text string) bool {
	all, n := parts(text), 0
	for _, w := range all {
		letter := strings.TrimLeft(w, "0123456789")
		if utf8.RuneCountInString(letter) > 1 {
			return false
		}
		if n++; letter != "" && letter != w { // "12a"
			n++
		}
	}
	return n > 1
}

// mostAfterLetter is how many words a line can have that begins with a letter of the list: more make a sentence.
const mostAfterLetter = 4
