package door

import (
	"time"

	"posthorn/domain"
	"posthorn/projections/turn"
)

// Instant is a time in UTC, always written at the same length, so that the length reveals nothing.
type Instant time.Time

// Time returns the time.
func (i Instant) Time() time.Time { return time.Time(i) }

// MarshalText writes the time with milliseconds, even if they are zero.
func (i Instant) MarshalText() ([]byte, error) {
	return []byte(time.Time(i).UTC().Format("2006-01-02T15:04:05.000Z")), nil
}

// Score is one entry of a game's standing.
type Score struct {
	Label  string   `json:"label"`
	Score  int      `json:"score"`
	Final  int      `json:"final"`
	Rank   int      `json:"rank,omitempty"`
	Causes []string `json:"causes"`
	Added  bool     `json:"-"` // the causes explain only what the end added
}

// Scores returns a game's standing, entry by entry.
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

// Word is a value and its label.
type Word struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Selected bool   `json:"-"` // in a form
}

// Words returns values with their labels; at most one is selected.
func Words(values []string, chosen string, label func(string) string) []Word {
	out := make([]Word, len(values))
	for i, value := range values {
		out[i] = Word{Value: value, Label: label(value), Selected: value == chosen}
	}
	return out
}

// Worded returns a function that labels a value with the text whose key ends with it.
func (v *Visit) Worded(key string) func(string) string {
	return func(value string) string { return v.T(key + value) }
}

// Game is a game on offer.
type Game struct {
	Game    string   `json:"game"`
	Name    string   `json:"name"`
	Edition string   `json:"edition"`
	Least   int      `json:"least"`
	Most    int      `json:"most"`
	Fewest  int      `json:"-"` // including a variant for fewer than Least
	Options []Option `json:"options"`
}

// Option is an option of a game.
type Option struct {
	Key     string `json:"key"`
	Label   string `json:"label"`
	Help    string `json:"help"`
	Default string `json:"default"`
	Values  []Word `json:"values"`
	First   bool   `json:"-"` // chosen together with the game
	With    string `json:"-"` // the switch without which it has no effect
	Seats   int    `json:"-"` // how many seats it needs to have an effect; 0 for any number
}

// Game returns a game on offer, in the reader's language. chosen returns what was chosen so far for an option.
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
		g.Options = append(g.Options, Option{Key: o.Key, Label: p.Text("option." + o.Key),
			Help: p.Text("option." + o.Key + ".help"), Default: o.Default, First: o.First, With: o.With, Seats: o.Seats,
			Values: Words(o.Values, chosen(o), func(value string) string { return v.OptionWord(rb, o, value) })})
	}
	return g
}

// SwitchFor returns the variant that a game needs for a number of seats, as the solo game for one, if the game as
// chosen does not fit that number. It returns "" if there is none or the game fits.
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

// Games returns all games on offer.
func (v *Visit) Games() []Game {
	out := []Game{}
	for _, rb := range v.Rulebooks {
		out = append(out, v.Game(rb, func(o domain.Option) string { return o.Default }))
	}
	return out
}

// OptionWord returns the label of a value of a game's option.
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

// WordOf returns the label of a word of a form's field.
func WordOf(m *turn.Model, f domain.Field, i int) string {
	if i < len(f.Labels) {
		return m.Say(f.Labels[i])
	}
	return f.Words[i]
}
