package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"
)

// What the API answers with. Every value is made from a turn.Model, which is made for one
// viewer, or from what is public; openapi.json says what each member means.

// instant is a time in UTC, always written as long: a length tells nothing.
type instant time.Time

// MarshalText writes milliseconds, those of zero too.
func (i instant) MarshalText() ([]byte, error) {
	return []byte(time.Time(i).UTC().Format("2006-01-02T15:04:05.000Z")), nil
}

type personJSON struct {
	Ref  string `json:"ref"`
	Name string `json:"name"`
	You  bool   `json:"you"`
}

type seatJSON struct {
	Seat     int          `json:"seat"`
	Letter   string       `json:"letter"`
	Name     string       `json:"name"`
	Kind     string       `json:"kind"`
	People   []personJSON `json:"people"`
	Invited  []personJSON `json:"invited"`
	StandIn  string       `json:"stand_in,omitempty"`
	Resigned bool         `json:"resigned"`
	You      bool         `json:"you"`
	Awaited  bool         `json:"awaited"`
	Rank     int          `json:"rank,omitempty"`
}

type decisionJSON struct {
	Seat   int    `json:"seat"`
	Kind   string `json:"kind"`
	Serial int    `json:"serial"`
	Since  uint64 `json:"since"`
}

func decisionOf(o domain.Open) *decisionJSON {
	return &decisionJSON{Seat: int(o.Seat), Kind: o.Kind, Serial: o.Serial, Since: o.Since}
}

type branchJSON struct {
	Table   string `json:"table"`
	Line    string `json:"line"`
	Version uint64 `json:"version"`
	Kind    string `json:"kind"`
}

type proposalJSON struct {
	Since    uint64   `json:"since"`
	Kind     string   `json:"kind"`
	Who      string   `json:"who"`
	Sentence string   `json:"sentence"`
	Reason   string   `json:"reason,omitempty"`
	To       uint64   `json:"to,omitempty"`
	Fresh    bool     `json:"fresh"`
	Reveals  []string `json:"reveals"`
	Luck     string   `json:"luck,omitempty"`
	Agreed   []string `json:"agreed"`
	Waiting  []string `json:"waiting"`
	MayAgree bool     `json:"may_agree"`
	Mine     bool     `json:"mine"`
}

type scoreJSON struct {
	Label  string   `json:"label"`
	Score  int      `json:"score"`
	Final  int      `json:"final"`
	Rank   int      `json:"rank,omitempty"`
	Causes []string `json:"causes"`
}

type standingJSON struct {
	Ended   bool        `json:"ended"`
	Entries []scoreJSON `json:"entries"`
	Result  []string    `json:"result"`
}

type happeningJSON struct {
	Version   uint64   `json:"version"`
	Stream    string   `json:"stream"`
	At        instant  `json:"at"`
	Seat      *int     `json:"seat,omitempty"`
	Who       string   `json:"who,omitempty"`
	Move      string   `json:"move,omitempty"`
	Sentences []string `json:"sentences"`
	ByOrder   bool     `json:"by_order,omitempty"` // a standing order made the move
	Order     string   `json:"order,omitempty"`    // that order, for those who may know it
}

type boardJSON struct {
	Alt   string      `json:"alt"`
	Lines []string    `json:"lines"`
	Text  string      `json:"text,omitempty"`
	Cards []cardJSON  `json:"cards,omitempty"`
	View  domain.View `json:"view"`
}

type cardJSON struct {
	Place string   `json:"place"`
	Hand  bool     `json:"hand"`
	Key   string   `json:"key"`
	Label string   `json:"label"`
	Lines []string `json:"lines"`
	Not   []string `json:"not,omitempty"` // why it cannot be used now
}

func cardsOf(groups []turn.CardGroup) (out []cardJSON) {
	for _, g := range groups {
		for _, c := range g.Cards {
			out = append(out, cardJSON{g.Place, g.Hand, c.Key, c.Label, list(c.Lines), c.Not})
		}
	}
	return out
}

type tableJSON struct {
	Table        string            `json:"table"`
	Game         string            `json:"game"`
	GameName     string            `json:"game_name"`
	Title        string            `json:"title"`
	Status       string            `json:"status"`
	End          string            `json:"end,omitempty"`
	Options      map[string]string `json:"options"`
	Pace         string            `json:"pace"`
	Opener       personJSON        `json:"opener"`
	Commitment   string            `json:"commitment"`
	Link         string            `json:"link"`
	Branch       *branchJSON       `json:"branch,omitempty"`
	TableVersion uint64            `json:"table_version"`
	TableHead    string            `json:"table_head"`
	Line         string            `json:"line,omitempty"`
	Main         bool              `json:"main"`
	Version      uint64            `json:"version"`
	Last         uint64            `json:"last"`
	Head         string            `json:"head,omitempty"`
	Receipt      string            `json:"receipt,omitempty"`
	At           *instant          `json:"at,omitempty"`
	Viewer       string            `json:"viewer"`
	Sentence     string            `json:"sentence"`
	Seats        []seatJSON        `json:"seats"`
	Decision     *decisionJSON     `json:"decision,omitempty"`
	Proposal     *proposalJSON     `json:"proposal,omitempty"`
	Standing     standingJSON      `json:"standing"`
	Board        *boardJSON        `json:"board,omitempty"`
	Since        []happeningJSON   `json:"since"`
}

// list is never null.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// each makes a list of a list; it is never null.
func each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, len(in))
	for i := range in {
		out[i] = f(in[i])
	}
	return out
}

