package inbound

import (
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
)

// clauses gives each move in a text that is none as a whole a line of its own, and so each clause around them, if all
// of these are idle: whatever else stands there may change what its writer means. Otherwise it cuts between moves only.
func (v *vocabulary) clauses(text string) (out []string) {
	if head, remark := v.remarked(text); remark != "" {
		v.aside(remark, []string{remark})
		return append(v.clauses(head), remark)
	}
	all, moves, idle := reply.Clauses(text), []string(nil), []string(nil)
	sentence, moving, talking := 0, map[int]bool{}, map[int]bool{} // those with a move, and with talk
	begins, at := map[int]string{}, -1                             // what is said from a clause on, of those in idle
	for i, clause := range all {
		again := func(before string) bool { return slices.Equal(tokens(before), tokens(clause)) }
		if slices.ContainsFunc(all[:i], again) {
			return v.joined(text) // "dice, dice, baby"
		}
	}
	for i := 0; i < len(all) && !v.meant(text); {
		j, some := len(all), []string(nil)
		name := v.onlyNames(tokens(all[i]))
		for ; j > i && some == nil; j-- {
			text := strings.Join(all[i:j], " ")
			if _, err := v.parse(text); err != nil && name { // "Bo! Road 44", but not "Bo, two wool for a brick?"
				continue
			}
			some = v.span(text)
		}
		clause := strings.Trim(all[i], "-–—() ")
		switch {
		case some != nil:
			if slices.ContainsFunc(some, func(s string) bool { return slices.Contains(moves, squeezed(s)) }) {
				return v.joined(text)
			}
			for _, s := range some {
				moves = append(moves, squeezed(s))
			}
			for ; i <= j; i++ {
				moving[sentence] = true
				sentence += ends(all[i])
			}
			out, at = append(out, some...), -1
		case clause == "":
			i++
		case v.named(clause) && v.addresses(clause, out), v.short(clause), !v.idle(clause):
			return v.joined(text)
		default:
			if len(moves) > 0 && strings.TrimLeft(all[i], "-–—") != all[i] {
				sentence++ // a dash behind a move begins a remark
			}
			clause = strings.TrimRight(clause, ".!;, ")
			talking[sentence] = talking[sentence] || !reply.Known(clause) && !reply.Praises(clause)
			sentence += ends(all[i])
			if at < 0 {
				at = len(idle)
			}
			begins[at] = strings.TrimSpace(begins[at] + " " + strings.TrimLeft(all[i], "-–—( "))
			out, idle, i = append(out, clause), append(idle, clause), i+1
		}
	}
	for s := range sentence + 1 {
		if talking[s] && moving[s] { // "in my dreams, road 44"
			return v.joined(text)
		}
	}
	if len(moves) == 0 {
		return v.joined(text)
	}
	for i := range idle {
		v.aside(begins[i], idle[i:i+1])
	}
	return out
}

// remarked cuts the remark off with which a text ends, in sentences of its own behind what may be a move; remark is ""
// if there is none. It may speak of the game if it only says how something is: "0,1 thief - and my city is closed!".
func (v *vocabulary) remarked(text string) (head, remark string) {
	all := reply.Clauses(text)
	n := len(all)
	for n > 1 && v.remarks(all[n-1]) {
		n--
	}
	for n = max(n, 1); n < len(all) && ends(all[n-1]) == 0 && strings.TrimLeft(all[n], "-–—(") == all[n]; n++ {
	}
	if n == len(all) {
		return text, ""
	}
	head, remark = strings.TrimRight(strings.Join(all[:n], " "), ";, "), strings.Join(all[n:], " ")
	if v.named(remark) && v.addresses(remark, []string{strings.TrimRight(head, ".!")}) || !v.attempts(head) {
		return text, ""
	}
	return head, strings.Trim(remark, "-–—() ")
}

// attempts reports whether a text may be moves, also ones that went wrong.
func (v *vocabulary) attempts(text string) bool {
	plain := strings.TrimRight(text, ".!;, ")
	if v.meant(plain) || v.line == nil || !v.line.Awaits(v.seat) {
		return v.meant(plain)
	}
	fit, others, no := v.described(plain, v.line)
	return len(fit)+len(others) > 0 || no != nil || v.tries(plain, v.line)
}

