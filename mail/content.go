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
	Story     link // the page of a game that is over, to be sent to others
	Ask       bool // the button answers what the introduction asks, and comes right after it
	Panels    []shown
	Words     string   // the heading of Lines
	Lines     []string // the situation in words
	MovesHead string
	Later     string // what the picture shows without a letter, since in the list it only follows another choice
	Places    []place
	LinksHead string
	More      link    // to the moves there was no room for
	ReplyTo   string  // where an answer to this mail is read; "" for nowhere
	HowTo     string  // how it is answered
	Typed     []typed // what may be written, and what that does
	InReplyTo string  // the mail that this one answers, without angle brackets; "" for none
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
	Rule      link // about what was refused
	Proposal  link // to answer what is proposed, in a mail about something else
	Footer    []link
	Why       string
	Keep      string // that the mail plays the seat

	example string // what plays the first move that it lists; "" where it lists none
	headed  uint64 // the version of the table that the headline tells; 0 for none
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

// typed is what somebody may write in an answer, and what it does.
type typed struct{ Write, Does string }

// Line is both in one line of text.
func (t typed) Line() string { return t.Write + " – " + t.Does }

type score struct {
	Label   string
	Points  int
	IfEnded string   // the points if the game ended now, where they differ
	Rank    int      // once it has; 0 for none
	Causes  []string // where they come from, once it has
}

// Line is a score in one line of text.
func (s score) Line() string {
	line := s.Place() + s.Label + ": " + strconv.Itoa(s.Points)
	if s.IfEnded != "" {
		line += " (" + s.IfEnded + ")"
	}
	return line
}

// Place is the rank before a label, "1. ", or "".
func (s score) Place() string {
	if s.Rank == 0 {
		return ""
	}
	return strconv.Itoa(s.Rank) + ". "
}
