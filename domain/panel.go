package domain

// Panel is one of the pictures that show a view: the map, the tile to place, a hand. Pages and
// mails lay panels out for their width; a text mail prints what each says in characters.
type Panel struct {
	Name   string // a word, the same whatever is on the panel; the catalogue's "panel.NAME" is its heading
	Weight Weight
	Scene  Scene
	Lines  []Say // words of its own: what it shows in a sentence, what the characters of Text mean
	// Text is all that a text mail shows of a panel, beside its Lines: it has neither the picture nor the
	// words for those who do not see it.
	Text string // the same in characters, lines of at most 72 columns; "" if the picture says nothing that Lines do not
}

// Weight is how much room a panel is given where there is little.
type Weight string

// The weights of panels. The first panel is a main one.
const (
	PanelMain   Weight = "main"   // as large as fits: what the game is played on
	PanelBeside Weight = "beside" // beside a main panel, below it on a phone
	PanelStrip  Weight = "strip"  // the whole width, and low
)

// The room of panels in a mail.
const (
	PanelWidth       = 500.0 // pixels of a main panel or a strip
	PanelBesideWidth = 320.0 // pixels of a panel beside another
	PanelUnit        = 1.2   // the most pixels a unit: small scenes are not blown up
	SmallestText     = 5.0   // pixels of letters that can be read; a map that grows may have smaller ones in time
)

// MostFlat is how many choices that lie on no panel may be open at one step: a page shows a button
// for each, a mail a line. What may be more is split by Steps: first a card, then a place for it.
const MostFlat = 64

// CardText is one card that lies somewhere, in words.
type CardText struct {
	Key   string // stable while the card lies there and of its own in the list, fit for an address: "hand-2", "a-0b1"
	Place Say    // where it lies: "In your hand"; cards of one place follow each other
	Label Say    // its name
	Lines []Say  // what it is: kind, cost, points, what it asks for, its effect; a sentence each
	// Not is everything that keeps the viewer from using it now, a sentence each; empty where
	// nothing does, or where it is not theirs to use (a card already in play).
	Not  []Say
	Hand bool   // of the viewer's own hand
	Spot string // the Shape.Spot of the drawing where it lies, or ""
}
