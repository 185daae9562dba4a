package domain

// Hand is an optional interface of a rulebook: what lies beside the board and belongs to the
// decision that is awaited (the tile to place, a hand of cards), as a drawing of its own for
// whoever the view was made for. ok is false where there is nothing to show.
type Hand interface {
	Hand(v View) (s Scene, ok bool)
}
