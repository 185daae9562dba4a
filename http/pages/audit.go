package pages

import (
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/http/door"
	"posthorn/projections/turn"
)

// auditPage shows part of a table's log in words: the table's own events, or those of a line, filtered as the reader
// asks; and what anybody needs to check it.
type auditPage struct {
	door.Audit
	Of             string // "table", or a line's index
	Streams        []choice
	Shows          string  // the name of what Of refers to
	Main           *choice // the main line; nil if there is none yet
	Rows           []auditRow
	Earlier, Later string   // the addresses of the parts before and after
	Opened         []string // how the line came about, unless it is the first
	OpenedAt       uint64
	Shown, All     int // how many events the filters leave, out of how many
	Seats, Doors   []choice
	Draws, Record  bool
	query          url.Values
}

// Typed returns what somebody added to the luck as they typed it, or "" if it was not text.
func (auditPage) Typed(c door.Contribution) string {
	b, err := hex.DecodeString(c.Bytes)
	if err != nil {
		return ""
	}
	text := chanceText(b)
	if text == c.Bytes {
		return ""
	}
	return text
}

// auditRow is an event on the page.
type auditRow struct {
	door.AuditEvent
	By     string        // who did it and through which door, in words
	Mover  []domain.Seat // whose move it is; nobody's unless it is a move
	Moment string        // address of the state after it
}

// auditRows is how many events the page shows at once.
const auditRows = 60

// audit shows every event with its hash, draws, parts and receipts, but never the text of a secret part.
func (v pastPages) audit() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	a := auditPage{Record: v.Export != nil, query: v.QueryParams(), Draws: v.QueryParam("draws") != ""}
	if a.Audit, err = v.History().AuditOf(look); err != nil {
		return err
	}
	line := v.auditStreams(&a, look)
	if line != nil {
		a.Receipt = line.Receipt
	}
	if err := v.auditRows(&a, look, line); err != nil {
		return err
	}
	m, err := v.Model()
	if err != nil {
		return err
	}
	for _, p := range m.Players {
		a.Seats = append(a.Seats, choice{Value: strconv.Itoa(int(p.Seat)), Label: p.Name,
			Selected: strconv.Itoa(int(p.Seat)) == v.QueryParam("who")})
	}
	a.Doors = door.Words(domain.Doors, v.QueryParam("door"), v.Worded("page.audit.door."))
	return v.render("audit", sheet{Title: m.Title, Wide: true, Body: a})
}

// auditStreams lists what the reader can look at, and returns what they chose: a line, or nil for the table's own
// events.
func (v pastPages) auditStreams(a *auditPage, look desk.Look) (line *door.AuditLine) {
	main := slices.IndexFunc(a.Lines, func(l door.AuditLine) bool { return l.Line == look.LineName.String() })
	if a.Of = v.QueryParam("of"); a.Of == "" && main >= 0 {
		a.Of = strconv.Itoa(a.Lines[main].Index)
	}
	for i, l := range a.Lines {
		of := strconv.Itoa(l.Index)
		if i == main {
			a.Main = &choice{Value: of, Label: v.T("page.audit.line", "n", l.Index+1)}
		}
		if of == a.Of {
			line, a.Shows = &a.Lines[i], v.T("page.audit.line", "n", l.Index+1)
		}
		a.Streams = append(a.Streams, choice{Value: of, Label: v.T("page.audit.line", "n", l.Index+1),
			Selected: of == a.Of})
	}
	if line == nil {
		a.Of, a.Shows = "table", v.T("page.audit.table")
	}
	a.Streams = append(a.Streams, choice{Value: "table", Label: v.T("page.audit.table"), Selected: line == nil})
	return line
}

