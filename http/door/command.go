package door

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
)

// Action is a command at a table, as both doors accept it: at an address with its name, as form fields or as members of
// a JSON object.
type Action struct {
	Name    string
	Members string // of the object, apart from its id
	Done    string // what a page says once it is done
	make    func(v Commands, at At, in Input) (desk.Command, error)
}

// Input holds what actions can be sent. Each action reads the members that it names.
type Input struct {
	ID       string `json:"id" form:"id"`
	Seat     *Seat  `json:"seat" form:"seat"`
	Chance   string `json:"chance" form:"chance"`
	Name     string `json:"name" form:"name"`     // for somebody who has no name yet
	Person   string `json:"person" form:"person"` // who a decline is about; "" is the sender
	Address  string `json:"address" form:"address"`
	Language string `json:"language" form:"language"`
	StandIn  string `json:"stand_in" form:"standin"`
	To       uint64 `json:"to" form:"to"`
	Mine     bool   `json:"mine" form:"-"` // instead of To: back to before one's own last move
	Fresh    Fresh  `json:"fresh" form:"luck"`
	Reason   Reason `json:"reason" form:"reason"`
	Proposal uint64 `json:"proposal" form:"since"`
	Text     string `json:"text" form:"text"`
	Until    string `json:"until" form:"until"` // the last day
	// Everywhere says whether somebody is away from all their tables; only in a form.
	Everywhere bool `json:"-" form:"everywhere"`
}

// At says at which table a command is given, on whose behalf, and with which id. The person need not be the reader: a
// pass acts for the person it was made for.
type At struct {
	Table events.Name
	By    domain.PersonID
	ID    events.CommandID
}

// Actions are the actions that both doors accept.
var Actions = append([]Action{
	{"join", "seat chance name", "joined", func(v Commands, at At, in Input) (desk.Command, error) {
		chance := strings.TrimSpace(in.Chance)
		if chance == "" && v.Door == domain.DoorPage {
			chance = ownChance(at.ID)
		}
		return desk.Join{Seat: in.Seat.At(), Chance: []byte(chance[:min(len(chance), maxChance)])},
			v.NameFirst(at.By, in.Name)
	}},
	{"decline", "seat person", "declined", func(v Commands, at At, in Input) (desk.Command, error) {
		if v.Door == domain.DoorAPI {
			return declining{v.Invitations(), in.Seat.At(), in.Person}, nil
		}
		whom := domain.PersonID(in.Person)
		if whom == "" {
			whom = at.By
		}
		return desk.Decline{Seat: in.Seat.At(), Person: whom}, nil
	}},
	{"invite", "seat address language name", "invited", func(v Commands, at At, in Input) (desk.Command, error) {
		whom, err := v.Invitations().invites(at, in, "opener-only", func(t *domain.Table) bool {
			return t.Opener == at.By
		})
		return desk.Invite{Seat: in.Seat.At(), Person: whom}, err
	}},
	{"fill", "seat stand_in", "filled", func(_ Commands, _ At, in Input) (desk.Command, error) {
		return desk.Fill{Seat: in.Seat.At(), StandIn: in.StandIn}, nil
	}},
	{"abandon", "", "ended", func(Commands, At, Input) (desk.Command, error) { return desk.Abandon{}, nil }},
	{"rewind", "to mine fresh reason", "proposed", func(v Commands, at At, in Input) (desk.Command, error) {
		to, err := v.backTo(at, in)
		if err != nil {
			return nil, err
		}
		reason, err := v.written(string(in.Reason), false)
		return desk.ProposeRewind{To: to, Fresh: bool(in.Fresh), Written: reason}, err
	}},
	{"undo", "to", "undone", func(_ Commands, _ At, in Input) (desk.Command, error) {
		return desk.Undo{To: in.To}, nil
	}},
	{"end", "reason", "proposed", func(v Commands, _ At, in Input) (desk.Command, error) {
		reason, err := v.written(string(in.Reason), false)
		return desk.ProposeEnd{Written: reason}, err
	}},
	{"agree", "proposal", "agreed", toProposal[desk.Agree]},
	{"refuse", "proposal", "refused", toProposal[desk.Refuse]},
	{"resign", "seat", "resigned", ofSeat[desk.Resign]},
	{"say", "text", "", func(v Commands, _ At, in Input) (desk.Command, error) {
		text, err := v.written(in.Text, true)
		return desk.Say{Written: text}, err
	}},
}, timed...)

