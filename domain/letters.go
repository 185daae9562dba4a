package domain

// Lettered is what a [Rulebook] adds whose board in characters can bear what a sketch shows: the
// numbers of the open choices, and what is being tried. A text mail uses it in place of
// [Description].Board where there is a sketch to show.
type Lettered interface {
	// Letters is the board in characters, at most 72 columns wide.
	Letters(v View, sketch Sketch) string
}
