package door

import (
	"time"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// Instant is a time in UTC, always written as long: a length tells nothing.
type Instant time.Time

// Time is the time.
func (i Instant) Time() time.Time { return time.Time(i) }

// MarshalText writes milliseconds, those of zero too.
func (i Instant) MarshalText() ([]byte, error) {
	return []byte(time.Time(i).UTC().Format("2006-01-02T15:04:05.000Z")), nil
}

// Score is one entry of how a game stands.
type Score struct {
	Label  string   `json:"label"`
	Score  int      `json:"score"`
	Final  int      `json:"final"`
	Rank   int      `json:"rank,omitempty"`
	Causes []string `json:"causes"`
}

// Scores are how a game stands, entry by entry.
func Scores(m *turn.Model) []Score {
	out := []Score{}
	for i, score := range m.Standing.Scores {
		e := Score{Label: m.Labels[i], Score: score, Final: score, Causes: []string{}}
		if i < len(m.Standing.Final) {
			e.Final = m.Standing.Final[i]
		}
		if i < len(m.Causes) && m.Causes[i] != nil {
			e.Causes = m.Causes[i]
		}
		if i < len(m.Standing.Ranks) {
			e.Rank = m.Standing.Ranks[i]
		}
		out = append(out, e)
	}
	return out
}

// GameChoice is a game as it is offered.
type GameChoice struct {
	Name, Label string
	Least, Most int
}

// GameChoice offers a game in the reader's language.
func (v *Visit) GameChoice(rb domain.Rulebook) GameChoice {
	full, err := domain.Complete(rb, nil)
	g := GameChoice{Name: rb.Name(), Label: v.Book.Printer(v.Lang, rb.Name(), nil).Text("name")}
	if err == nil {
		g.Least, g.Most = rb.Seats(full)
	}
	return g
}

// OptionWord is what a value of a game's option is called.
func (v *Visit) OptionWord(rb domain.Rulebook, o domain.Option, value string) string {
	p, key := v.Book.Printer(v.Lang, rb.Name(), nil), "option."+o.Key+"."+value
	if v.Book.Has(rb.Name() + "." + key) {
		return p.Text(key)
	}
	if value == "on" || value == "off" {
		return p.Text(value)
	}
	return value
}

// WordOf is what a word of a form's field is called.
func WordOf(m *turn.Model, f domain.Field, i int) string {
	if i < len(f.Labels) {
		return m.Say(f.Labels[i])
	}
	return f.Words[i]
}
