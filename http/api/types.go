package api

import (
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// What the API answers with. Every value is made from a turn.Model, which is made for one viewer, or from public facts;
// openapi.json says what each member means.

type seatJSON struct {
	turn.Player
	People  []door.Person `json:"people"`
	Invited []door.Person `json:"invited"`
	StandIn string        `json:"stand_in,omitempty"`
}

type proposalJSON struct {
	Since    uint64              `json:"since"`
	Kind     domain.ProposalKind `json:"kind"`
	Who      string              `json:"who"`
	Sentence string              `json:"sentence"`
	Reason   string              `json:"reason,omitempty"`
	To       uint64              `json:"to,omitempty"`
	Fresh    bool                `json:"fresh"`
	Reveals  []string            `json:"reveals"`
	Luck     string              `json:"luck,omitempty"`
	Agreed   []string            `json:"agreed"`
	Waiting  []string            `json:"waiting"`
	MayAgree bool                `json:"may_agree"`
	Mine     bool                `json:"mine"`
	Until    time.Time           `json:"until,omitzero"` // of a pause
	Due      time.Time           `json:"due,omitzero"`
}

type standingJSON struct {
	Ended   bool         `json:"ended"`
	Entries []door.Score `json:"entries"`
	Result  []string     `json:"result"`
}

type happeningJSON struct {
	Version   uint64       `json:"version"`
	Stream    events.Name  `json:"stream"`
	At        door.Instant `json:"at"`
	Seat      *domain.Seat `json:"seat,omitempty"`
	Who       string       `json:"who,omitempty"`
	Move      string       `json:"move,omitempty"`
	Sentences []string     `json:"sentences"`
	ByOrder   bool         `json:"by_order,omitempty"` // a standing order made the move
	Order     string       `json:"order,omitempty"`    // that order, if the caller may know it
}

func happenedOf(in []turn.Happening) []happeningJSON {
	return each(in, func(h turn.Happening) happeningJSON {
		out := happeningJSON{Version: h.Version, Stream: h.Stream, At: door.Instant(h.At), Who: h.Who, Move: h.Move,
			Sentences: list(h.Sentences),
			ByOrder:   h.ByOrder, Order: h.Order}
		if h.Seat != domain.Nobody {
			out.Seat = &h.Seat
		}
		return out
	})
}

type boardJSON struct {
	Alt    string      `json:"alt"`
	Lines  []string    `json:"lines"`
	Text   string      `json:"text,omitempty"`
	Panels []panelJSON `json:"panels"`
	Cards  []cardJSON  `json:"cards,omitempty"`
	View   domain.View `json:"view"`
}

type panelJSON struct {
	Panel  string        `json:"panel"`
	Name   string        `json:"name"`
	Weight domain.Weight `json:"weight"`
	Alt    string        `json:"alt"`
	Lines  []string      `json:"lines"`
	Text   string        `json:"text,omitempty"`
}

func panelsOf(m *turn.Model) []panelJSON {
	out := []panelJSON{}
	for _, p := range m.Panels(turn.Choice{}) {
		out = append(out, panelJSON{p.Key, p.Name, p.Weight, p.Alt, list(p.Lines), p.Text})
	}
	return out
}

type cardJSON struct {
	Place string `json:"place"`
	Hand  bool   `json:"hand"`
	turn.Card
}

func cardsOf(groups []turn.CardGroup) (out []cardJSON) {
	for _, g := range groups {
		for _, c := range g.Cards {
			c.Lines = list(c.Lines)
			out = append(out, cardJSON{g.Place, g.Hand, c})
		}
	}
	return out
}

type tableJSON struct {
	Table        events.Name        `json:"table"`
	Game         string             `json:"game"`
	GameName     string             `json:"game_name"`
	Title        string             `json:"title"`
	Status       domain.TableStatus `json:"status"`
	End          domain.EndReason   `json:"end,omitempty"`
	Options      domain.Choices     `json:"options"`
	Pace         string             `json:"pace"`
	Opener       door.Person        `json:"opener"`
	Commitment   string             `json:"commitment"`
	Link         string             `json:"link"`
	Branch       *originJSON        `json:"branch,omitempty"`
	TableVersion uint64             `json:"table_version"`
	TableHead    events.Hash        `json:"table_head"`
	Line         events.Name        `json:"line,omitzero"`
	Main         bool               `json:"main"`
	Version      uint64             `json:"version"`
	Last         uint64             `json:"last"`
	Head         string             `json:"head,omitempty"`
	Receipt      string             `json:"receipt,omitempty"`
	TableReceipt string             `json:"table_receipt,omitempty"`
	At           *door.Instant      `json:"at,omitempty"`
	Viewer       string             `json:"viewer"`
	Sentence     string             `json:"sentence"`
	Seats        []seatJSON         `json:"seats"`
	Decision     *domain.Open       `json:"decision,omitempty"`
	Due          time.Time          `json:"due,omitzero"`
	Clock        *domain.Clock      `json:"clock,omitempty"`
	PausedUntil  time.Time          `json:"paused_until,omitzero"`
	Proposal     *proposalJSON      `json:"proposal,omitempty"`
	Undo         uint64             `json:"undo,omitempty"`
	UndoUntil    time.Time          `json:"undo_until,omitzero"`
	Grace        int                `json:"grace,omitempty"`
	Listed       bool               `json:"listed,omitempty"` // strangers may find the table
	Standing     standingJSON       `json:"standing"`
	Board        *boardJSON         `json:"board,omitempty"`
	Since        []happeningJSON    `json:"since"`
}

// tableOf returns a model as JSON.
func (c *call) tableOf(m *turn.Model) (*tableJSON, error) {
	look, err := c.Look()
	if err != nil {
		return nil, err
	}
	of, err := c.origin(m.Branch)
	if err != nil {
		return nil, err
	}
	t := &tableJSON{Table: m.Table, Game: m.Rulebook, GameName: m.Game, Title: m.Title, Status: m.Status, End: m.End,
		Options: m.Choices, Pace: m.Pace,
		Due: door.DueOf(m), Clock: look.Table.Clock, PausedUntil: m.Time.Paused,
		Link: c.Links.Table(m.Table), Branch: of, TableVersion: m.TableHead.Version, TableHead: m.TableHead.Hash,
		TableReceipt: m.TableReceipt,
		Main:         m.Main, Version: m.Version, Last: m.Last, Viewer: viewerWord(m.Viewer), Sentence: m.Sentence,
		Decision: m.Decision, Proposal: c.proposalOf(look, m), Undo: m.Undo, UndoUntil: m.UndoUntil, Grace: m.Grace,
		Listed:   look.Table.Listed,
		Standing: standingJSON{Ended: m.Standing.Ended, Entries: door.Scores(m), Result: list(m.Result)},
		Since:    happenedOf(m.Since)}
	if !m.Line.IsZero() {
		at := door.Instant(m.At)
		t.Line, t.Head, t.Receipt, t.At = m.Line, m.Head.Hash.String(), m.Receipt, &at
	}
	if m.HasBoard() {
		t.Board = &boardJSON{Alt: m.Alt, Lines: list(m.Lines), Text: m.Letters(), Panels: panelsOf(m),
			Cards: cardsOf(m.Cards()), View: m.View()}
	}
	opener, err := c.Invitations().Persons(c.Me, []domain.PersonID{look.Table.Opener}, c.Called)
	if err != nil {
		return nil, err
	}
	t.Opener = opener[0]
	if t.Commitment, err = c.Commitment(m.Table); err != nil {
		return nil, err
	}
	t.Seats, err = c.seatsOf(look, m)
	return t, err
}

func (c *call) seatsOf(look desk.Look, m *turn.Model) ([]seatJSON, error) {
	out := []seatJSON{}
	for i, p := range m.Players {
		s := seatJSON{Player: p}
		if p.StandIn {
			s.StandIn = look.Table.Places[i].StandIn
		}
		var err error
		if s.People, err = c.Invitations().Persons(c.Me, p.People, c.Called); err != nil {
			return nil, err
		}
		if s.Invited, err = c.Invitations().Persons(c.Me, p.Invited, c.Called); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// proposalOf returns the open proposal; only people who know the table get its reason.
func (c *call) proposalOf(look desk.Look, m *turn.Model) *proposalJSON {
	p := m.Proposal
	if p == nil {
		return nil
	}
	out := &proposalJSON{Since: p.Proposal.Since, Kind: p.Kind, Who: p.Who, Sentence: p.Sentence, To: p.To,
		Fresh:   p.Fresh,
		Reveals: list(p.Reveals), Luck: p.Luck, Agreed: list(p.Agreed), Waiting: list(p.Waiting), MayAgree: p.MayAgree,
		Mine:  p.Mine,
		Until: p.Until, Due: m.Time.Proposal}
	if len(p.Proposal.Reason) > 0 && look.Table.Knows(c.Me) {
		out.Reason = c.Opened(p.By, p.Proposal.Reason)
	}
	return out
}

// viewerWord says whose knowledge a view shows.
func viewerWord(v domain.Viewer) string {
	switch v {
	case domain.Spectator:
		return "spectator"
	case domain.Referee:
		return "everybody"
	default:
		return v.Seat().Letter()
	}
}

// ordersJSON holds the standing orders of a seat that the caller holds.
type ordersJSON struct {
	Table   events.Name `json:"table"`
	Seat    domain.Seat `json:"seat"`
	Version uint64      `json:"version"` // what a change must name
	Orders  []orderJSON `json:"orders"`
	Rests   bool        `json:"rests"`
	Refused string      `json:"refused,omitempty"`
	Forms   []formJSON  `json:"forms"`
}

type orderJSON struct {
	Order     string   `json:"order"` // seats by letter
	Sentences []string `json:"sentences"`
}

type fieldJSON struct {
	Name  string           `json:"name"`
	Label string           `json:"label"`
	Kind  domain.FieldKind `json:"kind"`
	Words []door.Word      `json:"words"`
	Seats []string         `json:"seats"`
	Max   int              `json:"max,omitempty"`
}

type formJSON struct {
	Key     string      `json:"key"`
	Label   string      `json:"label"`
	Pattern string      `json:"pattern"`
	Fields  []fieldJSON `json:"fields"`
}

// formsOf returns a rulebook's forms as JSON.
func formsOf(m *turn.Model, forms []domain.Form) []formJSON {
	return each(forms, func(f domain.Form) formJSON {
		return formJSON{Key: f.Key, Label: m.Say(f.Label), Pattern: f.Pattern,
			Fields: each(f.Fields, func(b domain.Field) fieldJSON {
				field := fieldJSON{Name: b.Name, Label: m.Say(b.Label), Kind: b.Kind, Words: []door.Word{}, Max: b.Max,
					Seats: each(b.Seats, domain.Seat.Letter)}
				for i, w := range b.Words {
					field.Words = append(field.Words, door.Word{Value: w, Label: door.WordOf(m, b, i)})
				}
				return field
			})}
	})
}

// list returns its argument, or an empty list for nil, so that JSON never shows null.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// each applies a function to every item of a list; the result is never nil.
func each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, len(in))
	for i := range in {
		out[i] = f(in[i])
	}
	return out
}
