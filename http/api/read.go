package api

import (
	"bytes"
	"errors"
	nethttp "net/http"
	"net/url"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/picture"
	"posthorn/projections/turn"
)

func me(c *call) error {
	p, err := c.People.Person(c.Ctx(), c.Me)
	if err != nil {
		return err
	}
	may, err := c.MayOpen()
	if err != nil {
		return err
	}
	body := struct {
		Name     string     `json:"name"`
		Language string     `json:"language"`
		MayOpen  bool       `json:"may_open"`
		Token    *tokenJSON `json:"token,omitempty"`
	}{Name: p.Name, Language: p.Language, MayOpen: may}
	if c.token != nil {
		t := tokenOf(*c.token)
		body.Token = &t
	}
	return c.json(nethttp.StatusOK, body)
}

type wordJSON struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

type optionJSON struct {
	Key     string     `json:"key"`
	Label   string     `json:"label"`
	Help    string     `json:"help"`
	Default string     `json:"default"`
	Values  []wordJSON `json:"values"`
}

type gameJSON struct {
	Game    string       `json:"game"`
	Name    string       `json:"name"`
	Edition string       `json:"edition"`
	Least   int          `json:"least"`
	Most    int          `json:"most"`
	Options []optionJSON `json:"options"`
}

func games(c *call) error {
	games := each(c.Rulebooks, func(rb domain.Rulebook) gameJSON {
		of := c.GameChoice(rb)
		p := c.Book.Printer(c.Lang, rb.Name(), nil)
		g := gameJSON{Game: rb.Name(), Name: of.Label, Edition: rb.Edition(), Least: of.Least, Most: of.Most, Options: []optionJSON{}}
		for _, o := range rb.Options() {
			g.Options = append(g.Options, optionJSON{Key: o.Key, Label: p.Text("option." + o.Key), Help: p.Text("option." + o.Key + ".help"), Default: o.Default,
				Values: each(o.Values, func(v string) wordJSON { return wordJSON{v, c.OptionWord(rb, o, v)} })})
		}
		return g
	})
	return c.json(nethttp.StatusOK, struct {
		Games    []gameJSON `json:"games"`
		Paces    []wordJSON `json:"paces"`
		StandIns []wordJSON `json:"stand_ins"`
	}{games,
		each(domain.Paces, func(s string) wordJSON { return wordJSON{s, c.T("page.pace." + s)} }),
		each(domain.StandIns, func(s string) wordJSON { return wordJSON{s, c.T("page.seat.standin." + s)} })})
}

type rowJSON struct {
	Table    string  `json:"table"`
	Title    string  `json:"title"`
	Sentence string  `json:"sentence"`
	State    string  `json:"state"`
	Since    instant `json:"since"`
}

type rowsJSON struct {
	Tables []rowJSON `json:"tables"`
}

func inbox(c *call) error {
	box, err := c.Inbox()
	if err != nil {
		return err
	}
	out := rowsJSON{Tables: []rowJSON{}}
	for _, part := range []struct {
		state string
		rows  []door.InboxRow
	}{{"awaits", box.Awaits}, {"invited", box.Invited}, {"waiting", box.Others}, {"ended", box.Ended}} {
		for _, r := range part.rows {
			out.Tables = append(out.Tables, rowJSON{r.Table.String(), r.Title, r.Sentence, part.state, instant(r.Since)})
		}
	}
	return c.json(nethttp.StatusOK, out)
}

type lobbyRow struct {
	Table string `json:"table"`
	Game  string `json:"game"`
	Title string `json:"title"`
	Seats int    `json:"seats"`
	Open  int    `json:"open"`
	Link  string `json:"link"`
}

// lobby lists the caller's tables that are still gathering. An open seat is for whoever
// is given the table's link; a table that its opener has told nobody about is in no list.
func lobby(c *call) error {
	if _, err := c.Inbox(); err != nil { // waits for the views, as the inbox does
		return err
	}
	items, err := c.Views.Inbox(c.Ctx(), c.Me)
	if err != nil {
		return err
	}
	out := struct {
		Tables []lobbyRow `json:"tables"`
	}{[]lobbyRow{}}
	for _, it := range items {
		if it.Status != domain.TableOpen {
			continue
		}
		m, err := c.Maker.Turn(c.Ctx(), it.Table, turn.Asker{Person: c.Me, Seat: domain.Nobody, Lang: c.Lang})
		if errors.As(err, new(*events.Unreadable)) {
			continue
		}
		if err != nil {
			return err
		}
		out.Tables = append(out.Tables, lobbyRow{it.Table.String(), it.Rulebook, m.Title, it.Seats, it.Open, c.Links.Table(it.Table)})
	}
	return c.json(nethttp.StatusOK, out)
}

