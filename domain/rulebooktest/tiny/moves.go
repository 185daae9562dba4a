package tiny

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
)

// move is what a seat may do: "keep", "swap", "peek" (at a seat), "roll".
type move struct {
	verb string
	at   domain.Seat // of peek; otherwise Nobody
}

func plain(verb string) move { return move{verb, domain.Nobody} }

// Legal lists a seat's moves, by public knowledge alone.
func (Rules) Legal(s domain.State, seat domain.Seat) iter.Seq[domain.Move] {
	st := s.(*state)
	return func(yield func(domain.Move) bool) {
		if !slices.Contains(st.Chosen, "") {
			_ = st.Roller != seat || st.Over || yield(plain("roll"))
			return
		}
		if st.Over || st.Chosen[seat] != "" || !yield(plain("keep")) {
			return
		}
		if len(st.stack) > 0 && !yield(plain("swap")) {
			return
		}
		for at, known := range st.Known {
			if !known.Admits(domain.ViewOf(seat)) && !yield(move{"peek", domain.Seat(at)}) {
				return
			}
		}
	}
}

// Forms are none.
func (Rules) Forms(domain.State, domain.Seat) []domain.Form { return nil }

// Decide judges a move.
func (Rules) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	st, mv := s.(*state), m.(move)
	rolling := !slices.Contains(st.Chosen, "")
	switch {
	case st.Over:
		return domain.Event{}, domain.Refuse("over")
	case rolling && mv.verb != "roll":
		return domain.Event{}, domain.Refuse("all-chose")
	case !rolling && mv.verb == "roll":
		return domain.Event{}, domain.Refuse("not-all-chose")
	case rolling && seat != st.Roller:
		return domain.Event{}, domain.Refuse("roller", "seat", st.Roller)
	case !rolling && st.Chosen[seat] != "":
		return domain.Event{}, domain.Refuse("chose")
	}
	switch mv.verb {
	case "keep":
		return domain.Event{Type: typeChose, Body: &chose{Choice: "keep"}}, nil
	case "swap":
		if len(st.stack) == 0 {
			return domain.Event{}, domain.Refuse("stack-empty")
		}
		return domain.Event{Type: typeChose, Body: &chose{Choice: "swap", Laid: st.hands[seat]},
			Secrets: []domain.Secret{{To: domain.To(seat), Body: &secret{Seat: seat, Card: st.stack[0]}}}}, nil
	case "peek":
		return st.peek(seat, mv.at)
	default:
		return st.decideRoll(luck), nil
	}
}

func (st *state) peek(seat, at domain.Seat) (domain.Event, error) {
	if int(at) >= len(st.hands) {
		return domain.Event{}, domain.Refuse("no-seat", "letter", at.Letter())
	}
	if st.Known[at].Admits(domain.ViewOf(seat)) {
		return domain.Event{}, domain.Refuse("known", "seat", at)
	}
	return domain.Event{Type: typeChose, Body: &chose{Choice: "peek", At: at},
		Secrets: []domain.Secret{{To: domain.To(seat), Body: &secret{Seat: at, Card: st.hands[at]}}}}, nil
}

func (st *state) decideRoll(luck *domain.Luck) domain.Event {
	die := 1 + luck.Pick("die", 6, func(words string) (int, error) {
		n, err := strconv.Atoi(words)
		if err != nil {
			return 0, errors.New("a die shows a number from 1 to 6")
		}
		return n - 1, nil
	})
	b := &rolled{Die: die, Hands: slices.Clone(st.hands), Low: st.Low && die%2 == 1}
	best := slices.Max(st.hands)
	if b.Low {
		best = slices.Min(st.hands)
	}
	b.Winner = domain.Seat(slices.Index(st.hands, best))
	b.Over = st.Round == st.Rounds || len(st.stack) < len(st.hands)
	e := domain.Event{Type: typeRolled, Body: b}
	if !b.Over {
		for i := range st.hands {
			e.Secrets = append(e.Secrets, domain.Secret{To: domain.To(domain.Seat(i)), Body: &secret{Seat: domain.Seat(i), Card: st.stack[i]}})
		}
	}
	return e
}

// verbs are the words people type, in English, Portuguese and Polish, to what they mean.
var verbs = map[string]string{
	"keep": "keep", "swap": "swap", "peek": "peek", "roll": "roll",
	"ficar": "keep", "fico": "keep", "trocar": "swap", "troco": "swap", "espiar": "peek", "espreitar": "peek", "lancar": "roll", "rolar": "roll",
	"zostaw": "keep", "zostawiam": "keep", "wymien": "swap", "wymieniam": "swap", "podejrzyj": "peek", "podgladam": "peek", "rzuc": "roll", "rzucam": "roll",
}

// plainLetters takes off the accents of the words above.
var plainLetters = strings.NewReplacer("ç", "c", "ń", "n", "ć", "c", "ą", "a")

// ParseMove reads "keep", "swap", "peek SEAT" and "roll".
func (Rules) ParseMove(text string, names []string) (domain.Move, error) {
	first, rest, _ := strings.Cut(strings.Join(strings.Fields(text), " "), " ")
	verb, ok := verbs[plainLetters.Replace(strings.ToLower(first))]
	switch {
	case !ok || (verb != "peek" && rest != ""):
		return nil, domain.Refuse("unreadable", "text", text)
	case verb != "peek":
		return plain(verb), nil
	}
	for i, name := range names {
		if strings.EqualFold(strings.Join(strings.Fields(name), " "), rest) {
			return move{verb, domain.Seat(i)}, nil
		}
	}
	if i := strings.Index("ABCD", strings.ToUpper(rest)); i >= 0 && len(rest) == 1 {
		return move{verb, domain.Seat(i)}, nil
	}
	return nil, domain.Refuse("unreadable", "text", text)
}

// FormatMove writes the canonical notation.
func (Rules) FormatMove(m domain.Move, names []string) string {
	mv := m.(move)
	switch {
	case mv.verb != "peek":
		return mv.verb
	case int(mv.at) < len(names):
		return "peek " + names[mv.at]
	}
	return "peek " + mv.at.Letter()
}

// Steps are the verb, and whom to peek at.
func (Rules) Steps(_ domain.State, m domain.Move) []domain.Step {
	mv := m.(move)
	steps := []domain.Step{{Key: mv.verb, Label: domain.S("step." + mv.verb)}}
	if mv.verb == "peek" {
		steps = append(steps, domain.Step{Key: mv.at.Letter(), Label: domain.S("seat", "seat", mv.at), Spot: mv.at.Letter()})
	}
	return steps
}
