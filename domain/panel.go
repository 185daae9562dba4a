package domain

// Panel is one of the pictures that show a position: the map, the tile to place, a hand. Pages and
// mails lay panels out for their width; a text mail prints what each says in characters.
type Panel struct {
	Name   string // a word, the same whatever is on the panel; the catalogue's "panel.NAME" is its heading
	Weight Weight
	Scene  Scene
	Lines  []Say  // words of its own: what it shows in a sentence, what the characters of Text mean
	Text   string // the same in characters, lines of at most 72 columns; "" if the picture says nothing that Lines do not
}

// Weight is how much room a panel is given where there is little.
type Weight string

// The weights of panels. The first panel is a main one.
const (
	PanelMain   Weight = "main"   // as large as fits: what the game is played on
	PanelBeside Weight = "beside" // beside a main panel, below it on a phone
	PanelStrip  Weight = "strip"  // the whole width, and low
)
