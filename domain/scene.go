package domain

// Scene is a drawing as a list of shapes, in user units, y downwards. Pages turn it into SVG, mails into PNG; both must
// look the same. Symbols are defined once and used often.
//
// W decides how large a unit is: a page gives a scene the available width, a mail [PanelWidth] pixels, and neither more
// than [PanelUnit] pixels per unit. In a scene 1000 units wide, letters take half as many pixels as their Size.
type Scene struct {
	X, Y, W, H float64 // what is shown
	Ground     Color   // opaque background
	Symbols    []Symbol
	Shapes     []Shape
}

// Symbol is a drawing used many times, about its own origin.
type Symbol struct {
	ID     string  // letters, digits and "-"
	Shapes []Shape // never change them once they are in a scene: rasters are cached by their address
	// The box that the symbol covers about its origin, so that a raster of it can be cached.
	X, Y, W, H float64
}

// Color is 0xRRGGBBAA; the zero value is no colour.
type Color uint32

// RGB makes an opaque colour from 0xRRGGBB.
func RGB(c uint32) Color { return Color(c<<8 | 0xFF) }

// Alpha returns the colour with an opacity of 0 to 255.
func (c Color) Alpha(a uint8) Color { return c&^0xFF | Color(a) }

// Night is what one colour of a game's drawings becomes where the page is dark: pages find it in a drawing by its
// value. A colour without one stays, as paper does with the ink on it.
type Night struct {
	Day, Night Color
	Line       Color  // of lines drawn in it, if that is another
	Panel      string // only in pictures of the panel of this name; "" for all
	Ground     bool   // it is a ground: what surrounds such a picture has its colour, too, by day and by night
}

// AtNight returns the night of a colour that becomes 0xRRGGBB wherever it is.
func (c Color) AtNight(night uint32) Night { return Night{Day: c, Night: RGB(night)} }

// ReadSpot, put before a card's Spot, makes the spot for reading the card, whatever pressing the card itself does.
const ReadSpot = "?"

// Shape is one thing drawn: exactly one of Path, Text, Words, Use or Group is set.
type Shape struct {
	Path  Path
	Text  string // letters and digits only: names are never drawn
	Words Say    // a text in the viewer's language, which [Scene.Said] turns into Text
	Use   string // a Symbol's ID
	Group []Shape

	Fill   Color
	Stroke Color
	Width  float64 // of the stroke
	Dash   float64 // length of dashes and gaps; 0 is a solid line

	// At, Turn and Scale place Text, Words, Use and Group: scaled, then turned clockwise by
	// degrees about its origin, then moved. A Scale of 0 means 1. They do not apply to Path.
	At    Point
	Turn  float64
	Scale float64

	Size  float64 // of Text: height of the font in units; the text is centred on At
	Wide  float64 // of Words: the width available, in units; 0 is as much as they need
	Lines int     // of Words: how many lines they may take; 0 is one
	// of Words: At is the middle of the first line, with the others below it; otherwise it is the middle of all lines
	Under bool
	Bold  bool
	Serif bool
	Spot  string // a choice made by pressing this shape (see Step.Spot), or ""
	Title Say    // what a group is, for who points at it or cannot see it; a Spot takes its title from its Step
	Class string // a hook for the page's style: "last", "ghost", "open"; no meaning in PNG
	// drawn in neither SVG nor PNG; its Spot still catches presses. A group whose first shape is hidden is pressed
	// where that lies, and otherwise where it is drawn, or a finger's width around it.
	Hidden bool
}

// Point is a place in a scene.
type Point struct{ X, Y float64 }

// Pt is a place in a scene.
func Pt(x, y float64) Point { return Point{x, y} }

// Path is an outline: absolute segments, as in SVG.
type Path []Segment

// Segment is one piece of a path. Op is 'M', 'L', 'Q' (A is the control point), 'C' (A and B are the control points) or
// 'Z'; To is the end point.
type Segment struct {
	Op   byte
	A, B Point
	To   Point
}

// M starts an outline.
func (p Path) M(x, y float64) Path { return append(p, Segment{Op: 'M', To: Point{x, y}}) }

// L draws a line.
func (p Path) L(x, y float64) Path { return append(p, Segment{Op: 'L', To: Point{x, y}}) }

// Q draws a quadratic curve.
func (p Path) Q(ax, ay, x, y float64) Path {
	return append(p, Segment{Op: 'Q', A: Point{ax, ay}, To: Point{x, y}})
}

// C draws a cubic curve.
func (p Path) C(ax, ay, bx, by, x, y float64) Path {
	return append(p, Segment{Op: 'C', A: Point{ax, ay}, B: Point{bx, by}, To: Point{x, y}})
}

// Z closes the outline.
func (p Path) Z() Path { return append(p, Segment{Op: 'Z'}) }

// Filled fills the outline.
func (p Path) Filled(fill Color) Shape { return Shape{Path: p, Fill: fill} }

// Stroked draws the outline as a line.
func (p Path) Stroked(stroke Color, width float64) Shape {
	return Shape{Path: p, Stroke: stroke, Width: width}
}

// Drawn fills the outline and draws its line.
func (p Path) Drawn(fill, stroke Color, width float64) Shape {
	return Shape{Path: p, Fill: fill, Stroke: stroke, Width: width}
}

// Letters are bold letters and digits about a place.
func Letters(text string, at Point, size float64, fill Color) Shape {
	return Shape{Text: text, At: at, Size: size, Bold: true, Fill: fill}
}

// Rect is a closed rectangle.
func Rect(x, y, w, h float64) Path { return Path{}.M(x, y).L(x+w, y).L(x+w, y+h).L(x, y+h).Z() }