// ofSeat makes a command that says of which seat it is, and nothing else.
func ofSeat[C interface {
	desk.Command
	~struct{ Seat domain.Seat }
}](_ Commands, _ At, in Input) (desk.Command, error) {
	return C{in.Seat.At()}, nil
}

// toProposal makes a command that answers the proposal of a version.
func toProposal[C interface {
	desk.Command
	~struct{ Since uint64 }
}](_ Commands, _ At, in Input) (desk.Command, error) {
	return C{in.Proposal}, nil
}

// backTo returns the version that a rewind should go back to: the one named, or the one before the person's own last
// move. It refuses with "rewind-own" if there is no such move.
func (v Commands) backTo(at At, in Input) (uint64, error) {
	if !in.Mine {
		return in.To, nil
	}
	look, err := v.Desk.Look(v.Ctx(), at.Table)
	if err != nil {
		return 0, err
	}
	if !look.Table.Knows(at.By) {
		return 0, domain.Refuse("not-a-player")
	}
	rec, again, err := v.Desk.Done(v.Ctx(), at.Table, at.ID)
	if err != nil {
		return 0, err
	}
	if again { // use the version chosen then, whatever has been played since
		e, err := events.DecodeTable(&rec, v.Desk.Keys())
		if asked, ok := e.(*domain.Proposed); ok {
			return asked.Proposal.To, err
		}
		return 0, err
	}
	to, err := v.Desk.OwnLast(v.Ctx(), look, at.By)
	if err == nil && to == 0 {
		err = domain.Refuse("rewind-own")
	}
	return to, err
}

// ActionOf returns the action with a name.
func ActionOf(name string) Action {
	return Actions[slices.IndexFunc(Actions, func(a Action) bool { return a.Name == name })]
}

// Do gives the command that an action makes from its input. Every refusal is a *domain.Refusal.
func (v Commands) Do(at At, a Action, in Input) (desk.Answer, error) {
	c, err := a.make(v, at, in)
	if err != nil {
		return desk.Answer{}, err
	}
	return v.Give(at, c)
}

// Give gives a command. What the reader does signed in, apart from talking, ends what browsers were lent of theirs.
func (v Commands) Give(at At, c desk.Command) (desk.Answer, error) {
	ans, err := v.Desk.Do(v.Ctx(), v.Actor(at.By), at.Table, at.ID, c)
	if err != nil {
		return ans, err
	}
	_ = v.Desk.Settle(v.Ctx(), at.Table) // readers see now what follows; otherwise the runner does it
	if err := v.People.Alive(v.Ctx(), at.By); err != nil {
		return ans, err
	}
	if _, talk := c.(desk.Say); !talk && !ans.Again && v.SignedIn() && v.Me == at.By {
		err = v.People.Acted(v.Ctx(), at.By, at.Table, LetterOf(&ans.Record))
	}
	return ans, err
}

// May reports whether a person's command would be taken now: what a page offers must not be refused.
func (v Commands) May(table events.Name, by domain.PersonID, c desk.Command) (bool, error) {
	err := v.Desk.Judge(v.Ctx(), table, by, c)
	if _, refused := domain.AsRefusal(err); refused {
		return false, nil
	}
	return err == nil, err
}

// Actor returns a person acting through this visit's door.
func (v *Visit) Actor(by domain.PersonID) events.Actor {
	return events.Actor{Person: by, Door: v.Door}
}

// declining is an [desk.Decline] for the caller, or for a person named by their ref at the table. Its judge resolves
// the ref when it judges the command, so a repeated command still gets its first answer after the person has left.
type declining struct {
	at   Invitations
	seat domain.Seat
	ref  string
}

// Row returns its wish and its judge.
func (d declining) Row() desk.Row {
	return desk.Row{Wish: fmt.Sprintf("decline %d %s", d.seat, d.ref), Judge: d.judge}
}

func (d declining) judge(ctx context.Context, by domain.PersonID, r desk.Case) (domain.TableEvent, error) {
	whom := by
	if d.ref != "" {
		var ok bool
		if whom, ok = d.at.refers(r.Table, r.Name, d.ref); !ok {
			return nil, domain.Refuse("not-invited", "seat", d.seat)
		}
	}
	return desk.Decline{Seat: d.seat, Person: whom}.Row().Judge(ctx, by, r)
}

