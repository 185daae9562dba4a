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
	Added  bool     `json:"-"` // the causes are of what the end added, not of all
}

// Scores are how a game stands, entry by entry.
func Scores(m *turn.Model) []Score {
	out := []Score{}
	for i, score := range m.Standing.Scores {
		e := Score{Label: m.Labels[i], Score: score, Final: score, Causes: []string{}, Added: m.Standing.Adds()}
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

// Word is a value and what it is called.
type Word struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Selected bool   `json:"-"` // in a form
}

// Words are values, of which one may be chosen, and what they are called.
func Words(values []string, chosen string, label func(string) string) []Word {
	out := make([]Word, len(values))
	for i, value := range values {
		out[i] = Word{Value: value, Label: label(value), Selected: value == chosen}
	}
	return out
}

// Worded calls a value by the text of a key that ends with it.
func (v *Visit) Worded(key string) func(string) string {
	return func(value string) string { return v.T(key + value) }
}

// Game is a game as it is offered.
type Game struct {
	Game    string   `json:"game"`
	Name    string   `json:"name"`
	Edition string   `json:"edition"`
	Least   int      `json:"least"`
	Most    int      `json:"most"`
	Fewest  int      `json:"-"` // with a variant for fewer than Least
	Options []Option `json:"options"`
}

// Option is an option of a game.
type Option struct {
	Key     string `json:"key"`
	Label   string `json:"label"`
	Help    string `json:"help"`
	Default string `json:"default"`
	Values  []Word `json:"values"`
	First   bool   `json:"-"` // chosen with the game
	With    string `json:"-"` // the switch without which it changes nothing
	Seats   int    `json:"-"` // how many seats there must be for it to change anything; 0 for any
}

// Game offers a game in the reader's language. Chosen is what was chosen of an option so far.
func (v *Visit) Game(rb domain.Rulebook, chosen func(domain.Option) string) Game {
	p := v.Book.Printer(v.Lang, rb.Name(), nil)
	g := Game{Game: rb.Name(), Name: p.Text("name"), Edition: rb.Edition(), Options: []Option{}}
	g.Least, g.Most = rb.Seats(FullOr(rb, nil))
	g.Fewest = g.Least
	for n := range g.Least {
		if SwitchFor(rb, nil, n) != "" {
			g.Fewest = n
			break
		}
	}
	for _, o := range rb.Options() {
		g.Options = append(g.Options, Option{Key: o.Key, Label: p.Text("option." + o.Key), Help: p.Text("option." + o.Key + ".help"), Default: o.Default, First: o.First, With: o.With, Seats: o.Seats,
			Values: Words(o.Values, chosen(o), func(value string) string { return v.OptionWord(rb, o, value) })})
	}
	return g
}

// SwitchFor is the variant that a number of seats asks for, as the solo game does for one: a game that fits no seats as it was chosen is
// the one that does. "" where there is none, or it fits.
func SwitchFor(rb domain.Rulebook, chosen domain.Choices, seats int) string {
	full := FullOr(rb, chosen)
	fits := func() bool {
		least, most := rb.Seats(full)
		return seats >= least && seats <= most
	}
	if fits() {
		return ""
	}
	for _, o := range rb.Options() {
		if o.Seats != seats || seats == 0 || full.On(o.Key) {
			continue
		}
		was := full[o.Key]
		if full[o.Key] = "on"; fits() {
			return o.Key
		}
		full[o.Key] = was
	}
	return ""
}

// Games offers all games.
func (v *Visit) Games() []Game {
	out := []Game{}
	for _, rb := range v.Rulebooks {
		out = append(out, v.Game(rb, func(o domain.Option) string { return o.Default }))
	}
	return out
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