// Ellipse is a closed ellipse about a centre.
func Ellipse(x, y, rx, ry float64) Path {
	const c = 0.5522847498
	return Path{}.M(x+rx, y).
		C(x+rx, y+c*ry, x+c*rx, y+ry, x, y+ry).
		C(x-c*rx, y+ry, x-rx, y+c*ry, x-rx, y).
		C(x-rx, y-c*ry, x-c*rx, y-ry, x, y-ry).
		C(x+c*rx, y-ry, x+rx, y-c*ry, x+rx, y).Z()
}

// Sketch is what is being tried or shown on a board, beside its state.
type Sketch struct {
	Chosen []string // the keys of the steps chosen so far, in order (see Step)
	Open   []Spot   // the next choices that lie on the board
	Other  []Spot   // choices on the board that could have been made instead of Chosen: may be drawn, and pressed
	Ahead  []Spot   // choices on the board one step further, see Step.Ahead: Key is that of the step before them
	Later  []Spot   // choices on the board that follow another: named in a panel's Text, not drawn
	// for a mail, which cannot be scrolled or pressed: nothing is much wider than [PanelWidth], and places bear the
	// names that an answer calls them by. A page's board bears none: there they are pressed.
	Narrow bool
	Last   []*Event // the events to mark on the board, redacted for the viewer: who earned what
}

// Spot is a choice that lies on a panel, with its name, the same there as everywhere.
type Spot struct {
	Key  string   // of the Step
	Spot string   // of the Step
	Name string   // Step.Place, or a letter if the step has none
	Best bool     // it stands out among the others
	Then []string // the keys of the steps that may follow it
}

// SeatColor returns a seat's colour; its letter goes with it everywhere. Nobody's is grey.
func SeatColor(s Seat) Color {
	if colors := [...]uint32{0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x8C6D1F, 0x7A4FA3}; s >= 0 &&
		int(s) < len(colors) {
		return RGB(colors[s])
	}
	return RGB(0x7A7A7A)
}

// Panel is one of the pictures that show a view: the map, the tile to place, a hand. Pages and mails lay panels out for
// their width; a text mail prints each in characters.
type Panel struct {
	// a word, the same whatever the panel shows, one of those below if it is such a panel; the catalogue's "panel.NAME"
	// is its heading
	Name   string
	Called Say // its heading if that has arguments, such as whose it is; the zero Say for the catalogue's
	// its heading for people who look in the viewer's place, if the usual one says "your"; or the zero Say
	Theirs Say
	Weight Weight
	Asked  bool // the open decision may be about it: it stands with the choices of a viewer who has any
	Scene  Scene
	// Least is the picture's least width in pixels on a page, which shows a part of it and lets people scroll if there
	// is less room; 0 for a picture that may shrink to its room.
	Least float64
	// Each is the width of the parts that make up the picture, side by side from its left and without overlap: a page
	// may break them into several rows. 0 for a picture in one piece.
	Each  float64
	Lines []Say // its own words: what it shows, in a sentence, and what the characters of Text mean
	// Text is all that a text mail shows of a panel beside its Lines: it has neither the picture nor the alternative
	// text.
	// the picture in characters, lines of at most 72 columns; "" if the picture says nothing that Lines do not
	Text  string
	Cells []Cell // words in the reader's language within Text
	Items []Say  // in place of Text: one after another
	Told  []Told // of each of Items what a text mail says of it
}

// Told is what a text mail says of a thing: all in one sentence, or its name with what must be known, and elsewhere
// its name with what it does.
type Told struct{ Line, Short, Does Say }

// Heading returns a panel's heading.
func (p *Panel) Heading() Say {
	if p.Called.Key != "" {
		return p.Called
	}
	return S("panel." + p.Name)
}

// The names of panels that any game may have, and for which pages have a place of their own.
const (
	PanelHand   = "hand"   // what the viewer holds: a phone shows it right below the board
	PanelFound  = "found"  // what the viewer found and chooses from: above the hand
	PanelOffers = "offers" // what others offer: with the answers
	PanelCosts  = "costs"  // what things cost, to look up
)

// Weight is how much room a panel gets when there is little.
type Weight string

// The weights of panels. The first panel is a main one.
const (
	PanelMain   Weight = "main"   // as large as fits: what the game is played on
	PanelBeside Weight = "beside" // beside a main panel, below it on a phone
	PanelStrip  Weight = "strip"  // the whole width, but low
)

// The room of panels in a mail.
const (
	PanelWidth       = 500.0 // width in pixels of a main panel or a strip
	PanelBesideWidth = 320.0 // width in pixels of a panel beside another
	PanelUnit        = 1.2   // the most pixels per unit: small scenes are not blown up
	SmallestText     = 5.0   // least height in pixels of legible letters; a growing map may end up with smaller ones
)

// MostFlat is how many choices that lie on no panel may be open at one step: a page shows a button for each, a mail a
// line. Steps splits anything that may have more: first a card, then a place for it.
const MostFlat = 64

// CardText is one card that lies somewhere, in words.
type CardText struct {
	Key   string // stable while the card lies there, unique in the list, fit for an address: "hand-2", "a-0b1"
	Place Say    // where it lies: "In your hand"; cards of one place follow each other
	Label Say    // its name
	Lines []Say  // what it is: kind, cost, points, requirements, effect; a sentence each
	// Not is everything that keeps the viewer from using it now, a sentence each; empty if nothing does, or if it is
	// not theirs to use (a card already in play).
	Not  []Say
	Hand bool   // in the viewer's own hand
	Spot string // the Shape.Spot of the drawing where it lies, or ""
	Face Scene  // the card drawn large, without what Lines say; the zero value if there is none
}
