package pages

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	nethttp "net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
)

// tableForm is the page for setting up a table: a new one, or one branched from a moment of another.
type tableForm struct {
	Alone string // the address that leaves out all other seats, for a game that one person may play
	offered
	Games   []offered // the games to choose from; none for a branch
	Action  string
	First   []optionField // which variant of the game it is
	Rules   []optionField // how its rules are read
	Changed bool          // some rule is not as printed
	Seats   []seatField
	Spare   bool // there are optional seats
	Paces   []choice
	Outs    []choice // what happens when somebody's time runs out
	Graces  []choice // how long a move may be taken back once it has passed the turn on
	Langs   []choice
	Listed  bool // strangers may find the table
	More    bool // something is chosen that most people never look at
	Branch  *domain.Branch
	From    string   // the moment branched from
	Kinds   []choice // what a branch is for, each with the address of its form
	Names   bool     // the reader has no name yet
}

// optionField is an option, plus the options that have an effect only with it.
type optionField struct {
	door.Option
	Under []optionField
}

// Extra reports whether the option adds something to the game: ticked or not.
func (o optionField) Extra() bool { return o.First && o.Default == "off" && len(o.Values) == 2 }

// Chosen reports whether an extra is ticked.
func (o optionField) Chosen() bool {
	return slices.ContainsFunc(o.Values, func(w choice) bool { return w.Value == "on" && w.Selected })
}

type seatField struct {
	N       int // from 0
	Letter  string
	Kinds   []choice
	Address string
}

// newTable shows the form for a game.
func (v openPages) newTable() error {
	err := v.NewTables().MayOpen()
	if errors.Is(err, door.ErrInvitedOnly) {
		v.barred, v.status = true, nethttp.StatusForbidden
	} else if err != nil {
		return err
	}
	return v.showNewTable()
}

// gameOf returns the game of the address; by default the first.
func (v openPages) gameOf() (domain.Rulebook, error) {
	rb, ok := v.Rulebook(cmp.Or(v.Param("game"), v.Rulebooks[0].Name()))
	if !ok {
		return nil, events.ErrNoStream
	}
	return rb, nil
}

func (v openPages) showNewTable() error {
	rb, err := v.gameOf()
	if err != nil {
		return err
	}
	f, err := v.tableForm(rb, nil, nil)
	if err != nil {
		return err
	}
	f.Action, f.Games = "/new/"+rb.Name(), v.public().offers(rb.Name())
	if f.Fewest == 1 {
		f.Alone = f.alone()
	}
	return v.renderForm("newtable", f, rb)
}

func (v openPages) renderForm(page string, f *tableForm, rb domain.Rulebook) error {
	return v.render(page, sheet{Title: f.Name, Styles: frontStyles, Body: f,
		say: v.Book.Printer(v.Lang, rb.Name(), nil).Say})
}

// orElse returns the value of a form's field, or a default if it is empty.
func (v openPages) orElse(field, other string) string {
	if value := v.FormValue(field); value != "" {
		return value
	}
	return other
}

// tableForm fills in the form with what was chosen so far, or with defaults. For a branch of a table the seats are
// fixed.
func (v openPages) tableForm(rb domain.Rulebook, from *desk.Look, branch *domain.Branch) (*tableForm, error) {
	f := &tableForm{Branch: branch,
		offered: v.public().offer(v.Game(rb, func(o domain.Option) string {
			return v.orElse("option."+o.Key, o.Default)
		})),
		Langs: v.Languages(), Listed: v.FormValue("listed") != "",
		Paces: door.Words(domain.Paces, v.orElse("pace", "weekly"), v.Worded("page.pace.")),
		Outs: door.Words(door.TimeOuts(), v.orElse("timeout", string(domain.TimeOutRemind)),
			v.Worded("page.timeout."))}
	f.Graces = door.Words(graces(), v.orElse("grace", "0"), func(n string) string {
		if n == "0" {
			return v.T("page.new.grace.none")
		}
		return v.T("page.new.grace.n", "n", n)
	})
	f.sort(v.FormValue)
	f.More = f.Listed || !f.Outs[0].Selected || !f.Graces[0].Selected
	least, most, names, err := f.Least, f.Most, []string(nil), error(nil)
	if branch != nil {
		least, most = len(from.Table.Places), len(from.Table.Places)
		if names, err = v.Commands().SeatNames(v.Ctx(), from.Table); err != nil {
			return nil, err
		}
	}
	f.Spare = most > least
	for i := range most {
		field := v.seatField(i)
		if branch != nil {
			v.sameSeat(&field, from.Table.Places[i], names[i], branch.Kind == "study")
		}
		f.Seats = append(f.Seats, field)
	}
	f.Names, err = v.Nameless(v.Me)
	return f, err
}