// remarks reports whether a clause only says something, if it stands in a sentence of its own.
func (v *vocabulary) remarks(clause string) bool {
	clause = strings.Trim(clause, "-–—() ")
	switch {
	case clause == "":
		return true
	case v.onlyNames(tokens(clause)), v.short(clause), v.says(clause) != reply.SaidNothing, v.meant(clause):
		return false
	}
	return v.idle(clause) || reply.Idle(clause) && reply.Tells(clause)
}

// aside notes clauses beside moves that were found to be idle, and what is said by them.
func (v *vocabulary) aside(remark string, clauses []string) {
	if v.beside == nil {
		v.beside, v.asides = map[string]bool{}, map[string]string{}
	}
	for _, clause := range clauses {
		v.beside[clause], v.beside[strings.TrimRight(clause, ".!;, ")] = true, true
		if v.tellsOthers(remark) {
			v.asides[clause] = remark
		}
	}
}

// tellsOthers reports whether idle words are more than courtesy to the program: they tell something, or greet others.
func (v *vocabulary) tellsOthers(text string) bool {
	return text != "" && slices.ContainsFunc(reply.Clauses(text), func(clause string) bool {
		return len(parts(clause)) > 1 && !reply.Done(clause) && (!reply.Known(clause) || reply.ToAll(clause))
	})
}

// ends returns 1 if a clause ends its sentence, and otherwise 0.
func ends(clause string) int {
	if strings.ContainsAny(clause[len(clause)-1:], ".!?") || strings.HasSuffix(clause, "…") {
		return 1
	}
	return 0
}

// span returns the moves that the clauses of a text are, or nil.
func (v *vocabulary) span(text string) []string {
	text = strings.TrimPrefix(strings.TrimRight(text, ".!,;-–— "), "- ")
	if text == "" || v.says(text) != reply.SaidNothing {
		return nil
	}
	if some := v.joined(text); len(some) > 1 || v.meant(text) {
		return some
	}
	return nil
}

// named reports whether a clause has the name of a seat.
func (v *vocabulary) named(clause string) bool {
	return slices.ContainsFunc(tokens(clause), func(w string) bool {
		return !v.littleWords()[w] && v.onlyNames([]string{w})
	})
}

// addresses reports whether the name in a clause may belong to a move beside it: it calls somebody else to it, or says
// whom it is about.
func (v *vocabulary) addresses(clause string, before []string) bool {
	if len(before) == 0 {
		return v.onlyNames(tokens(clause))
	}
	m, err := v.parse(before[len(before)-1])
	if err != nil {
		return !reply.Polite(clause) && v.meant(before[len(before)-1])
	}
	move := v.rulebook.FormatMove(m, nil)
	return slices.ContainsFunc([]string{" B", " to B", " from B"}, func(with string) bool {
		_, err := v.notation(move + with)
		return err == nil
	})
}

// short reports whether a clause is one word that nothing is known of: it may be short for a move.
func (v *vocabulary) short(clause string) bool {
	return len(parts(clause)) == 1 && !reply.Known(clause) && !v.onlyNames(tokens(clause))
}

// idle reports whether a clause leaves alone what stands beside it, and does not speak of the game.
func (v *vocabulary) idle(clause string) bool {
	return reply.Polite(clause) || v.onlyNames(tokens(clause)) ||
		reply.Idle(clause) && (reply.Praises(clause) || !v.speaks(clause))
}

// reason reports whether a clause says why its writer takes up no offer: for what they have or need.
func (v *vocabulary) reason(clause string) bool {
	return reply.Reasons(clause) && v.speaks(clause)
}

// speaks reports whether a clause has a word of the game.
func (v *vocabulary) speaks(clause string) bool {
	means := v.rulebook.Extras().Means
	return slices.ContainsFunc(parts(clause), func(w string) bool {
		switch {
		case v.littleWords()[w], v.onlyNames([]string{w}), reply.YesNo([]string{w}) != reply.SaidNothing:
			return false
		case number(w), v.listed(w, nil), means != nil && means(domain.Fold(w)) != "":
			return true
		}
		return v.begins([]string{w})
	})
}

// repeated reports whether a text says once more what was played last.
func (v *vocabulary) repeated(text, last string) bool {
	m, err := v.parse(text)
	return err == nil && v.rulebook.FormatMove(m, nil) == last
}
