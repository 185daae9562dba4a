package mail

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"posthorn/domain"
)

// content is what both templates show.
type content struct {
	Lang      string
	Subject   string
	Thread    string // the subject of all turns at its table
	Sender    string // what its sender is called, beside the house's address; "" is the house's name
	Preheader string
	Headline  string
	Intro     []string
	Button    link
	Quote     string // words of a person that the headline is about, which come before all else
	Answers   []link // to what the headline asks, in HTML, in place of the button
	Story     link   // the public page of a finished game
	Ask       bool   // the button answers the introduction's question and comes right after it
	Panels    []shown
	Words     string   // the heading of Lines
	Lines     []string // the situation in words
	News      string   // what happened last, in one paragraph
	Before    string   // all that happened, if the news begin in the middle
	Points    string   // how the game stands, in one line
	Due       []string
	Best      []best
	BestHead  string
	Brief     string   // what neither the pictures nor the characters show
	Spelled   []string // what only the pictures show
	MovesHead string
	Places    []place
	LinksHead string
	ReplyTo   string  // the address that takes answers to this mail; "" for none
	HowTo     string  // how to answer
	Typed     []typed // what an answer may say, and what that does
	Mark      string  // names the letter for answers that quote it
	InReplyTo string  // the mail this one answers, without angle brackets; "" for none
	SinceHead string
	Since     []string
	ScoreHead string
	Scores    []score
	Final     bool     // the scores are final and come first
	Seats     []string // who sits where
	TalkHead  string
	Talk      []string // what people did and said since the previous mail
	Told      uint64   // the version of the table up to which Talk goes
	Shown     Shown
	UndoHead  string
	Undo      []string // the moves that a proposal would undo
	Receipt   string
	ReceiptIs string
	Rule      link // to the rule behind a refusal
	Reading   link // to the reading of a rulebook that it follows from
	Proposal  link // to the open proposal, in a mail about something else
	Footer    []link
	Why       string
	Played    string // how the reader's last move came in
	Keep      string // says that the mail plays the seat

	examples []string // texts that play listed moves; none if none is listed
	out      typed    // what ends the turn or passes, if it is not among Best
	unmailed bool     // it says what was not mailed
	calendar []byte   // until when its reader is asked what; nil for nothing
	headed   uint64   // the version of the table that the headline is about; 0 for none
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
	Asked bool     // it shows what the reader is asked about, below its name
	Small bool     // its picture stands beside its words
	First bool     // the first one, which needs no name
	Held  bool     // it shows what the reader has to choose from, and stands near the top
	Items []string // of each thing that it shows a line of text
}

// Beside returns the panel in words, to the right of its characters if they are a drawing: of several lines.
func (s shown) Beside() string {
	drawn, wide := strings.Split(s.Text, "\n"), 0
	if len(drawn) == 1 {
		return wrap("", "  ", s.Words())
	}
	for _, line := range drawn {
		wide = max(wide, utf8.RuneCountInString(line))
	}
	margin := strings.Repeat(" ", wide+2)
	lines := strings.Split(wrap(margin, margin, s.Words()), "\n")
	for i, line := range drawn {
		if i == len(lines) {
			lines = append(lines, margin)
		}
		lines[i] = strings.TrimRight(line+lines[i][utf8.RuneCountInString(line):], " ")
	}
	return strings.Join(lines, "\n")
}

// Words is the panel in one sentence, but for what is drawn.
func (s shown) Words() string {
	if strings.Contains(s.Text, "\n") {
		s.Text = ""
	}
	words := strings.Join(slices.Concat(strings.Fields(s.Text), s.Lines), " ")
	if s.Name == "" {
		return words
	}
	if first, _ := utf8.DecodeRuneInString(words); s.Text == "" && unicode.IsUpper(first) {
		return s.Name + ". " + words // a sentence of its own
	}
	return s.Name + ": " + words
}

// Small reports whether a panel has its picture beside words, where there is room for Brief, too.
func (c content) Small() bool {
	return slices.ContainsFunc(c.Panels, func(p shown) bool { return p.Held && p.Small })
}

// Others lists the panels besides the first one and what the reader holds.
func (c content) Others() (list []shown) {
	for _, p := range c.Panels {
		if !p.First && !p.Held {
			list = append(list, p)
		}
	}
	return list
}

type link struct{ Label, URL string }

// place is a table as a mail about several lists it.
type place struct{ Name, Label, URL string }

// Column returns the width of the names of moves in the text part, so that all labels begin in one column.
func (c content) Column() int {
	width := 5
	for _, b := range c.Best {
		if b.Label != "" {
			width = max(width, uniseg.StringWidth(b.Name))
		}
	}
	return width
}

// typed is something to write in an answer, and what it does.
type typed struct {
	Write, Does string
	Mail        string // a link that begins such an answer, in HTML
	Also        []link // in HTML, what does the same with others of what is listed
	Beside      bool   // in HTML it stands among Also of another
}

// Line is both in one line of text.
func (t typed) Line() string { return t.Write + " – " + t.Does }

type score struct {
	Label   string
	Points  int
	IfEnded string   // the points if the game ended now, if they differ
	Rank    int      // once the game has ended; 0 for none
	Causes  []string // where the points come from, once the game has ended
}

// Line is a score in one line of text.
func (s score) Line() string {
	line := s.Place() + s.Label + ": " + s.Number()
	if s.IfEnded != "" {
		line += " (" + s.IfEnded + ")"
	}
	return line
}

// Short is it in as few words as it can be.
func (s score) Short() string {
	text := s.Label + " " + s.Number()
	if s.IfEnded != "" {
		text += " (" + s.IfEnded + ")"
	}
	return text
}

// Number returns the points as they are read.
func (s score) Number() string { return domain.Number(s.Points) }

// Place returns the rank to put before a label, "1. ", or "".
func (s score) Place() string {
	if s.Rank == 0 {
		return ""
	}
	return strconv.Itoa(s.Rank) + ". "
}
