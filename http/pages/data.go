package pages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/domain/sketch"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/http/guard"
	"posthorn/projections/views"
)

// data sends everything the house holds about the reader, as it reads it.
func (v settingsPages) data() error {
	if wait, ok := v.site.data.Allow(string(v.Me) + " at " + v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	h := v.Response().Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="posthorn-data-`+v.Now().UTC().Format("2006-01-02")+`.json"`)
	h.Set("Cache-Control", "no-store")
	v.Response().WriteHeader(nethttp.StatusOK)
	if v.Request().Method == nethttp.MethodHead {
		return nil
	}
	return v.writeData(v.Response())
}

// dataSays is the text at the start of somebody's data.
const dataSays = "This is what this Posthorn server holds about you. Times are in UTC. It has what " +
	"you did, wrote and set, " +
	"not what others did, and of hidden cards only what you may know. Secrets that open something (cookies, links, " +
	"tokens, the keys of webhooks) are not in it; " +
	"the server itself keeps most of them as hashes. Letters are not kept once they are sent; that they were sent " +
	"is. A table's whole history is its record, to be had on its page."

// writeData writes everything the house holds about the reader as one JSON object, table by table. On an error the
// output is cut short, so that no JSON reader accepts it.
func (v settingsPages) writeData(w io.Writer) error {
	out := &object{w: w}
	out.member("about", dataSays)
	out.member("server", v.PublicURL)
	out.member("made", v.Now().UTC())
	for _, part := range []func(*object) error{v.dataAccount, v.dataKeys, v.dataTables, v.dataPuzzles, v.dataMails} {
		if err := part(out); err != nil {
			return err
		}
	}
	return out.end()
}

func (v settingsPages) dataAccount(out *object) error {
	p, err := v.People.Person(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	rhythm, err1 := v.People.Rhythm(v.Ctx(), v.Me)
	c, err2 := v.People.Calendar(v.Ctx(), v.Me)
	never, err3 := v.People.Suppressed(v.Ctx(), p.Address)
	opens, err4 := v.People.Invited(v.Ctx(), v.Me)
	back, err5 := v.Unreachable(v.Me)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return err
	}
	if p.Dated != "" {
		c.Night = calendar.Night{} // they set none
	}
	type another struct {
		Address   string     `json:"address"`
		Confirmed time.Time  `json:"confirmed"`
		Until     *time.Time `json:"removed_and_back_until,omitempty"`
	}
	type account struct {
		ID          domain.PersonID `json:"id"`
		Name        string          `json:"name"`
		Called      string          `json:"called_by_inviter,omitempty"`
		Address     string          `json:"address"`
		Others      []another       `json:"other_addresses,omitempty"`
		Confirmed   *time.Time      `json:"address_confirmed,omitempty"`
		Created     time.Time       `json:"created"`
		Language    string          `json:"language"`
		Zone        string          `json:"time_zone"`
		Dated       string          `json:"answers_dated,omitempty"`
		MailsOff    []string        `json:"mails_turned_off,omitempty"`
		Rhythm      string          `json:"mail_rhythm,omitempty"`
		NoInvites   bool            `json:"never_invite"`
		Host        bool            `json:"runs_the_server"`
		Opens       bool            `json:"let_in_by_host"`
		Returned    string          `json:"mails_come_back,omitempty"`
		NightFrom   int             `json:"night_from"`
		NightTo     int             `json:"night_to"`
		DaysOff     []string        `json:"days_off,omitempty"`
		Away        []string        `json:"away,omitempty"`
		SignedBy    []string        `json:"mails_signed_by,omitempty"`     // domains, or "nobody"
		Networks    int             `json:"networks_acted_from,omitempty"` // lately; which, only digests tell
		LinksEpochs uint32          `json:"links_withdrawn"`
	}
	addresses, err := v.People.Addresses(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	a := account{ID: p.ID, Name: p.Name, Called: p.Called, Address: string(p.Address), Created: p.Created,
		Language: p.Language, Zone: p.Zone, Dated: p.Dated, MailsOff: p.MailsOff,
		Rhythm: rhythm.String(), NoInvites: never, Host: p.Host, Opens: opens, Returned: back[v.Me],
		NightFrom: c.Night.From, NightTo: c.Night.To}
	for _, o := range addresses[min(1, len(addresses)):] {
		one := another{Address: string(o.Address), Confirmed: o.Since}
		if !o.Until.IsZero() {
			one.Until = &o.Until
		}
		a.Others = append(a.Others, one)
	}
	if !p.Confirmed.IsZero() {
		a.Confirmed = &p.Confirmed
	}
	for day, off := range c.Off {
		if off {
			a.DaysOff = append(a.DaysOff, time.Weekday(day).String())
		}
	}
	for _, s := range c.Away {
		a.Away = append(a.Away, s.From.String()+" to "+s.Until.String())
	}
	if a.Networks, err = v.People.Networks(v.Ctx(), v.Me); err != nil {
		return err
	}
	signers, err := v.People.Signers(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	for _, by := range signers {
		a.SignedBy = append(a.SignedBy, cmp.Or(by, "nobody"))
	}
	if a.LinksEpochs, err = v.People.PassEpoch(v.Ctx(), v.Me); err != nil {
		return err
	}
	out.member("account", a)
	return out.err
}

// dataKeys lists what gives access to the reader's account, without the secrets themselves.
func (v settingsPages) dataKeys(out *object) error {
	sessions, err1 := v.People.Sessions(v.Ctx(), v.Me)
	tokens, err2 := v.People.Tokens(v.Ctx(), v.Me)
	hooks, err3 := v.People.Hooks(v.Ctx(), v.Me)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	out.list("browsers_signed_in", func(add func(any)) error {
		for _, s := range sessions {
			add(map[string]any{"browser": s.Label, "since": s.Created, "until": s.Expires})
		}
		return nil
	})
	out.list("tokens", func(add func(any)) error {
		for _, t := range tokens {
			one := map[string]any{"label": t.Label, "scope": t.Scope, "since": t.Created, "until": t.Expires}
			if !t.Table.IsZero() {
				one["table"] = t.Table
			}
			add(one)
		}
		return nil
	})
	out.list("webhooks", func(add func(any)) error {
		for _, h := range hooks {
			one := map[string]any{"address": h.Address, "kinds": h.Kinds, "since": h.Created}
			if !h.Off.IsZero() {
				one["given_up"], one["why"] = h.Off, h.Why
			}
			add(one)
		}
		return nil
	})
	return out.err
}

// tableData is what somebody has and did at one table.
type tableData struct {
	Table   events.Name         `json:"table"`
	Game    string              `json:"game"`
	Status  domain.TableStatus  `json:"status"`
	Opened  time.Time           `json:"opened"`
	Roles   []string            `json:"roles"`
	Seats   []string            `json:"seats,omitempty"` // the seats they hold, by letter
	Note    string              `json:"note,omitempty"`
	Came    *came               `json:"last_move_by_page,omitempty"`
	Tried   []tried             `json:"tried,omitempty"`
	Orders  map[string][]string `json:"standing_orders,omitempty"`
	Acts    []act               `json:"acts,omitempty"`
	Moves   []moved             `json:"moves,omitempty"`
	Missing string              `json:"missing,omitempty"`
}

// came is how somebody's last move from a page came in.
type came struct {
	At     time.Time `json:"at"`
	Way    string    `json:"by"` // "link", "lent" or "session"
	Device string    `json:"browser"`
}

// tried is one line that somebody tries on a copy of the game.
type tried struct {
	Name  string       `json:"name,omitempty"`
	Moves []sketch.Ply `json:"moves,omitempty"`
}

// act is something other than a move that somebody did at a table.
type act struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
	Door string    `json:"by"`
	Text string    `json:"text,omitempty"`
}

// moved is a move that somebody made.
type moved struct {
	At   time.Time `json:"at"`
	Line int       `json:"line"` // line of play, from 0; each rewind starts a new one
	Seat string    `json:"seat"`
	Move string    `json:"move"`
	Door string    `json:"by"`
}

func (v settingsPages) dataTables(out *object) error {
	items, err := v.Views.Inbox(v.Ctx(), v.Me)
	if err != nil {
		return err
	}
	out.list("tables", func(add func(any)) error {
		for _, it := range items {
			t, err := v.dataTable(it)
			if errors.As(err, new(*desk.Unreadable)) {
				t, err = tableData{Table: it.Table, Game: it.Rulebook, Status: it.Status, Opened: it.Opened,
					Roles: it.Roles, Missing: "the history of this table cannot be read"}, nil
			}
			if err != nil {
				return fmt.Errorf("table %s: %w", it.Table, err)
			}
			add(t)
		}
		return nil
	})
	return out.err
}

func (v settingsPages) dataTable(it views.Item) (t tableData, err error) {
	t = tableData{Table: it.Table, Game: it.Rulebook, Status: it.Status, Opened: it.Opened, Roles: it.Roles}
	return t, v.Desk.Guard(it.Table, func() error {
		look, err := v.Desk.Look(v.Ctx(), it.Table)
		if err != nil {
			return err
		}
		if t.Note, err = v.People.Note(v.Ctx(), v.Me, it.Table); err != nil {
			return err
		}
		press, err := v.People.Pressed(v.Ctx(), v.Me, it.Table)
		if err != nil {
			return err
		}
		if !press.Moved.IsZero() {
			t.Came = &came{press.Moved, press.Way, press.Device}
		}
		tries, _, err := v.People.Sketch(v.Ctx(), v.Me, it.Table)
		if err != nil {
			return err
		}
		for _, l := range tries.Lines {
			t.Tried = append(t.Tried, tried{l.Name, l.Plies})
		}
		for _, seat := range look.Table.SeatsOf(v.Me) {
			t.Seats = append(t.Seats, seat.Letter())
			o, err := v.Desk.Orders(v.Ctx(), it.Table, seat, v.Me)
			if _, refused := domain.AsRefusal(err); err != nil && !refused {
				return err
			}
			if err == nil && len(o.List) > 0 {
				if t.Orders == nil {
					t.Orders = map[string][]string{}
				}
				t.Orders[seat.Letter()] = o.List
			}
		}
		if t.Acts, err = v.dataActs(it.Table); err != nil {
			return err
		}
		t.Moves, err = v.dataMoves(look)
		return err
	})
}

// dataActs lists what the reader did at a table apart from moves, including what they wrote.
func (v settingsPages) dataActs(table events.Name) (out []act, err error) {
	all, err := v.Desk.TableHistory(v.Ctx(), table, 0)
	for _, e := range all {
		if e.Meta.By != v.Me {
			continue
		}
		a := act{At: e.Record.At, What: e.Record.Type, Door: e.Meta.Door}
		switch e := e.Event.(type) {
		case *domain.Said:
			a.Text = v.Opened(v.Me, e.Text)
		case *domain.Proposed:
			a.Text = v.Opened(v.Me, e.Proposal.Reason)
		}
		out = append(out, a)
	}
	return out, err
}

// dataMoves lists the moves that the reader made, as far as they may know them.
func (v settingsPages) dataMoves(look desk.Look) (out []moved, err error) {
	recall := look.Rulebook.Extras().Recall
	for i, l := range look.Table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return nil, err
		}
		all, err := v.Desk.History(v.Ctx(), look, name, look.Table.ViewerOf(v.Me, domain.Nobody), l.Fork, 0)
		if errors.Is(err, events.ErrNoStream) { // it is just being opened
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			if e.Meta.By != v.Me || e.Forked || e.Event.Move == "" {
				continue
			}
			m := moved{e.Record.At, i, e.Event.Seat.Letter(), e.Event.Move, e.Meta.Door}
			if recall != nil && slices.Contains(look.Table.SeatsOf(v.Me), e.Event.Seat) {
				if whole, ok := recall(&e.Event); ok {
					m.Move = look.Rulebook.FormatMove(whole, nil)
				}
			}
			out = append(out, m)
		}
	}
	return out, nil
}

func (v settingsPages) dataMails(out *object) error {
	if v.Mails == nil {
		return nil
	}
	out.list("mails", func(add func(any)) error {
		return v.Mails.Letters(v.Ctx(), v.Me, func(l door.LetterMade) { add(l) })
	})
	return out.err
}

func (v settingsPages) dataPuzzles(out *object) error {
	all, err := v.People.Puzzles(v.Ctx(), v.Me)
	if err != nil || len(all) == 0 {
		return err
	}
	byName := map[string]people.Puzzle{}
	for name, p := range all {
		byName[name.String()] = p
	}
	out.member("puzzles", byName)
	return out.err
}

// object writes a JSON object member by member. After an error it writes nothing more.
type object struct {
	w     io.Writer
	begun bool
	err   error
}

func (o *object) write(text string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, text)
	}
}

func (o *object) name(name string) {
	if o.begun {
		o.write(",\n")
	} else {
		o.write("{\n")
	}
	o.begun = true
	o.write(fmt.Sprintf("  %q: ", name))
}

func (o *object) value(v any, indent string) {
	text, err := json.MarshalIndent(v, indent, "  ")
	if o.err == nil {
		o.err = err
	}
	o.write(string(text))
}

func (o *object) member(name string, v any) {
	o.name(name)
	o.value(v, "  ")
}

// list writes a list, each item as soon as it comes.
func (o *object) list(name string, each func(add func(any)) error) {
	o.name(name)
	between := "[\n    "
	err := each(func(v any) {
		o.write(between)
		o.value(v, "    ")
		between = ",\n    "
	})
	switch {
	case o.err != nil:
	case err != nil:
		o.err = err
	case between == "[\n    ":
		o.write("[]")
	default:
		o.write("\n  ]")
	}
}

func (o *object) end() error {
	o.write("\n}\n")
	return o.err
}
