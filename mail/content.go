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
	Panels    []shown
	Words     string   // the heading of Lines
	Lines     []string // the situation in words
	MovesHead string
	Places    []place
	LinksHead string
	More      link   // to the moves there was no room for
	ReplyTo   string // where an answer to this mail is read; "" for nowhere
	HowTo     string // how it is answered
	InReplyTo string // the mail that this one answers, without angle brackets; "" for none
	SinceHead string
	Since     []string
	ScoreHead string
	Scores    []score
	Final     bool     // the scores are the last ones, and come first
	Seats     []string // who sits where
	TalkHead  string
	Talk      []string // what people did and said since the mail before
	Told      uint64   // the version of the table up to which Talk goes
	UndoHead  string
	Undo      []string // the moves that a proposal would undo
	Receipt   string
	ReceiptIs string
	Footer    []link
	Why       string
}

// shown is a panel: a picture in the HTML, characters in the text.
type shown struct {
	ID    string // the picture's Content-ID
	W, H  int
	Alt   string
	Name  string
	Lines []string
	Text  string
	Main  bool
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