// model is the table of the address as the caller may know it.
func (c *call) model() (events.Look, *turn.Model, error) {
	name, err := c.TableName()
	if err != nil {
		return events.Look{}, nil, err
	}
	look, err := c.Desk.Look(c.Ctx(), name)
	if err != nil {
		return look, nil, err
	}
	m, err := c.Maker.Turn(c.Ctx(), name, c.Asker())
	return look, m, err
}

func table(c *call) error {
	look, m, err := c.model()
	if err != nil {
		return err
	}
	body, err := c.tableOf(look, m)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusOK, body)
}

// moment is the table at the version of a line, without what only the present has.
func (c *call) moment(line, version string) (events.Look, *turn.Model, error) {
	name, err := c.TableName()
	if err != nil {
		return events.Look{}, nil, err
	}
	m, err := c.ModelAt(name, line, version)
	if err != nil {
		return events.Look{}, nil, err
	}
	m.Decision, m.Forms, m.Proposal = nil, nil, nil
	look, err := c.Desk.Look(c.Ctx(), name)
	return look, m, err
}

func moment(c *call) error {
	look, m, err := c.moment(c.Param("line"), c.Param("version"))
	if err != nil {
		return err
	}
	body, err := c.tableOf(look, m)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusOK, body)
}

type moveJSON struct {
	Notation string   `json:"notation"`
	Words    string   `json:"words"`
	Number   string   `json:"number"`
	Keys     []string `json:"keys"`
}

type fieldJSON struct {
	Name  string     `json:"name"`
	Label string     `json:"label"`
	Kind  string     `json:"kind"`
	Words []wordJSON `json:"words"`
	Seats []string   `json:"seats"`
	Max   int        `json:"max,omitempty"`
}

type formJSON struct {
	Key     string      `json:"key"`
	Label   string      `json:"label"`
	Pattern string      `json:"pattern"`
	Fields  []fieldJSON `json:"fields"`
}

type movesJSON struct {
	Table    string        `json:"table"`
	Line     string        `json:"line,omitempty"`
	Version  uint64        `json:"version"`
	Decision *decisionJSON `json:"decision,omitempty"`
	Moves    []moveJSON    `json:"moves"`
	Forms    []formJSON    `json:"forms"`
}

// moves lists every legal move of the seat that is awaited of the caller, with the steps
// that lead to it on the page.
func moves(c *call) error {
	_, m, err := c.model()
	if err != nil {
		return err
	}
	out := movesJSON{Table: m.Table.String(), Version: m.Version, Moves: []moveJSON{}, Forms: []formJSON{}}
	if !m.Line.IsZero() {
		out.Line = m.Line.String()
	}
	if m.Decision == nil {
		return c.json(nethttp.StatusOK, out)
	}
	out.Decision = decisionOf(*m.Decision)
	for _, g := range m.Groups() {
		for _, n := range g.Moves {
			out.Moves = append(out.Moves, moveJSON{n.Notation, n.Label(), n.Name, list(n.Keys())})
		}
	}
	out.Forms = formsOf(m, m.Forms)
	return c.json(nethttp.StatusOK, out)
}

// number is a whole number in the address, or none.
func (c *call) number(name string) (uint64, error) {
	text := c.QueryParam(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, door.ErrMalformed
	}
	return n, nil
}

type happenedJSON struct {
	Line   string          `json:"line,omitempty"`
	Events []happeningJSON `json:"events"`
	Before uint64          `json:"before,omitempty"`
}

func timeline(c *call) error {
	name, err := c.TableName()
	if err != nil {
		return err
	}
	look, err := c.Desk.Look(c.Ctx(), name)
	if err != nil {
		return err
	}
	line := look.LineName
	if text := c.QueryParam("line"); text != "" {
		if line, err = events.ParseName(text); err != nil || !door.Owns(look.Table, line) {
			return events.ErrNoStream
		}
	}
	after, err := c.number("after")
	if err != nil {
		return err
	}
	to, err := c.number("to")
	if err != nil {
		return err
	}
	if line.IsZero() || line == look.LineName && look.Line == nil {
		return c.json(nethttp.StatusOK, happenedJSON{Events: []happeningJSON{}})
	}
	story, err := c.Maker.Timeline(c.Ctx(), name, line, c.Asker(), after, to)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusOK, happenedJSON{Line: line.String(), Events: happenedOf(story)})
}