// ref names a person at one table, for commands that are about them. The same person has
// another at every table.
func (c *call) ref(table events.Name, id domain.PersonID) string {
	m := hmac.New(sha256.New, c.Desk.Keys().For("api person"))
	_, _ = m.Write(table[:])
	_, _ = m.Write([]byte(id))
	return hex.EncodeToString(m.Sum(nil)[:8])
}

// refers finds the person that a ref names at a table.
func (c *call) refers(t *domain.Table, table events.Name, ref string) (domain.PersonID, bool) {
	for _, p := range t.Places {
		for _, list := range [][]domain.PersonID{p.Holders, p.Invited} {
			for _, id := range list {
				if c.ref(table, id) == ref {
					return id, true
				}
			}
		}
	}
	return "", false
}

func (c *call) person(table events.Name, id domain.PersonID) (personJSON, error) {
	name, err := c.Called(id)
	return personJSON{Ref: c.ref(table, id), Name: name, You: c.Me != "" && id == c.Me}, err
}

func (c *call) persons(table events.Name, ids []domain.PersonID) ([]personJSON, error) {
	out := []personJSON{}
	for _, id := range ids {
		p, err := c.person(table, id)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// tableOf is a model as JSON.
func (c *call) tableOf(look events.Look, m *turn.Model) (*tableJSON, error) {
	t := &tableJSON{Table: m.Table.String(), Game: m.Rulebook, GameName: m.Game, Title: m.Title, Status: string(m.Status), End: string(m.End),
		Options: map[string]string(m.Choices), Pace: m.Pace, Link: c.Links.Table(m.Table), TableVersion: m.TableHead.Version, TableHead: m.TableHead.Hash.String(),
		Main: m.Main, Version: m.Version, Last: m.Last, Viewer: viewerWord(m.Viewer), Sentence: m.Sentence, Standing: standingOf(m), Since: happenedOf(m.Since)}
	if b := m.Branch; b != nil {
		t.Branch = &branchJSON{b.Table, b.Line, b.Version, b.Kind}
	}
	if !m.Line.IsZero() {
		at := instant(m.At)
		t.Line, t.Head, t.Receipt, t.At = m.Line.String(), m.Head.Hash.String(), m.Receipt, &at
	}
	if m.Decision != nil {
		t.Decision = decisionOf(*m.Decision)
	}
	if m.HasBoard() {
		t.Board = &boardJSON{Alt: m.Alt, Lines: list(m.Lines), Text: m.Letters(), Cards: cardsOf(m.Cards()), View: m.View()}
	}
	var err error
	if t.Opener, err = c.person(m.Table, look.Table.Opener); err != nil {
		return nil, err
	}
	if t.Commitment, err = c.Commitment(m.Table); err != nil {
		return nil, err
	}
	if t.Seats, err = c.seatsOf(look, m); err != nil {
		return nil, err
	}
	t.Proposal = c.proposalOf(look, m)
	return t, nil
}

func (c *call) seatsOf(look events.Look, m *turn.Model) ([]seatJSON, error) {
	out := []seatJSON{}
	for i, p := range m.Players {
		s := seatJSON{Seat: int(p.Seat), Letter: p.Letter, Name: p.Name, Kind: string(p.Kind), Resigned: p.Resigned, You: p.You, Awaited: p.Awaited, Rank: p.Rank}
		if p.StandIn {
			s.StandIn = look.Table.Places[i].StandIn
		}
		var err error
		if s.People, err = c.persons(m.Table, p.People); err != nil {
			return nil, err
		}
		if s.Invited, err = c.persons(m.Table, p.Invited); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// proposalOf is the open proposal; its reason is for those who know the table.
func (c *call) proposalOf(look events.Look, m *turn.Model) *proposalJSON {
	p := m.Proposal
	if p == nil {
		return nil
	}
	out := &proposalJSON{Since: p.Proposal.Since, Kind: string(p.Kind), Who: p.Who, Sentence: p.Sentence, To: p.To, Fresh: p.Fresh,
		Reveals: list(p.Reveals), Luck: p.Luck, Agreed: list(p.Agreed), Waiting: list(p.Waiting), MayAgree: p.MayAgree, Mine: p.Mine}
	if len(p.Proposal.Reason) > 0 && look.Table.Knows(c.Me) {
		out.Reason = c.Opened(p.By, p.Proposal.Reason)
	}
	return out
}

func standingOf(m *turn.Model) standingJSON {
	s := standingJSON{Ended: m.Standing.Ended, Entries: []scoreJSON{}, Result: list(m.Result)}
	for i := range m.Standing.Scores {
		e := scoreJSON{Label: m.Labels[i], Score: m.Standing.Scores[i], Final: m.Standing.Scores[i], Causes: []string{}}
		if i < len(m.Standing.Final) {
			e.Final = m.Standing.Final[i]
		}
		if i < len(m.Causes) {
			e.Causes = list(m.Causes[i])
		}
		if i < len(m.Standing.Ranks) {
			e.Rank = m.Standing.Ranks[i]
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}

func happenedOf(in []turn.Happening) []happeningJSON {
	return each(in, func(h turn.Happening) happeningJSON {
		out := happeningJSON{Version: h.Version, Stream: h.Stream.String(), At: instant(h.At), Who: h.Who, Move: h.Move, Sentences: list(h.Sentences),
			ByOrder: h.ByOrder, Order: h.Order}
		if h.Seat != domain.Nobody {
			seat := int(h.Seat)
			out.Seat = &seat
		}
		return out
	})
}

// viewerWord says by whose knowledge a view was made.
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
