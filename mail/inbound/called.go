package inbound

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"posthorn/domain"
	"posthorn/mail/reply"
	"posthorn/projections/turn"
)

// mostMove limits a move, in octets.
const mostMove = 200

// parse reads notation, and what a mail's reader may write around it: please and thanks, articles, prepositions. That a
// turn is over is its end.
func (v *vocabulary) parse(text string) (domain.Move, error) {
	m, err := v.notation(text)
	if err == nil {
		return m, nil
	}
	plain := reply.Plain(text)
	if reply.Done(text) || reply.Done(plain) {
		plain = "end"
	}
	said, in := reply.YesNo([]string{text}), v.reworded(plain)
	whose := owned.ReplaceAllString(plain, "$1")
	for _, text := range []string{plain, v.bare(plain), v.reworded(text), in, v.bare(in), whose,
		reply.WithoutOnly(plain)} {
		if now := reply.YesNo([]string{text}); now != reply.SaidNothing && now != said {
			continue // "not now" is no plain no
		}
		if m, err := v.notation(text); err == nil {
			return m, nil
		}
	}
	return m, err
}

// owned is a name with what says that something is theirs: a card, say.
var owned = regexp.MustCompile(`(\pL)['’]s\b( cards?\b)?`)

// reworded returns a text with the notation's words for phrases that mean the same.
func (v *vocabulary) reworded(text string) string {
	if reword := v.rulebook.Extras().Reword; reword != nil {
		return reword(text)
	}
	return text
}

// bare returns a text without courtesies and the little words that people add.
func (v *vocabulary) bare(text string) string {
	little := func(w string) bool { return v.littleWords()[domain.Fold(strings.Trim(w, ",.;:!"))] }
	return strings.Join(slices.DeleteFunc(strings.Fields(reply.Plain(text)), little), " ")
}

// littleWords are those that people add to what the mail lists, or leave out.
func (v *vocabulary) littleWords() map[string]bool {
	if v.little == nil {
		v.little = reply.LittleWords(v.p.Lang())
	}
	return v.little
}

func (v *vocabulary) notation(text string) (domain.Move, error) {
	m, err := v.rulebook.ParseMove(text, nil)
	for _, names := range [][]string{v.names, v.first()} {
		if err != nil && names != nil {
			m, err = v.rulebook.ParseMove(text, names)
		}
	}
	return m, err
}

// first returns the first names of the seats, or nil if two have the same.
func (v *vocabulary) first() (out []string) {
	for _, name := range v.names {
		name, _, _ = strings.Cut(name, " ")
		if slices.Contains(out, name) {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// called returns the listed moves that a text names: by their names in the mail, with any spacing, or by their words.
func (v *vocabulary) called(text string, at *domain.Line) (out []domain.Move) {
	want := domain.Fold(text)
	labelled := func(n turn.Named) bool { return domain.Fold(n.Label()) == want }
	for _, same := range []func(turn.Named) bool{
		func(n turn.Named) bool { return domain.Fold(n.Name) == want || labelled(n) },
		func(n turn.Named) bool { return v.thanked(want, domain.Fold(n.Label())) },
		func(n turn.Named) bool { return squeezed(n.Name) == squeezed(text) },
		func(n turn.Named) bool { return n.Short != "" && squeezed(n.Short) == squeezed(text) },
	} {
		if out = v.mailed.those(same); len(out) > 0 {
			return out
		}
	}
	if out = v.lists(at)[0].those(labelled); len(out) > 0 {
		return out
	}
	if plain := reply.Plain(text); plain != text {
		return v.called(plain, at)
	}
	return nil
}

// thanked reports whether a text is a label with nothing behind it but courtesy. Without its own courtesies, as other
// words have them, "buy nothing more, please" would be no more than "buy".
func (v *vocabulary) thanked(text, label string) bool {
	rest, ok := strings.CutPrefix(text, label)
	rest = strings.Trim(rest, ",.;! ")
	return ok && label != "" && rest != "" && reply.Polite(rest) && !v.named(rest)
}

func (l *list) those(fit func(turn.Named) bool) (out []domain.Move) {
	for _, n := range l.moves {
		if fit(n) {
			out = append(out, n.Move)
		}
	}
	return out
}

// squeezed drops the spaces that are not needed to tell a text's parts: "12 a" becomes "12a", but "1 3" stays.
func squeezed(text string) string {
	text = strings.Join(strings.Fields(domain.Fold(text)), " ")
	var b strings.Builder
	for i := range len(text) {
		if text[i] == ' ' && !(digit(text[i-1]) && digit(text[i+1])) {
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// begun returns the playable moves whose name begins with the text: a place, without what to do there. Of amounts none
// is left out.
func (v *vocabulary) begun(text string, at *domain.Line) (out []choice) {
	want := domain.Fold(text)
	return v.playable(at, func(n turn.Named) bool {
		return strings.HasPrefix(domain.Fold(n.Name), want+" ") || !number(tokens(text)[0]) &&
			strings.HasPrefix(domain.Fold(n.Label()), want+",")
	}, inWords)
}

// playable returns the listed moves that fit and can be made at a position, as they are to be shown.
func (v *vocabulary) playable(at *domain.Line, fit func(turn.Named) bool, show func(turn.Named) string) (out []choice) {
	for _, l := range v.lists(at) {
		for _, n := range l.moves {
			if !fit(n) || slices.ContainsFunc(out, func(c choice) bool { return c.move == n.Move }) {
				continue
			}
			if _, _, err := at.Decide(v.seat, n.Move); err == nil {
				out = append(out, choice{n.Move, show(n), turn.Lies(v.p, at, n.Move)})
			}
		}
	}
	return out
}

// inWords returns a listed move in the reader's language, with its name unless that has a word of the notation's, which
// is English.
func inWords(n turn.Named) string {
	if hasWord(n.Name) {
		return n.Label()
	}
	return cmp.Or(n.Short, n.Name) + ": " + n.Label()
}
