package kit

import (
	"io/fs"

	"posthorn/domain"
)

// Basics is a table room for a game that needs no code to say what it is.
type Basics struct {
	Word        string // its name in scripts and subjects
	Rules       string // the edition of the rules that decide; "" is "1"
	Least, Most int    // seats
	Variants    []domain.Option
	Chance      []string // kinds of chance
	Files       fs.FS    // its embedded files, see [Catalogue]
}

// Name implements [Table].
func (b Basics) Name() string { return b.Word }

// Edition implements [Table].
func (b Basics) Edition() string {
	if b.Rules == "" {
		return "1"
	}
	return b.Rules
}

// Options implements [Table].
func (b Basics) Options() []domain.Option { return b.Variants }

// Seats implements [Table].
func (b Basics) Seats(domain.Choices) (least, most int) { return b.Least, b.Most }

// ChanceKinds implements [Table].
func (b Basics) ChanceKinds() []string { return b.Chance }

// Catalogue implements [Table].
func (b Basics) Catalogue() map[string][]byte { return Catalogue(b.Files) }
