package domain

// Tally is what everybody may count for each player, and for the game as a whole.
type Tally struct {
	Each [][]Count // by entry of the Standing
	All  []Count
}

// Count is a number with a small picture, and the same in words.
type Count struct {
	Name  string // a word unique in its list, fit for a class: "cards"
	Scene Scene  // without symbols
	N     int
	Most  int  // if it cannot be counted exactly: at least N, at most this; otherwise 0
	Held  bool // a card or title that only one player has goes with it
	First bool // it stays beside the points even when there is little room
	Words Say
}

// Deed is something that is done for a price.
type Deed struct {
	Key   string // the Key of the first Step of the moves that do it
	Label Say    // short: "Road"
	Scene Scene  // without symbols
	N     int    // how many the viewer has, if that is meaningful; otherwise 0
	Cost  []Scene
	Price Say   // Cost in words
	Not   []Say // why the viewer cannot, regardless of whose turn it is; empty if they can
}

// Fact is what can be said of something: of a card, of what is built.
type Fact struct {
	Name Say
	Says []Say // sentences
	Paid bool  // it is built or bought, and no card
}

// Rate is what the bank takes when it replaces the partner of a [Form]: N of Word, from the form's first field of
// amounts, for one of another word, from the next. Pattern gives the move, with {word} for the other word.
type Rate struct {
	Word    string
	N       int
	Pattern string
}
