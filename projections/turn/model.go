package turn

import (
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/words"
)

// Asker is who looks: a person (or nobody), in a language; of several seats, the one they
// mean (or Nobody).
type Asker struct {
	Person domain.PersonID
	Seat   domain.Seat
	Lang   string
	Zone   *time.Location // in which they are told times; UTC if nil
	As     *domain.Viewer // whose knowledge at a moment is asked for; only once nothing of the table is secret
}

// viewer is by whose knowledge a table is shown to an asker.
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
	Last      uint64 // the line's last version; Version is below it in history
	TableHead events.Head
	Head      events.Head // of the line at Version
	Receipt   string      // signed, of Head
	At        time.Time   // of the event at Version
	Rulebook  string
	Game      string // the game's name in the asker's language
	Title     string // constant for the table: the game and its people
	Choices   domain.Choices
	Pace      string
	Status    domain.TableStatus
	End       domain.EndReason
	Main      bool   // Line is the table's main line
	Sentence  string // whose turn, in a sentence
	Players   []Player
	Viewer    domain.Viewer
	Hid       bool         // of a table whose secrets are open: there was something at Version that not everybody knew
	Seat      domain.Seat  // the asker's seat meant here, or Nobody
	Asks      []events.Ask // what the table asks of the asker now
	Decision  *domain.Open // of those of play the one of that seat; nil in history
	Proposal  *Proposal
	Free      bool      // what the asker plays now can be taken back, as long as it brings nothing to light and asks nobody else
	Undo      uint64    // the version that the asker may go back to without consent, before their last step; 0 for none
	UndoUntil time.Time // until when, where it is the table's grace that lets them
	Grace     int       // minutes of it
	Standing  domain.Standing
	Result    []string
	Causes    [][]string // what the end added, by entry of Standing
	Labels    []string   // the entries of Standing
	Alt       string
	Lines     []string // the situation in sentences
	Since     []Happening
	Own       bool      // Since is what the asker's own last move did, and nothing has happened after it
	Moved     time.Time // when the asker made their own last move; zero where that was long before
	Lineage   []Line
	Forms     []domain.Form
	Chains    []Chain // moves made one right after the other
	Orders    *Orders // of Seat; nil where the game has none, or nobody may give any
	Branch    *domain.Branch
	Time      Timing

	zone     *time.Location
	me       domain.PersonID
	printer  words.Printer
	rulebook domain.Rulebook
	view     domain.View
	stopped  bool         // the game is over, and this is how it stood then
	says     []domain.Say // Lines, unsaid
	marks    []*domain.Event
	tree     node                         // of the legal moves
	word     func(domain.Decision) string // the rulebook's word for what one asks now
	hint     func() []string              // nil where none may be given
	strict   bool                         // no step is taken back here without consent
	ranked   func() []domain.Move         // the decision's moves, the best first
}

// Player is a seat and who holds it.
type Player struct {
	Seat     domain.Seat       `json:"seat"`
	Letter   string            `json:"letter"`
	Name     string            `json:"name"`
	Called   string            `json:"-"` // what its people are called, without the seat that tells it from others of theirs
	People   []domain.PersonID `json:"-"`
	Invited  []domain.PersonID `json:"-"`
	Kind     domain.SeatKind   `json:"kind"`
	StandIn  bool              `json:"-"`
	Resigned bool              `json:"resigned"`
	You      bool              `json:"you"`
	Awaited  bool              `json:"awaited"`
	Rank     int               `json:"rank,omitempty"`       // once ended; 0 if none
	Due      time.Time         `json:"due,omitzero"`         // until when its decision may be taken
	Spare    int               `json:"spare_days,omitempty"` // that it has left
	Away     time.Time         `json:"away_until,omitzero"`  // of one person: they are on holiday until then
	Lent     bool              `json:"lent"`                 // a stand-in plays until its player is back
	Nudged   uint64            `json:"-"`                    // the table's version that reminded it of what is awaited now
	NudgedBy domain.PersonID   `json:"-"`
}

// Proposal is what the table is asked to agree to.
type Proposal struct {
	domain.Proposal
	Who      string
	Sentence string
	Reveals  []string // whose moves brought how many draws and cards to light after the version
	Luck     string   // for a rewind: what comes after it, again or anew
	MayAgree bool     // the asker is asked
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
	Undone bool        `json:"undone"` // closed by taking a step back, without consent
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
	Table     bool            // something at the table, not a move
	By        domain.PersonID // who did it, at the table; "" for the house
	Spoken    bool            // somebody wrote it, in chat
	Proposed  bool            // somebody asked everybody for something
	Dismissed bool            // such a proposal was refused or withdrawn, or it lapsed
	Began     bool            // the game began
	News      bool            // worth telling those who were not there
	ByOrder   bool            // a standing order made this move
	Order     string          // that order, where the viewer may know it
}