// alone returns the form's address with only one seat and nobody to keep time for; "" if it is like that already.
func (f *tableForm) alone() string {
	q, already := url.Values{"pace": {"relaxed"}}, true
	for _, s := range f.Seats[1:] {
		q.Set(fmt.Sprintf("seat.%d", s.N), "none")
		already = already && slices.ContainsFunc(s.Kinds, func(k choice) bool {
			return k.Value == "none" && k.Selected
		})
	}
	if already {
		return ""
	}
	return f.Action + "?" + q.Encode()
}

// sort puts each option where people look for it.
func (f *tableForm) sort(chosen func(string) string) {
	under := func(key string) (out []optionField) {
		for _, o := range f.Options {
			if o.With == key {
				out = append(out, optionField{Option: o})
			}
		}
		return out
	}
	for _, o := range f.Options {
		if value := chosen("option." + o.Key); value != "" && value != o.Default && !o.First {
			f.Changed = true
		}
		switch field := (optionField{o, under(o.Key)}); {
		case o.First:
			f.First = append(f.First, field)
		case o.With == "":
			f.Rules = append(f.Rules, field)
		}
	}
}

// seatKinds are the ways of holding a seat that the form offers.
var seatKinds = []string{"friend", "me", "thoughtful", "steady", "random", "open", "team", "none"}

func (v openPages) seatField(i int) seatField {
	now, n := "friend", strconv.Itoa(i)
	if i == 0 {
		now = "me"
	}
	return seatField{N: i, Letter: domain.Seat(i).Letter(), Address: v.FormValue("address." + n),
		Kinds: door.Words(seatKinds, v.orElse("seat."+n, now), v.Worded("page.new.seat."))}
}

// sameSeat offers a branch's seat to whoever holds it at the table branched from. In a study the reader has it unless
// they choose otherwise: others are neither asked nor told while they play the game itself.
func (v openPages) sameSeat(s *seatField, p domain.TablePlace, name string, study bool) {
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
	if study {
		now = "me"
	}
	now = v.orElse(fmt.Sprintf("seat.%d", s.N), now)
	for i := range s.Kinds {
		s.Kinds[i].Selected = s.Kinds[i].Value == now
	}
}

// openTable opens a table and invites everybody named.
func (v openPages) openTable() error {
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
	least, most := rb.Seats(door.FullOr(rb, choices))
	return v.open(door.TableWish{NewTable: desk.NewTable{Rulebook: rb.Name(), Pace: v.FormValue("pace"),
		Clock: v.clock(), NoUndo: v.noUndo(), Grace: v.grace(), Choices: choices,
		Listed: v.FormValue("listed") != ""}}, least, most)
}

// clock returns the table's clock as the form sets it.
func (v openPages) clock() *domain.Clock {
	return domain.ClockOf(v.FormValue("pace"), domain.TimeOut(v.FormValue("timeout")))
}

// noUndo reports whether the form is for a table without taking steps back.
func (v openPages) noUndo() bool { return v.FormValue("undo") == "off" }

// grace returns for how many minutes the form lets a move be taken back once it has passed the turn on. If that is not
// a number, it returns a value that no table allows.
func (v openPages) grace() int {
	n, err := strconv.Atoi(v.orElse("grace", "0"))
	if err != nil {
		return -1
	}
	return n
}

