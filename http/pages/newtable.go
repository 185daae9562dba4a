package pages

import (
	"fmt"
	nethttp "net/http"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"

	"posthorn/http/door"
)

// games offers what can be played.
func (v *visit) games() error {
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	var list []door.GameChoice
	for _, rb := range v.Rulebooks {
		list = append(list, v.GameChoice(rb))
	}
	return v.render(nethttp.StatusOK, "games", sheet{Title: v.T("page.nav.new"), Body: list})
}

// tableForm is the page on which a table is made up: a new one, or one branched from
// another's moment.
type tableForm struct {
	door.GameChoice
	NewID   string
	Action  string
	Options []optionField
	Seats   []seatField
	Paces   []choice
	Langs   []choice
	Branch  *domain.Branch
	From    string // the moment branched from
	Kinds   []choice
	Names   bool // the reader has no name yet
}

type optionField struct {
	Key, Label, Help string
	Values           []choice
}

type seatField struct {
	N       int // from 0
	Letter  string
	Kinds   []choice
	Address string
	Lang    string
	Extra   bool // may be left out
}

// newTable shows the form for a game.
func (v *visit) newTable() error {
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	ok, err := v.MayOpen()
	if err != nil {
		return err
	}
	if !ok {
		return v.showNewTable(nethttp.StatusForbidden, nil, v.T("page.new.invited-only"))
	}
	return v.showNewTable(nethttp.StatusOK, nil, "")
}

func (v *visit) showNewTable(status int, refused *domain.Refusal, text string) error {
	rb, ok := v.Rulebook(v.Param("game"))
	if !ok {
		return events.ErrNoStream
	}
	f, err := v.tableForm(rb, nil)
	if err != nil {
		return err
	}
	f.Action = "/new/" + rb.Name()
	return v.renderForm(f, rb, status, refused, text)
}

func (v *visit) renderForm(f *tableForm, rb domain.Rulebook, status int, refused *domain.Refusal, text string) error {
	sh := sheet{Title: f.Label, Body: f, Error: text}
	if refused != nil {
		sh.Error = v.Book.Printer(v.Lang, rb.Name(), nil).Say(refused.Say())
	}
	page := "newtable"
	if f.Branch != nil {
		page = "branch"
	}
	return v.render(status, page, sh)
}

// tableForm fills the form with what was chosen so far, or with defaults. For a branch the
// seats are given.
func (v *visit) tableForm(rb domain.Rulebook, branch *events.Look) (*tableForm, error) {
	f := &tableForm{GameChoice: v.GameChoice(rb), NewID: events.NewCommandID().String()}
	p := v.Book.Printer(v.Lang, rb.Name(), nil)
	for _, o := range rb.Options() {
		field := optionField{Key: o.Key, Label: p.Text("option." + o.Key), Help: p.Text("option." + o.Key + ".help")}
		now := v.FormValue("option." + o.Key)
		if now == "" {
			now = o.Default
		}
		for _, value := range o.Values {
			field.Values = append(field.Values, choice{Value: value, Label: v.OptionWord(rb, o, value), Selected: value == now})
		}
		f.Options = append(f.Options, field)
	}
	for _, pace := range domain.Paces {
		now := v.FormValue("pace")
		f.Paces = append(f.Paces, choice{Value: pace, Label: v.T("page.pace." + pace), Selected: pace == now || now == "" && pace == "weekly"})
	}
	f.Langs = append(f.Langs, v.Languages()...)
	least, most := f.Least, f.Most
	if branch != nil {
		least, most = len(branch.Table.Places), len(branch.Table.Places)
	}
	for i := range most {
		field := v.seatField(i, i >= least)
		if branch != nil {
			if err := v.sameSeat(&field, branch.Table.Places[i]); err != nil {
				return nil, err
			}
		}
		f.Seats = append(f.Seats, field)
	}
	var err error
	f.Names, err = v.Nameless(v.Me)
	return f, err
}

// seatKinds are the ways in which a seat may be held, as the form offers them.
var seatKinds = []string{"me", "friend", "team", "open", "steady", "random", "none"}

