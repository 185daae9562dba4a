package domain

// Accounts belongs to a rulebook whose games are read afterwards as accounts: what chance brought against what was to
// be expected of it, and what everybody gained and spent.
type Accounts interface {
	// Chances says what chance brought with an event, as everybody saw it, and what was to be expected. S is the state
	// before it, of which only what everybody knew then may matter.
	Chances(s State, e *Event) []Chance
	// Goods counts what everybody has, in a view: by kind where the viewer knows that of all, and else what they know of all.
	Goods(v View) Goods
}

// Chance is what chance brought once. Its name is a word of its own in the game's catalogue: luck.NAME, and luck.NAME.help
// says what is counted.
type Chance struct {
	Name          string
	Entry         int // of the Standing; -1 for the game as a whole
	Got, Expected float64
}

// Goods are what everybody has of each kind.
type Goods struct {
	Kinds []Say
	Each  [][]int // by entry of the Standing, a number a kind
}
