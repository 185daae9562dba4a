package domain

// Accounts belongs to a rulebook that can account for a finished game: what chance brought against what was expected,
// and what everybody gained and spent.
type Accounts interface {
	// Chances returns what chance brought by an event, as everybody saw it, and what was expected. S is the state
	// before the event; only what everybody knew then may matter.
	Chances(s State, e *Event) []Chance
	// Goods counts what everybody has, in a view: by kind if the viewer knows the kinds for everybody, otherwise what
	// they know for everybody.
	Goods(v View) Goods
}

// Chance is one result of chance. Its name is a word in the game's catalogue: luck.NAME; luck.NAME.help says what is
// counted.
type Chance struct {
	Name          string
	Entry         int // of the Standing; -1 for the game as a whole
	Got, Expected float64
}

// Goods are what everybody has of each kind.
type Goods struct {
	Kinds []Say
	Each  [][]int // by entry of the Standing, one number per kind
}
