package kit

import (
	"slices"

	"posthorn/domain"
)

// Basics are the table room: what a game is before anybody plays, as data.
type Basics struct {
	Word        string // its name in scripts and subjects
	Rules       string // the edition of the rules that decide; "" is "1"
	Least, Most int    // seats
	// Fits is how many seats there may be where that depends on the options; or nil.
	Fits     func(o domain.Choices) (least, most int)
	Variants []domain.Option
	Chance   []string          // kinds of chance
	Words    map[string][]byte // see [Catalogue]
}

// Switch is an option that is on or off.
func Switch(key, standard string) domain.Option {
	return domain.Option{Key: key, Values: []string{"on", "off"}, Default: standard}
}

// Name implements [domain.Rulebook].
func (b Basics) Name() string { return b.Word }

// Edition implements [domain.Rulebook].
func (b Basics) Edition() string {
	if b.Rules == "" {
		return "1"
	}
	return b.Rules
}

// Options implements [domain.Rulebook].
func (b Basics) Options() []domain.Option { return slices.Clone(b.Variants) }

// Seats implements [domain.Rulebook].
func (b Basics) Seats(o domain.Choices) (least, most int) {
	if b.Fits != nil {
		return b.Fits(o)
	}
	return b.Least, b.Most
}

// ChanceKinds implements [domain.Rulebook].
func (b Basics) ChanceKinds() []string { return b.Chance }

// Catalogue implements [domain.Rulebook].
func (b Basics) Catalogue() map[string][]byte { return b.Words }