// chat lists what was said and done at a table besides the moves, for those who know it.
func chat(c *call) error {
	name, err := c.TableName()
	if err != nil {
		return err
	}
	look, err := c.Desk.Look(c.Ctx(), name)
	if err != nil {
		return err
	}
	if !look.Table.Knows(c.Me) {
		return domain.Refuse("not-a-player")
	}
	before, err := c.number("before")
	if err != nil {
		return err
	}
	most, err := c.number("most")
	if err != nil || most > maxChatPart {
		return door.ErrMalformed
	}
	if most == 0 {
		most = chatPart
	}
	part, err := c.Maker.TableTimeline(c.Ctx(), name, c.Asker(), before, most, c.Opened)
	if err != nil {
		return err
	}
	return c.json(nethttp.StatusOK, happenedJSON{Events: happenedOf(part.Happenings), Before: part.Before})
}

// How many versions of a table one call looks through for what was said and done there.
const (
	chatPart    = 100
	maxChatPart = 500
)

type lineJSON struct {
	Line   string `json:"line"`
	Index  int    `json:"index"`
	Parent string `json:"parent,omitempty"`
	Fork   uint64 `json:"fork,omitempty"`
	Last   uint64 `json:"last"`
	Closed bool   `json:"closed"`
	Main   bool   `json:"main"`
}

type branchedJSON struct {
	Table string `json:"table"`
	Title string `json:"title"`
}

func lines(c *call) error {
	look, m, err := c.model()
	if err != nil {
		return err
	}
	out := struct {
		Lines    []lineJSON     `json:"lines"`
		Branches []branchedJSON `json:"branches"`
	}{[]lineJSON{}, []branchedJSON{}}
	for _, l := range m.Lineage {
		out.Lines = append(out.Lines, lineJSON{l.Name.String(), l.Index, l.Parent, l.Fork, l.Last, l.Closed, l.Name == look.LineName})
	}
	items, err := c.Views.Branches(c.Ctx(), m.Table, c.Me)
	if err != nil {
		return err
	}
	for _, it := range items {
		b, err := c.Maker.Turn(c.Ctx(), it.Table, turn.Asker{Seat: domain.Nobody, Lang: c.Lang})
		if errors.As(err, new(*events.Unreadable)) {
			continue
		}
		if err != nil {
			return err
		}
		out.Branches = append(out.Branches, branchedJSON{it.Table.String(), b.Title})
	}
	return c.json(nethttp.StatusOK, out)
}

// pictured is the model that a picture's address asks for: the present, or a version of a line.
func (c *call) pictured() (*turn.Model, error) {
	line, version := c.QueryParam("line"), c.QueryParam("version")
	var m *turn.Model
	var err error
	if line == "" && version == "" {
		_, m, err = c.model()
	} else {
		_, m, err = c.moment(line, version)
	}
	if err != nil {
		return nil, err
	}
	if !m.HasBoard() {
		return nil, events.ErrNoStream
	}
	// The words of the picture, as RFC 8187 writes them: a header holds ASCII alone.
	c.Response().Header().Set("Posthorn-Alt", "UTF-8''"+url.PathEscape(m.Alt))
	c.Response().Header().Set("Content-Language", c.Lang)
	return m, nil
}

// picturePolicy keeps a picture that is opened by itself from doing anything.
const picturePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

func svg(c *call) error {
	leave, err := c.api.pictures.Enter(c.Ctx())
	if err != nil {
		return err
	}
	defer leave()
	m, err := c.pictured()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := picture.SVG(&b, m.Panels(turn.Choice{}, true)[0].Scene, picture.SVGOptions{Prefix: "b-", Label: m.Alt}); err != nil {
		return err
	}
	c.Response().Header().Set("Content-Security-Policy", picturePolicy)
	return c.Blob(nethttp.StatusOK, "image/svg+xml", b.Bytes())
}

func png(c *call) error {
	width, err := c.number("width")
	if err != nil {
		return err
	}
	scale, err := c.number("scale")
	if err != nil {
		return err
	}
	if width > 1000 || scale > 2 {
		return door.ErrMalformed
	}
	leave, err := c.api.pictures.Enter(c.Ctx())
	if err != nil {
		return err
	}
	defer leave()
	m, err := c.pictured()
	if err != nil {
		return err
	}
	opt := picture.PNGOptions{Width: int(width), Scale: int(scale)}
	scene := m.Panels(turn.Choice{}, true)[0].Scene
	if _, _, err := picture.Size(scene, opt); err != nil {
		return door.ErrMalformed
	}
	data, err := picture.PNG(scene, opt)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Security-Policy", picturePolicy)
	return c.Blob(nethttp.StatusOK, "image/png", data)
}
