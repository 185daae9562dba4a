package rulebooktest_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooktest/tiny"
)

// twin is tiny with one fault in what its events or deals reveal.
type twin struct {
	domain.Rulebook
	event   func(s domain.State, seat domain.Seat, e *domain.Event, luck *domain.Luck)
	deal    func(r domain.Rulebook, s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event
	shuffle func(r domain.Rulebook, s domain.State, luck *domain.Luck) domain.Event
	count   func(s domain.State) int
}

func (w twin) Decide(s domain.State, seat domain.Seat, m domain.Move, luck *domain.Luck) (domain.Event, error) {
	e, err := w.Rulebook.Decide(s, seat, m, luck)
	if err == nil && w.event != nil {
		w.event(s, seat, &e, luck)
	}
	return e, err
}

func (w twin) Blind(s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
	if w.deal != nil {
		return w.deal(w.Rulebook, s, v, luck)
	}
	return w.Rulebook.Blind(s, v, luck)
}

func (w twin) Extras() domain.Extras {
	return domain.Extras{Reshuffle: w.Reshuffle, Uncovered: w.Uncovered}
}

func (w twin) Reshuffle(s domain.State, luck *domain.Luck) domain.Event {
	if w.shuffle != nil {
		return w.shuffle(w.Rulebook, s, luck)
	}
	return w.Rulebook.Extras().Reshuffle(s, luck)
}

func (w twin) Uncovered(s domain.State, e *domain.Event) int {
	n := w.Rulebook.Extras().Uncovered(s, e)
	if w.count != nil {
		n += w.count(s)
	}
	return n
}

// card returns the card that an event deals or shows to a seat, and whether it does so.
func card(e *domain.Event) (int, bool) {
	for _, p := range e.Secrets {
		var c struct{ Card int }
		if b, err := json.Marshal(p.Body); err == nil && json.Unmarshal(b, &c) == nil && c.Card > 0 {
			return c.Card, true
		}
	}
	return 0, false
}

// written changes an event in its written form.
func written(e *domain.Event, change func(body map[string]any, parts []map[string]any)) {
	codec := tiny.Rulebook.Codec()
	public, secrets, _ := codec.Encode(e)
	var whole map[string]any
	_ = json.Unmarshal(public, &whole)
	parts := make([]map[string]any, len(secrets))
	for i := range secrets {
		_ = json.Unmarshal(secrets[i].Data, &parts[i])
	}
	change(whole["body"].(map[string]any), parts)
	public, _ = json.Marshal(whole)
	for i := range secrets {
		secrets[i].Data, _ = json.Marshal(parts[i])
	}
	back, err := codec.Decode(e.Type, public, secrets)
	if err != nil {
		panic(err)
	}
	e.Body, e.Secrets = back.Body, back.Secrets
}

const toldTooMuch = "what they are not shown"

var all = domain.To(0, 1, 2, 3)

// leaks are twins that each reveal to somebody what they must not know, or deal afresh what they know.
var leaks = map[string]struct {
	rb   twin
	says string
}{
	"a card is named in the public move": {
		twin{event: func(_ domain.State, _ domain.Seat, e *domain.Event, _ *domain.Luck) {
			if c, ok := card(e); ok && e.Type == "chose.v1" {
				e.Move = "swap " + strconv.Itoa(c)
			}
		}}, toldTooMuch},
	"a secret part is for all": {twin{event: func(_ domain.State, _ domain.Seat, e *domain.Event, _ *domain.Luck) {
		for i := range e.Secrets {
			e.Secrets[i].To = all
		}
	}}, toldTooMuch},
	"a card stands in the public body": {
		twin{event: func(_ domain.State, _ domain.Seat, e *domain.Event, _ *domain.Luck) {
			if c, ok := card(e); ok && e.Type == "chose.v1" {
				written(e, func(body map[string]any, _ []map[string]any) {
					if body["choice"] == "swap" {
						body["at"] = c
					}
				})
			}
		}}, toldTooMuch},
	"how often is drawn tells a card": {
		twin{event: func(s domain.State, _ domain.Seat, _ *domain.Event, luck *domain.Luck) {
			if truth(s).Hands[0] > 12 {
				luck.DrawUnseen("aside", 2)
			}
		}}, toldTooMuch},
	"of how many is drawn tells a card": {
		twin{event: func(s domain.State, _ domain.Seat, _ *domain.Event, luck *domain.Luck) {
			luck.DrawUnseen("aside", 1+truth(s).Hands[1])
		}}, toldTooMuch},
	"how many secret parts there are tells a card": {
		twin{event: func(s domain.State, _ domain.Seat, e *domain.Event, _ *domain.Luck) {
			if truth(s).Hands[1] > 12 && e.Type == "chose.v1" && len(e.Secrets) == 1 {
				e.Secrets = append(e.Secrets, domain.Secret{Body: e.Secrets[0].Body})
			}
		}}, toldTooMuch},
	"more comes to light than the view shows": {
		twin{event: func(s domain.State, seat domain.Seat, e *domain.Event, _ *domain.Luck) {
			if c, ok := card(e); ok && e.Type == "chose.v1" {
				rest := truth(s).Stack
				written(e, func(body map[string]any, parts []map[string]any) {
					if body["choice"] == "peek" && len(rest) > 0 && c > 0 {
						parts[0]["stack"] = rest
					}
				})
			}
		}}, toldTooMuch},
	"nothing is dealt for seats": {
		twin{deal: func(r domain.Rulebook, s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
			if v >= 0 {
				v = domain.Referee
			}
			return r.Blind(s, v, luck)
		}}, "Blind never dealt afresh what it hides"},
	"nothing is dealt for the second seat": {
		twin{deal: func(r domain.Rulebook, s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
			if v == 1 {
				v = domain.Referee
			}
			return r.Blind(s, v, luck)
		}}, "Blind never dealt afresh what it hides"},
	"nothing is dealt for spectators": {
		twin{deal: func(r domain.Rulebook, s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
			if v == domain.Spectator {
				v = domain.Referee
			}
			return r.Blind(s, v, luck)
		}}, "Blind never dealt afresh what it hides"},
	"the stack is dealt, and hands are not": {
		twin{deal: func(r domain.Rulebook, s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
			if v == domain.Referee {
				return r.Blind(s, v, luck)
			}
			return r.Extras().Reshuffle(s, luck)
		}}, "Blind never dealt afresh what it hides"},
	"hands are dealt, and the stack is not": {
		twin{deal: func(r domain.Rulebook, s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
			if v == domain.Referee || truth(s).Over {
				return r.Blind(s, v, luck)
			}
			e := r.Blind(s, domain.Referee, luck)
			t := truth(s)
			var hidden []int
			for i, known := range t.Known {
				if !known.Admits(v) {
					hidden = append(hidden, i)
				}
			}
			if len(hidden) == 2 && luck.DrawUnseen("aside", 2) == 0 {
				written(&e, func(_ map[string]any, parts []map[string]any) {
					parts[1+hidden[0]]["card"], parts[1+hidden[1]]["card"] = parts[1+hidden[1]]["card"],
						parts[1+hidden[0]]["card"]
				})
			}
			return e
		}}, "shows in a deal made for them"},
	"a deal is no position": {twin{
		deal: func(r domain.Rulebook, s domain.State, v domain.Viewer, luck *domain.Luck) domain.Event {
			e := r.Blind(s, v, luck)
			if v == domain.Referee {
				return e
			}
			written(&e, func(_ map[string]any, parts []map[string]any) {
				if stack, ok := parts[0]["stack"].([]any); ok && len(stack) > 1 {
					stack[1] = stack[0]
				}
			})
			return e
		}}, "a fresh deal is a position"},
	"a shuffle changes nothing": {
		twin{shuffle: func(r domain.Rulebook, s domain.State, luck *domain.Luck) domain.Event {
			return r.Blind(s, domain.Referee, luck)
		}}, "Reshuffle never changed"},
	"a shuffle takes hands away": {
		twin{shuffle: func(r domain.Rulebook, s domain.State, luck *domain.Luck) domain.Event {
			return r.Blind(s, domain.Spectator, luck)
		}}, "Reshuffle leaves viewer"},
	"a shuffle tells": {twin{shuffle: func(r domain.Rulebook, s domain.State, luck *domain.Luck) domain.Event {
		e := r.Extras().Reshuffle(s, luck)
		for i := range e.Secrets[1:] {
			e.Secrets[i+1].To = all
		}
		return e
	}}, "a shuffle tells viewer"},
	"a count of seen cards tells": {twin{count: func(s domain.State) int {
		return truth(s).Hands[1] % 2
	}}, toldTooMuch},
}

func TestTheSuiteFindsEveryLeak(t *testing.T) {
	for name, leak := range leaks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			leak.rb.Rulebook = tiny.Rulebook
			require.Contains(t, found(leak.rb), leak.says)
		})
	}
}