func (v *visit) seatField(i int, extra bool) seatField {
	s := seatField{N: i, Letter: domain.Seat(i).Letter(), Extra: extra,
		Address: v.FormValue(fmt.Sprintf("address.%d", i)), Lang: v.FormValue(fmt.Sprintf("lang.%d", i))}
	now := v.FormValue(fmt.Sprintf("seat.%d", i))
	if now == "" {
		switch {
		case i == 0:
			now = "me"
		case extra:
			now = "none"
		default:
			now = "friend"
		}
	}
	for _, k := range seatKinds {
		if k == "none" && !extra {
			continue
		}
		s.Kinds = append(s.Kinds, choice{Value: k, Label: v.T("page.new.seat." + k), Selected: k == now})
	}
	return s
}

// sameSeat offers the seat of a branch to whoever holds it at the table branched from.
func (v *visit) sameSeat(s *seatField, p domain.TablePlace) error {
	asked := v.FormValue(fmt.Sprintf("seat.%d", s.N)) != ""
	now := "open"
	switch {
	case p.Kind == domain.SeatStandIn || p.Resigned && p.StandIn != "":
		now = p.StandIn
	case p.Holds(v.Me) && len(p.Holders) == 1:
		now = "me"
	case len(p.Holders) > 0:
		now = "same"
		label := ""
		for _, id := range p.Holders {
			name, err := v.Called(id)
			if err != nil {
				return err
			}
			if label != "" {
				name = v.T("house.and", "a", label, "b", name)
			}
			label = name
		}
		same := choice{Value: now, Label: v.T("page.branch.same", "who", label), Selected: v.FormValue(fmt.Sprintf("seat.%d", s.N)) == now}
		s.Kinds = append([]choice{same}, s.Kinds...)
	}
	for i := range s.Kinds {
		if !asked {
			s.Kinds[i].Selected = s.Kinds[i].Value == now
		}
	}
	return nil
}

// openTable opens a table and asks everybody to it.
func (v *visit) openTable() error {
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	rb, ok := v.Rulebook(v.Param("game"))
	if !ok {
		return events.ErrNoStream
	}
	n := events.NewTable{Rulebook: rb.Name(), Pace: v.FormValue("pace"), Choices: v.optionsOf(rb)}
	_, most := rb.Seats(door.FullOr(rb, n.Choices))
	return v.open(n, nil, most, func(status int, refused *domain.Refusal, text string) error {
		return v.showNewTable(status, refused, text)
	})
}

func (v *visit) optionsOf(rb domain.Rulebook) domain.Choices {
	choices := domain.Choices{}
	for _, o := range rb.Options() {
		if value := v.FormValue("option." + o.Key); value != "" {
			choices[o.Key] = value
		}
	}
	return choices
}

// open reads the seats of a form, makes sure everybody named is known, and opens the table.
// What is refused comes back as the form with everything still in it.
func (v *visit) open(n events.NewTable, before []domain.TablePlace, seats int, again func(int, *domain.Refusal, string) error) error {
	ok, err := v.MayOpen()
	if err != nil {
		return err
	}
	if !ok {
		return again(nethttp.StatusForbidden, nil, v.T("page.new.invited-only"))
	}
	if err := v.NameFirst(v.Me, v.FormValue("name")); err != nil {
		if r, ok := domain.AsRefusal(err); ok {
			return again(nethttp.StatusUnprocessableEntity, r, "")
		}
		return err
	}
	id, err := v.commandID()
	if err != nil {
		return err
	}
	for i := range seats {
		place, used, refused, err := v.place(i, before)
		if err != nil {
			return err
		}
		if refused != nil {
			return again(nethttp.StatusUnprocessableEntity, refused, "")
		}
		if used {
			n.Places = append(n.Places, place)
		}
	}
	ans, err := v.Desk.Open(v.Ctx(), v.actor(), id, n)
	if r, ok := domain.AsRefusal(err); ok {
		return again(nethttp.StatusUnprocessableEntity, r, "")
	}
	if err != nil {
		return err
	}
	return v.see(tablePath(ans.Table), "")
}

