package mail

import (
	"strconv"
)

// content is what both templates say.
type content struct {
	Lang      string
	Subject   string
	Preheader string
	Headline  string
	Intro     []string
	Button    link
	Ask       bool // the button answers what the introduction asks, and comes right after it
	Picture   shown
	Hand      shown    // what is to be played, beside the board
	Board     string   // the board in characters
	Legend    []string // what its characters mean
	Words     string   // the heading of Lines
	Lines     []string // the situation in words
	MovesHead string
	Places    []place
	LinksHead string
	More      link // to the moves there was no room for
	SinceHead string
	Since     []string
	ScoreHead string
	Scores    []score
	Final     bool // the scores are the last ones, and come first
	Receipt   string
	ReceiptIs string
	Footer    []link
	Why       string
}

// shown is a picture in the HTML; without a Content-ID there is none.
type shown struct {
	ID   string
	W, H int
	Alt  string
}

type link struct{ Label, URL string }

type score struct {
	Label   string
	Points  int
	IfEnded string // the points if the game ended now, where they differ
}

// Line is a score in one line of text.
func (s score) Line() string {
	line := s.Label + ": " + strconv.Itoa(s.Points)
	if s.IfEnded != "" {
		line += " (" + s.IfEnded + ")"
	}
	return line
}
