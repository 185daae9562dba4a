package pages

import (
	"errors"
	"fmt"
	nethttp "net/http"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
)

// games offers what can be played.
func (v *visit) games() error {
	return v.render("games", sheet{Title: v.T("page.nav.new"), Body: v.Games()})
}

// tableForm is the page on which a table is made up: a new one, or one branched from
// another's moment.
type tableForm struct {
	door.Game
	Action string
	Seats  []seatField
	Paces  []choice
	Outs   []choice // what happens once somebody's time is over
	Langs  []choice
	Branch *domain.Branch
	From   string // the moment branched from
	Kinds  []choice
	Names  bool // the reader has no name yet
}

type seatField struct {
	N       int // from 0
	Letter  string
	Kinds   []choice
	Address string
	Called  string
	Lang    string
}

// newTable shows the form for a game.
func (v *visit) newTable() error {
	err := v.MayOpen()
	if errors.Is(err, door.ErrInvitedOnly) {
		v.barred, v.status = true, nethttp.StatusForbidden
	} else if err != nil {
		return err
	}
	return v.showNewTable()
}

// game is the one of the address.
func (v *visit) gameOf() (domain.Rulebook, error) {
	rb, ok := v.Rulebook(v.Param("game"))
	if !ok {
		return nil, events.ErrNoStream
	}
	return rb, nil
}

func (v *visit) showNewTable() error {
	rb, err := v.gameOf()
	if err != nil {
		return err
	}
	f, err := v.tableForm(rb, nil)
	if err != nil {
		return err
	}
	f.Action = "/new/" + rb.Name()
	return v.renderForm("newtable", f, rb)
}

func (v *visit) renderForm(page string, f *tableForm, rb domain.Rulebook) error {
	return v.render(page, sheet{Title: f.Name, Body: f, say: v.Book.Printer(v.Lang, rb.Name(), nil).Say})
}

// orElse is the value of a form's field, or another while there is none.
func (v *visit) orElse(field, other string) string {
	if value := v.FormValue(field); value != "" {
		return value
	}
	return other
}

// tableForm fills the form with what was chosen so far, or with defaults. For a branch the
// seats are given.
func (v *visit) tableForm(rb domain.Rulebook, branch *events.Look) (*tableForm, error) {
	f := &tableForm{Game: v.Game(rb, func(o domain.Option) string { return v.orElse("option."+o.Key, o.Default) }), Langs: v.Languages(),
		Paces: door.Words(domain.Paces, v.orElse("pace", "weekly"), v.Worded("page.pace.")),
		Outs:  door.Words(door.TimeOuts(), v.orElse("timeout", string(domain.TimeOutRemind)), v.Worded("page.timeout."))}
	least, most, names, err := f.Least, f.Most, []string(nil), error(nil)
	if branch != nil {
		least, most = len(branch.Table.Places), len(branch.Table.Places)
		if names, err = v.SeatNames(v.Ctx(), branch.Table); err != nil {
			return nil, err
		}
	}
	for i := range most {
		field := v.seatField(i, i >= least)
		if branch != nil {
			v.sameSeat(&field, branch.Table.Places[i], names[i])
		}
		f.Seats = append(f.Seats, field)
	}
	f.Names, err = v.Nameless(v.Me)
	return f, err
}

// seatKinds are the ways in which a seat may be held, as the form offers them; the last is for
// seats that may be left out.
var seatKinds = []string{"me", "friend", "team", "open", "steady", "random", "none"}

func (v *visit) seatField(i int, extra bool) seatField {
	kinds, now := seatKinds[:len(seatKinds)-1], "friend"
	if extra {
		kinds, now = seatKinds, "none"
	}
	if i == 0 {
		now = "me"
	}
	n := strconv.Itoa(i)
	return seatField{N: i, Letter: domain.Seat(i).Letter(), Address: v.FormValue("address." + n), Called: v.FormValue("called." + n), Lang: v.FormValue("lang." + n),
		Kinds: door.Words(kinds, v.orElse("seat."+n, now), v.Worded("page.new.seat."))}
}

