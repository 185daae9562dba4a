package pages

import (
	nethttp "net/http"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/projections/turn"

	"posthorn/http/door"
)

// asking is a page on which something grave is decided about a table.
type asking struct {
	Table   string // address of the table's page
	Title   string
	NewID   string
	Reason  string
	Version uint64
	First   uint64
	Last    uint64
	Before  uint64 // the last version that may be gone back to
	Line    string
	Fresh   bool
	Alone   bool // nobody else is to be asked
	Reveals []string
	Seats   []choice
}

// mine is a table that a signed-in reader plays at.
func (v *visit) mine() (events.Look, asking, error) {
	var a asking
	name, err := v.TableName()
	if err != nil {
		return events.Look{}, a, err
	}
	if !v.SignedIn() {
		return events.Look{}, a, door.ErrSignIn
	}
	look, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return look, a, err
	}
	m, err := v.Maker.Turn(v.Ctx(), name, v.Asker())
	if err != nil {
		return look, a, err
	}
	a = asking{Table: tablePath(name), Title: m.Title, NewID: events.NewCommandID().String(), Version: m.Version, Last: m.Last, Line: look.LineName.String()}
	people := look.Table.People()
	a.Alone = len(people) == 1 && people[0] == v.Me
	for _, s := range look.Table.SeatsOf(v.Me) {
		if look.Table.Places[s].Humans() {
			a.Seats = append(a.Seats, choice{Value: strconv.Itoa(int(s)), Label: v.T("seat", "letter", s.Letter())})
		}
	}
	if len(a.Seats) == 0 {
		return look, a, domain.Refuse("not-a-player")
	}
	return look, a, nil
}

// rewindForm asks which moment to go back to, and says what was seen since.
func (v *visit) rewindForm() error { return v.showRewind(nethttp.StatusOK, nil) }

func (v *visit) showRewind(status int, refused *domain.Refusal) error {
	look, a, err := v.mine()
	if err != nil {
		return err
	}
	if look.Line == nil {
		return domain.Refuse("not-started")
	}
	a.First = 1
	if look.Table.Branch != nil {
		a.First = look.Table.Branch.Version + 1
	}
	to, err := strconv.ParseUint(v.value("to"), 10, 64)
	if err != nil || to < a.First || to >= a.Last {
		to = max(a.First, a.Last-1)
	}
	a.Before = a.Last - 1
	a.Version, a.Fresh, a.Reason = to, v.value("luck") == "fresh", v.FormValue("reason")
	if a.Reveals, err = v.revealed(look, to); err != nil {
		return err
	}
	sh := sheet{Title: a.Title, Body: a}
	if refused != nil {
		sh.Error = v.Print.Say(refused.Say())
	}
	return v.render(status, "rewind", sh)
}

// value is a parameter of the address or of the form.
func (v *visit) value(name string) string {
	if s := v.QueryParam(name); s != "" {
		return s
	}
	return v.FormValue(name)
}

// revealed says whose moves brought what to light after a version of the main line.
func (v *visit) revealed(look events.Look, to uint64) ([]string, error) {
	seen, err := v.Desk.Seen(v.Ctx(), look, to)
	if err != nil {
		return nil, err
	}
	p, _, err := v.Maker.Printer(v.Ctx(), look, v.Lang)
	return turn.Reveals(p, seen), err
}

// rewind proposes to go back.
func (v *visit) rewind() error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	to, err := strconv.ParseUint(v.FormValue("to"), 10, 64)
	if err != nil {
		return door.ErrMalformed
	}
	reason, err := v.Sealed(v.FormValue("reason"))
	if err != nil {
		return err
	}
	refused, err := v.command(name, v.Me, events.ProposeRewind{To: to, Fresh: v.FormValue("luck") == "fresh", Reason: reason})
	if err != nil {
		return err
	}
	if refused != nil {
		return v.showRewind(nethttp.StatusConflict, refused)
	}
	return v.see(tablePath(name), "proposed")
}

// endForm asks whether to propose an end.
func (v *visit) endForm() error {
	_, a, err := v.mine()
	if err != nil {
		return err
	}
	return v.render(nethttp.StatusOK, "end", sheet{Title: a.Title, Body: a})
}

// proposeEnd proposes to stop the game as it stands.
func (v *visit) proposeEnd() error {
	reason, err := v.Sealed(v.FormValue("reason"))
	if err != nil {
		return err
	}
	return v.atTable(events.ProposeEnd{Reason: reason}, "proposed", kept{})
}

// resignForm asks whether to give up a seat.
func (v *visit) resignForm() error {
	_, a, err := v.mine()
	if err != nil {
		return err
	}
	return v.render(nethttp.StatusOK, "resign", sheet{Title: a.Title, Body: a})
}

// resign gives up a seat.
func (v *visit) resign() error {
	return v.atTable(events.Resign{Seat: v.formSeat()}, "resigned", kept{})
}

// say writes a line of chat.
func (v *visit) say() error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	written := strings.TrimSpace(v.FormValue("text"))
	k := kept{said: written}
	if written == "" || len(written) > door.MaxText {
		return v.showTable(name, nethttp.StatusConflict, domain.Refuse("empty-text"), k)
	}
	text, err := v.Sealed(written)
	if err != nil {
		return err
	}
	return v.atTable(events.Say{Text: text}, "", k)
}
