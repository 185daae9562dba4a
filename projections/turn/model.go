package turn

import (
	"time"

	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/words"
)

// Asker is somebody who looks: a person (or nobody), in a language. With several seats, Seat is the one they mean (or
// Nobody).
type Asker struct {
	Person domain.PersonID
	Seat   domain.Seat
	Lang   string
	Zone   *time.Location // the zone for the times they see; UTC if nil
	Reply  string         // of a mail (events.Meta) whose moves are news, too; "" for none
	As     *domain.Viewer // whose knowledge at a moment to show; only once nothing about the table is secret
}

// viewer returns whose knowledge an asker sees a table with.
func (a Asker) viewer(t *domain.Table) domain.Viewer {
	if a.As != nil && t.Open() {
		return *a.As
	}
	return t.ViewerOf(a.Person, a.Seat)
}

// Model is a table as one viewer may know it, at one version of one line.
type Model struct {
	Table     events.Name
	Line      events.Name // zero before the first line
	Version   uint64
	Last      uint64 // the line's last version; in history, Version is below it
	TableHead events.Head
	Head      events.Head // of the line at Version
	Receipt   string      // signed, of Head
	// TableReceipt is of the table's own stream, once it has ended: that of the line does not prove the end.
	TableReceipt string
	At           time.Time // of the event at Version
	Rulebook     string
	Game         string // the game's name in the asker's language
	Title        string // never changes for a table: the game and its people
	Choices      domain.Choices
	Pace         string
	Status       domain.TableStatus
	End          domain.EndReason
	Edition      string // of the rules by which it is judged, if it began under another one: Began
	Began        string
	Main         bool   // Line is the table's main line
	Sentence     string // says whose turn it is
	Players      []Player
	Viewer       domain.Viewer
	Hid          bool         // the table's secrets are now open, and at Version something was not known to everybody
	Seat         domain.Seat  // the asker's seat in question, or Nobody
	Asks         []desk.Ask   // what the table now asks of the asker
	Decision     *domain.Open // the play decision of that seat; nil in history
	Proposal     *Proposal
	// the version before their last step, if the asker may go back to it without consent; 0 for none
	Undo      uint64
	UndoUntil time.Time // until when, if the table's grace allows it
	Grace     int       // the table's grace, in minutes
	Standing  domain.Standing
	Result    []string
	Causes    [][]string // what the end added, by entry of Standing
	Labels    []string   // of the entries of Standing
	Alt       string
	Lines     []string // the situation in sentences
	Since     []Happening
	Own       bool      // Since is what the asker's own last move did; nothing has happened after it
	Moved     time.Time // when the asker made their last move; zero if that was long ago
	Made      int       // how many moves the asker has made, as far as Moved is known
	Lineage   []Line
	Forms     []domain.Form
	Chains    []Chain // moves made one right after the other
	Orders    *Orders // of Seat; nil if the game has none, or nobody may give any
	Branch    *domain.Branch
	Time      Timing
	GoesOn    bool   // at another server: nothing is final here
	GoesOnAt  string // the table's address there; "" if it is not known
	Claim     string // the address there at which the asker takes up Seat again; "" if there is none

	zone     *time.Location
	me       domain.PersonID
	reply    string
	missing  []string // the people whom a table that has not begun waits for
	printer  words.Printer
	rulebook domain.Rulebook
	view     domain.View
	stopped  bool         // the game is over, and this is how it stood at the end
	says     []domain.Say // Lines, before rendering
	brief    []domain.Say
	spelled  []domain.Say
	have     domain.Say
	marks    []*domain.Event
	tree     node                          // of the legal moves
	word     func(domain.Decision) string  // the rulebook's word for what a decision asks now
	hint     func() []string               // nil if no hint is allowed
	ranked   func() []standin.Rated        // the decision's moves, the best first
	inWords  func(domain.Move) string      // a move of the decision's, all its steps
	brings   func(domain.Move) (int, bool) // the points of one of them
	answers  []domain.Move                 // to what the seat is offered
	quiet    func(domain.Move) bool        // see Quiet
	offered  int                           // how many offers a yes may take up
}

// Player is a seat and the people who hold it.
type Player struct {
	Seat   domain.Seat `json:"seat"`
	Letter string      `json:"letter"`
	Name   string      `json:"name"`
	// the name of its people, without the seat added to tell it from their other seats
	Called   string            `json:"-"`
	People   []domain.PersonID `json:"-"`
	Invited  []domain.PersonID `json:"-"`
	Kind     domain.SeatKind   `json:"kind"`
	StandIn  bool              `json:"-"`
	Resigned bool              `json:"resigned"`
	You      bool              `json:"you"`
	Awaited  bool              `json:"awaited"`
	Rank     int               `json:"rank,omitempty"`       // once the game has ended; 0 if none
	Due      time.Time         `json:"due,omitzero"`         // when its decision is due
	Spare    int               `json:"spare_days,omitempty"` // left to it
	Away     time.Time         `json:"away_until,omitzero"`  // for a single person: on holiday until then
	Lent     bool              `json:"lent"`                 // a stand-in plays until the player is back
	// the table's version with the nudge about what is now awaited
	Nudged   uint64          `json:"-"`
	NudgedBy domain.PersonID `json:"-"`
}

// Proposal is what the table is asked to agree to.
type Proposal struct {
	domain.Proposal
	Who      string
	Sentence string
	Reveals  []string // whose moves since the version revealed how many draws and cards
	Luck     string   // for a rewind: what comes after it, the same or new
	MayAgree bool     // the asker may answer
	Mine     bool
	Agreed   []string
	Waiting  []string
}

// Line is one line of the table's tree.
type Line struct {
	Name   events.Name `json:"line"`
	Index  int         `json:"index"`
	Parent string      `json:"parent,omitempty"`
	Fork   uint64      `json:"fork,omitempty"`
	Last   uint64      `json:"last"`
	Closed bool        `json:"closed"`
	Undone bool        `json:"undone"` // closed when somebody took a step back, without consent
}

// Happening is an event in words.
type Happening struct {
	Version   uint64
	Stream    events.Name
	At        time.Time
	Seat      domain.Seat
	Who       string
	Move      string
	Sentences []string
	Subject   string          // of a mail about it; "" if it has no name of its own
	Table     bool            // something at the table, not a move
	By        domain.PersonID // who did it at the table; "" for the house
	Spoken    bool            // somebody wrote it in chat
	Proposed  bool            // somebody asked everybody for something
	Dismissed bool            // such a proposal was refused or withdrawn, or lapsed
	Began     bool            // the game began
	News      bool            // worth telling people who were not there
	ByOrder   bool            // a standing order made this move
	Order     string          // that order, if the viewer may know it
}