// place reads one seat of the form; used is false for one that is left out. Before are the
// seats of the table that is branched from.
func (v *visit) place(i int, before []domain.TablePlace) (p domain.TablePlace, used bool, refused *domain.Refusal, err error) {
	switch kind := v.FormValue(fmt.Sprintf("seat.%d", i)); kind {
	case "me":
		return domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{v.Me}}, true, nil, nil
	case "open":
		return domain.TablePlace{Kind: domain.SeatOpen}, true, nil, nil
	case "steady", "random":
		return domain.TablePlace{Kind: domain.SeatStandIn, StandIn: kind}, true, nil, nil
	case "same":
		if i >= len(before) || len(before[i].Holders) == 0 {
			return p, true, nil, door.ErrMalformed
		}
		p.Kind = before[i].Kind
		for _, id := range before[i].Holders {
			if err := v.AskAgain(id); err != nil {
				refused, err := refusal(err)
				return p, true, refused, err
			}
			p.Invited = append(p.Invited, id)
		}
		return p, true, nil, nil
	case "friend", "team":
		p.Kind = domain.SeatPlayer
		addresses := strings.FieldsFunc(v.FormValue(fmt.Sprintf("address.%d", i)), func(r rune) bool {
			return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\r' || r == '\t'
		})
		if kind == "team" {
			p.Kind = domain.SeatTeam
			if v.FormValue(fmt.Sprintf("join.%d", i)) != "" {
				p.Invited = append(p.Invited, v.Me)
			}
		}
		if len(addresses) > door.MaxTeam {
			addresses = addresses[:door.MaxTeam]
		}
		if len(addresses) == 0 && len(p.Invited) == 0 {
			return p, true, domain.Refuse("address-missing", "letter", domain.Seat(i).Letter()), nil
		}
		for _, a := range addresses {
			id, err := v.Friend(a, v.FormValue(fmt.Sprintf("lang.%d", i)))
			if err != nil {
				refused, err := refusal(err)
				return p, true, refused, err
			}
			p.Invited = append(p.Invited, id)
		}
		return p, true, nil, nil
	}
	return p, false, nil, nil
}

// branchForm shows what can be made of a moment.
func (v *visit) branchForm() error { return v.showBranch(nethttp.StatusOK, nil, "") }

func (v *visit) showBranch(status int, refused *domain.Refusal, text string) error {
	look, b, err := v.branching()
	if err != nil {
		return err
	}
	f, err := v.tableForm(look.Rulebook, &look)
	if err != nil {
		return err
	}
	f.Branch, f.Action = b, tablePath(look.Name)+"/branch"
	f.From = tablePath(look.Name) + "/line/" + b.Line + "/" + strconv.FormatUint(b.Version, 10)
	for _, k := range door.BranchKinds {
		f.Kinds = append(f.Kinds, choice{Value: k, Label: v.T("page.branch.kind." + k), Selected: k == b.Kind})
	}
	return v.renderForm(f, look.Rulebook, status, refused, text)
}

// branching reads which moment an address or a form is about.
func (v *visit) branching() (events.Look, *domain.Branch, error) {
	name, err := v.TableName()
	if err != nil {
		return events.Look{}, nil, err
	}
	if !v.SignedIn() {
		return events.Look{}, nil, door.ErrSignIn
	}
	look, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return look, nil, err
	}
	b := &domain.Branch{Table: name.String(), Line: v.value("line"), Kind: "game"}
	if v.value("kind") == "study" {
		b.Kind = "study"
	}
	line, err := events.ParseName(b.Line)
	if err != nil || !door.Owns(look.Table, line) {
		return look, nil, events.ErrNoStream
	}
	if b.Version, err = strconv.ParseUint(v.value("version"), 10, 64); err != nil || b.Version == 0 {
		return look, nil, events.ErrNoStream
	}
	head, err := v.Desk.Log().Head(v.Ctx(), line)
	if err != nil {
		return look, nil, err
	}
	if b.Version > head.Version {
		return look, nil, events.ErrNoStream
	}
	return look, b, nil
}

// branch opens a table that goes on from a moment of another.
func (v *visit) branch() error {
	look, b, err := v.branching()
	if err != nil {
		return err
	}
	n := events.NewTable{Rulebook: look.Table.Rulebook, Choices: look.Table.Choices, Pace: v.FormValue("pace"), Branch: b}
	return v.open(n, look.Table.Places, len(look.Table.Places), v.showBranch)
}