// Seat is a seat number as sent, from 0.
type Seat int

// UnmarshalParam reads a form field. Anything but a number means no seat.
func (s *Seat) UnmarshalParam(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		n = int(domain.Nobody)
	}
	*s = Seat(n)
	return nil
}

// At returns the seat, or Nobody, which every table refuses.
func (s *Seat) At() domain.Seat {
	if s == nil || *s < 0 || *s >= domain.MaxSeats {
		return domain.Nobody
	}
	return domain.Seat(*s)
}

// Fresh says whether luck should be fresh. A form sends it as a word.
type Fresh bool

// UnmarshalParam reads a form field.
func (f *Fresh) UnmarshalParam(text string) error {
	*f = text == "fresh"
	return nil
}

// Reason is what somebody writes with a proposal. A form's text is cut if it is too long; a program's is refused.
type Reason string

// UnmarshalParam reads a form field.
func (r *Reason) UnmarshalParam(text string) error {
	text = strings.TrimSpace(text)
	for len(text) > maxText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	*r = Reason(text)
	return nil
}

const (
	maxChance = 400  // the most bytes of chance one person may bring
	maxText   = 2000 // the most octets of a reason or of chat
)

// written encrypts the reader's text with their key. It returns an empty one for an empty text.
func (v Commands) written(text string, must bool) (desk.Written, error) {
	return v.writtenBy(v.Me, text, must)
}

func (v Commands) writtenBy(person domain.PersonID, text string, must bool) (w desk.Written, err error) {
	text = people.Plain(text)
	if len(text) > maxText {
		return w, domain.Refuse("text-long", "most", maxText)
	}
	if text == "" && must {
		return w, domain.Refuse("empty-text")
	}
	if text == "" {
		return w, nil
	}
	return v.People.Write(v.Ctx(), person, text)
}

// Word posts a person's message to go along with another command of theirs; it does nothing if the text is empty. The
// command need not come from the reader's own session: a person using a link may write, too.
func (v Commands) Word(with At, text string) error {
	said, err := v.writtenBy(with.By, text, false)
	if err != nil || len(said.Text) == 0 {
		return err
	}
	with.ID = events.Derive("word", with.ID[:])
	_, err = v.Give(with, desk.Say{Written: said})
	return err
}

// Move is a press as sent: the decision it answers, as it was shown, and its moves in notation.
type Move struct {
	ID       string `json:"id" form:"id"`
	Line     string `json:"line" form:"line"`
	Decision struct {
		Seat   *Seat  `json:"seat" form:"seat"`
		Kind   string `json:"kind" form:"kind"`
		Serial int    `json:"serial" form:"serial"`
		Since  uint64 `json:"since" form:"since"`
	} `json:"decision"`
	Text string `json:"move" form:"move"`
	Rest string `json:"then" form:"then"` // what an earlier press left, sealed
}

// PlayAll plays a press. It says what it has to say, if anything, once the first move is made.
func (v Commands) PlayAll(at At, in Move, say func() error) (desk.Played, error) {
	d := in.Decision
	m := desk.Move{ID: at.ID, Table: at.Table, Seat: d.Seat.At(), Text: in.Text, Rest: in.Rest, Names: v.SeatNames,
		Then: say}
	m.Decision = domain.Open{Decision: domain.Decision{Seat: m.Seat, Kind: d.Kind, Serial: d.Serial}, Since: d.Since}
	var err error
	if m.Line, err = events.ParseName(in.Line); err != nil {
		return desk.Played{}, domain.Refuse("no-line")
	}
	played, err := v.Desk.PlayAll(v.Ctx(), v.Actor(at.By), m)
	if err == nil {
		err = v.People.Alive(v.Ctx(), at.By)
	}
	return played, err
}

// SeatNames returns the names of a table's seats in the reader's language.
func (v Commands) SeatNames(ctx context.Context, t *domain.Table) ([]string, error) {
	_, names, err := v.Maker.Printer(ctx, desk.Look{Table: t}, v.Lang)
	return names, err
}

// ownChance is what the server adds to a table's luck for somebody who adds nothing of their own: a digest of the
// press, so that the same press adds the same again. It is worth no more than the server's own part.
func ownChance(press events.CommandID) string {
	sum := sha256.Sum256(append([]byte("chance of "), press[:]...))
	return hex.EncodeToString(sum[:])
}
