package domain

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

// Sources are what everybody's points come from, by kind. A kind is a word in the game's catalogue: from.KIND.
type Sources struct {
	Kinds []string
	Each  [][]int // by entry of the Standing, the points of each kind
}