// sameSeat offers the seat of a branch to whoever holds it at the table branched from.
func (v *visit) sameSeat(s *seatField, p domain.TablePlace, name string) {
	now := "open"
	switch {
	case p.Kind == domain.SeatStandIn || p.Resigned && p.StandIn != "":
		now = p.StandIn
	case p.Holds(v.Me) && len(p.Holders) == 1:
		now = "me"
	case len(p.Holders) > 0:
		now = "same"
		s.Kinds = append([]choice{{Value: now, Label: v.T("page.branch.same", "who", name)}}, s.Kinds...)
	}
	now = v.orElse(fmt.Sprintf("seat.%d", s.N), now)
	for i := range s.Kinds {
		s.Kinds[i].Selected = s.Kinds[i].Value == now
	}
}

// openTable opens a table and asks everybody to it.
func (v *visit) openTable() error {
	rb, err := v.gameOf()
	if err != nil {
		return err
	}
	choices := domain.Choices{}
	for _, o := range rb.Options() {
		if value := v.FormValue("option." + o.Key); value != "" {
			choices[o.Key] = value
		}
	}
	_, most := rb.Seats(door.FullOr(rb, choices))
	return v.open(door.TableWish{NewTable: events.NewTable{Rulebook: rb.Name(), Pace: v.FormValue("pace"), Clock: v.clock(), Choices: choices}}, most)
}

// clock is what a form says of the table's time.
func (v *visit) clock() *domain.Clock {
	return domain.ClockOf(v.FormValue("pace"), domain.TimeOut(v.FormValue("timeout")))
}

// open reads the seats of a form and opens the table.
func (v *visit) open(w door.TableWish, seats int) error {
	if err := v.MayOpen(); err != nil {
		return err
	}
	w.Name = v.FormValue("name")
	for i := range seats {
		seat, err := v.seatWish(i)
		if err != nil {
			return err
		}
		if seat.Kind != "" {
			w.Seats = append(w.Seats, seat)
		}
	}
	ans, err := v.Open(func() (events.CommandID, error) {
		at, err := v.at(v.Me)
		return at.ID, err
	}, w)
	return v.after(err, tablePath(ans.Table), "")
}

// seatWish reads one seat of the form; its kind is "" for one that is left out.
func (v *visit) seatWish(i int) (w door.SeatWish, err error) {
	n := strconv.Itoa(i)
	switch kind := v.FormValue("seat." + n); kind {
	case "me", "open", "same":
		w.Kind = kind
	case "steady", "random":
		w.Kind, w.StandIn = "stand-in", kind
	case "friend", "team":
		w.Kind = "player"
		if kind == "team" {
			w.Kind, w.WithMe = kind, v.FormValue("join."+n) != ""
		}
		addresses := strings.FieldsFunc(v.FormValue("address."+n), func(r rune) bool { return strings.ContainsRune(",; \n\r\t", r) })
		if len(addresses) == 0 && !w.WithMe {
			return w, domain.Refuse("address-missing", "letter", domain.Seat(i).Letter())
		}
		for _, a := range addresses[:min(len(addresses), door.MaxTeam)] {
			w.Invite = append(w.Invite, door.Invitee{Address: a, Language: v.FormValue("lang." + n)})
		}
		if len(w.Invite) == 1 {
			w.Invite[0].Name = strings.TrimSpace(v.FormValue("called." + n))
		}
	}
	return w, nil
}

// branchForm shows what can be made of a moment.
func (v *visit) branchForm() error {
	look, b, err := v.branching()
	if err != nil {
		return err
	}
	f, err := v.tableForm(look.Rulebook, &look)
	if err != nil {
		return err
	}
	f.Branch, f.Action = b, v.Home()+"/branch"
	f.From = v.Home() + "/line/" + b.Line + "/" + strconv.FormatUint(b.Version, 10)
	f.Kinds = door.Words(door.BranchKinds, b.Kind, v.Worded("page.branch.kind."))
	return v.renderForm("branch", f, look.Rulebook)
}

// branching reads which moment an address or a form is about.
func (v *visit) branching() (events.Look, *domain.Branch, error) {
	kind := v.value("kind")
	if !slices.Contains(door.BranchKinds, kind) {
		kind = "game"
	}
	version, _ := strconv.ParseUint(v.value("version"), 10, 64) // what is no number is no version
	look, b, err := v.Branching(v.value("line"), version, kind)
	if _, refused := domain.AsRefusal(err); refused {
		err = events.ErrNoStream
	}
	return look, b, err
}

// branch opens a table that goes on from a moment of another.
func (v *visit) branch() error {
	look, b, err := v.branching()
	if err != nil {
		return err
	}
	w := door.Branch(look, b, v.FormValue("pace"))
	w.Clock = v.clock()
	return v.open(w, len(look.Table.Places))
}