// graces returns the graces that a form offers.
func graces() (out []string) {
	for _, n := range domain.Graces {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// open reads the seats of a form and opens the table. Seats beyond the minimum may be left empty.
func (v openPages) open(w door.TableWish, least, seats int) error {
	if err := v.NewTables().MayOpen(); err != nil {
		return err
	}
	w.Name, w.Words = v.FormValue("name"), v.FormValue("words")
	for i := range seats {
		seat, err := v.seatWish(i, i >= least)
		if err != nil {
			return err
		}
		if seat.Kind != "" {
			w.Seats = append(w.Seats, seat)
		}
	}
	if !slices.ContainsFunc(w.Seats, func(s door.SeatWish) bool { return s.Kind != "me" }) {
		// nobody waits for somebody who plays alone
		w.Pace, w.Clock = domain.Paces[len(domain.Paces)-1], nil
	}
	if rb, ok := v.Rulebook(w.Rulebook); ok && w.Choices != nil {
		if key := door.SwitchFor(rb, w.Choices, len(w.Seats)); key != "" {
			w.Choices = maps.Clone(w.Choices) // they may be another table's
			w.Choices[key] = "on"
		}
	}
	ans, err := v.NewTables().Open(func() (events.CommandID, error) {
		at, err := v.at(v.Me)
		return at.ID, err
	}, w)
	return v.after(err, tablePath(ans.Table), "")
}

// seatWish reads one seat of the form; its kind is "" if the seat is left out.
func (v openPages) seatWish(i int, spare bool) (w door.SeatWish, err error) {
	n := strconv.Itoa(i)
	switch kind := v.FormValue("seat." + n); kind {
	case "me", "open", "same":
		w.Kind = kind
	case "thoughtful", "steady", "random":
		w.Kind, w.StandIn = "stand-in", kind
	case "friend", "team":
		w.Invite = v.invited(v.FormValue("address."+n), cmp.Or(v.FormValue("lang."+n), v.FormValue("lang")))
		w.WithMe = kind == "team" && v.FormValue("join."+n) != ""
		if len(w.Invite) == 0 && !w.WithMe {
			if spare {
				return w, nil
			}
			return w, domain.Refuse("address-missing", "letter", domain.Seat(i).Letter())
		}
		if kind == "friend" {
			if err := v.notOwn(i, w.Invite); err != nil {
				return w, err
			}
		}
		if w.Kind = "player"; kind == "team" {
			w.Kind = kind
		}
		if called := strings.TrimSpace(v.FormValue("called." + n)); called != "" && len(w.Invite) == 1 {
			w.Invite[0].Name = called
		}
	}
	return w, nil
}

// notOwn refuses to invite the reader by mail to a seat at their own table: they would hold it without having meant to.
func (v openPages) notOwn(i int, asked []door.Invitee) error {
	mine, err := v.People.Addresses(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	for _, who := range asked {
		a, err := people.ParseAddress(who.Address)
		if _, own := people.Theirs(mine, a); err == nil && own {
			return domain.Refuse("address-own", "letter", domain.Seat(i).Letter())
		}
	}
	return nil
}

// invited parses addresses, each on its own or as in a mail header: Bo <bo@example.org>.
func (v openPages) invited(text, lang string) (out []door.Invitee) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;\n\r\t", r) }) {
		name, rest, named := strings.Cut(part, "<")
		if named {
			address, _, _ := strings.Cut(rest, ">")
			name = strings.Trim(strings.TrimSpace(name), `"`)
			if strings.Contains(name, "@") { // as mail programs copy an address that has no name
				name = ""
			}
			out = append(out, door.Invitee{Address: strings.TrimSpace(address), Language: lang, Name: name})
			continue
		}
		for address := range strings.FieldsSeq(part) {
			out = append(out, door.Invitee{Address: address, Language: lang})
		}
	}
	return out[:min(len(out), door.MaxTeam)]
}

// branchForm shows what a moment can be branched into.
func (v openPages) branchForm() error {
	look, b, err := v.branching()
	if err != nil {
		return err
	}
	f, err := v.tableForm(look.Rulebook, &look, b)
	if err != nil {
		return err
	}
	f.Action = v.Home() + "/branch"
	f.From = v.Home() + "/line/" + b.Line + "/" + strconv.FormatUint(b.Version, 10)
	f.Kinds = door.Words(door.BranchKinds, b.Kind, v.Worded("page.branch.kind."))
	for i, kind := range door.BranchKinds { // an address each: what it is for decides who is seated by default
		q := url.Values{"line": {b.Line}, "version": {strconv.FormatUint(b.Version, 10)}, "kind": {kind}}
		f.Kinds[i].Value = f.Action + "?" + q.Encode()
	}
	return v.renderForm("branch", f, look.Rulebook)
}

// branching reads which moment an address or a form is about.
func (v openPages) branching() (desk.Look, *domain.Branch, error) {
	kind := v.consent().value("kind")
	if !slices.Contains(door.BranchKinds, kind) {
		kind = "game"
	}
	version, _ := strconv.ParseUint(v.consent().value("version"), 10, 64) // anything but a number is no version
	look, b, err := v.History().Branching(v.consent().value("line"), version, kind)
	if _, refused := domain.AsRefusal(err); refused {
		err = events.ErrNoStream
	}
	return look, b, err
}

// branch opens a table that goes on from a moment of another.
func (v openPages) branch() error {
	look, b, err := v.branching()
	if err != nil {
		return err
	}
	w := door.Branch(look, b, v.FormValue("pace"))
	w.Clock, w.NoUndo, w.Grace = v.clock(), v.noUndo(), v.grace()
	return v.open(w, len(look.Table.Places), len(look.Table.Places))
}
