package domain

// Glance belongs to a rulebook whose game is read at a glance by counts, or whose deeds have a price.
type Glance interface {
	// Tally is what everybody may count in a view.
	Tally(v View) Tally
	// Deeds are what the viewer may do for a price, whether they can now or not; none for whoever plays no seat.
	Deeds(v View) []Deed
	// Pictured is the picture of a word that forms count ("wool"), without symbols; of no size where it has none. A
	// [Form] whose amounts all have pictures is put together from them.
	Pictured(word string) Scene
}

// Tally is what everybody may count of those who play, and of the game as a whole.
type Tally struct {
	Each [][]Count // by entry of the Standing
	All  []Count
}

// Count is a number with a small picture, and the same in words.
type Count struct {
	Name  string // a word of its own in its list, fit for a class: "cards"
	Scene Scene  // without symbols
	N     int
	Most  int  // of what cannot be counted exactly: N at least, and this at most; else 0
	Held  bool // a card or title goes with it that only one has
	First bool // it stands beside the points even where there is little room
	Words Say
}

// Deed is something that is done for a price.
type Deed struct {
	Key   string // the Key of the first Step of the moves that do it
	Label Say    // short: "Road"
	Scene Scene  // without symbols
	N     int    // how many of it the viewer has, where that says something; else 0
	Cost  []Scene
	Price Say   // Cost in words
	Not   []Say // why the viewer cannot, whoever's turn it is; empty where they can
}

// Rate is what the bank of a game takes in place of a partner of a [Form]: N of one word of its first field of amounts
// for one of another word of the next. Pattern gives the move, the other word being {word}.
type Rate struct {
	Word    string
	N       int
	Pattern string
}