// auditRows reads the part asked for: up to the version `to`, or the latest.
func (v pastPages) auditRows(a *auditPage, look desk.Look, line *door.AuditLine) (err error) {
	first, last := uint64(0), look.TableHead.Version
	if line != nil {
		if first, last = line.Fork, line.Last; line.Parent != "" {
			if err := v.openedBy(a, look, line); err != nil {
				return err
			}
		}
	}
	to := last
	if n, err := strconv.ParseUint(v.QueryParam("to"), 10, 63); err == nil && n > 0 {
		to = min(max(n, first+1), last)
	}
	filtered := v.QueryParam("who") != "" || v.QueryParam("door") != "" || a.Draws
	after, upTo := first, last
	if !filtered { // only one part is read, however long the game is
		after, upTo = max(first, to-min(to, auditRows)), to
	}
	var rows []door.AuditEvent
	if line == nil {
		rows, err = v.History().AuditTable(look, after, upTo)
	} else {
		err = v.History().AuditLine(look, line, after, upTo)
		rows = line.Events
	}
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(e door.AuditEvent) bool { return filtered && !v.auditWanted(a, e) })
	a.All, a.Shown = int(last-first), int(last-first)
	if filtered {
		a.Shown = len(rows)
	}
	later := slices.IndexFunc(rows, func(e door.AuditEvent) bool { return e.Version > to })
	if later >= 0 {
		a.Later = a.at(rows[min(later+auditRows, len(rows))-1].Version)
		rows = rows[:later]
	} else if to < last && !filtered {
		a.Later = a.at(min(last, to+auditRows))
	}
	if cut := len(rows) - auditRows; cut > 0 {
		a.Earlier = a.at(rows[cut-1].Version)
		rows = rows[cut:]
	} else if !filtered && after > first {
		a.Earlier = a.at(after)
	}
	for _, e := range rows {
		a.Rows = append(a.Rows, v.auditRow(line, e))
	}
	return nil
}

func (v pastPages) auditRow(line *door.AuditLine, e door.AuditEvent) auditRow {
	r := auditRow{AuditEvent: e, By: v.T("page.audit.door." + e.Door)}
	if e.Who != "" {
		r.By = v.T("page.audit.by", "who", e.Who, "door", r.By)
	}
	if e.Seat != nil {
		r.Mover = []domain.Seat{*e.Seat}
	}
	if line != nil {
		r.Moment = v.Home() + "/line/" + line.Line + "/" + strconv.FormatUint(e.Version, 10)
	}
	return r
}

// auditWanted reports whether an event passes the filters.
func (v pastPages) auditWanted(a *auditPage, e door.AuditEvent) bool {
	if who := v.QueryParam("who"); who != "" && (e.Seat == nil || strconv.Itoa(int(*e.Seat)) != who) {
		return false
	}
	if by := v.QueryParam("door"); by != "" && e.Door != by {
		return false
	}
	return !a.Draws || len(e.Draws) > 0
}

// openedBy describes the table's event that opened a line.
func (v pastPages) openedBy(a *auditPage, look desk.Look, line *door.AuditLine) error {
	own, err := v.History().AuditTable(look, line.Since-1, line.Since)
	for _, e := range own {
		a.Opened, a.OpenedAt = e.Text, e.Version
	}
	return err
}

// at returns the address of this page with another part of the same events.
func (a *auditPage) at(to uint64) string {
	q := url.Values{"of": {a.Of}, "to": {strconv.FormatUint(to, 10)}}
	for _, name := range []string{"who", "door", "draws"} {
		if value := a.query.Get(name); value != "" {
			q.Set(name, value)
		}
	}
	return "?" + q.Encode()
}

// auditOf returns the address that shows a line's event, on the line it was played on.
func auditOf(t events.Name, lines []turn.Line, line string, version uint64) string {
	for {
		i := slices.IndexFunc(lines, func(l turn.Line) bool { return l.Name.String() == line })
		if i < 0 {
			return tablePath(t) + "/audit"
		}
		if l := lines[i]; version > l.Fork {
			n := strconv.FormatUint(version, 10)
			return tablePath(t) + "/audit?of=" + strconv.Itoa(l.Index) + "&to=" + n + "#e" + n
		}
		line = lines[i].Parent
	}
}
