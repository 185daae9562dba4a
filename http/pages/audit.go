package pages

import (
	"encoding/hex"
	"fmt"
	nethttp "net/http"
	"strconv"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
)

// auditPage is what anybody may check about a table.
type auditPage struct {
	Table      string
	Name       string
	Commitment string
	Seed       string // once the table has ended
	PublicKey  string
	Chances    []chance
	Events     []auditRow // of the table itself, the last of them or those before a version
	Earlier    string     // the address with the rows before these, if there are some
	Lines      []auditLine
	Receipt    string
	Record     bool
	Ended      bool
}

type auditLine struct {
	Label  string
	Name   string
	Events []auditRow
}

type auditRow struct {
	Version uint64
	Type    string
	Move    string
	At      time.Time
	Door    string
	Hash    string
	Draws   []string
	Parts   []auditPart
}

type auditPart struct{ To, Digest string }

// audit shows events, hashes, draws, parts and receipts: never a secret part's text.
func (v *visit) audit() error {
	name, err := v.TableName()
	if err != nil {
		return err
	}
	look, err := v.Desk.Look(v.Ctx(), name)
	if err != nil {
		return err
	}
	a := auditPage{Table: tablePath(name), Name: name.String(), Record: v.Export != nil, Ended: look.Table.Status == domain.TableEnded,
		PublicKey: hex.EncodeToString(v.Desk.Keys().PublicKey()), Receipt: v.Desk.Receipt(name, name, look.TableHead)}
	if look.LineHead.Version > 0 {
		a.Receipt = v.Desk.Receipt(name, look.LineName, look.LineHead)
	}
	if look.Table.Revealed {
		a.Seed = hex.EncodeToString(look.Table.Seed[:])
	}
	for _, c := range look.Table.Contributions {
		who, err := v.Called(c.Person)
		if err != nil {
			return err
		}
		a.Chances = append(a.Chances, chance{Who: who, Text: hex.EncodeToString(c.Bytes)})
	}
	first, err := v.Desk.Log().Load(v.Ctx(), name, 0, 1)
	if err != nil {
		return err
	}
	if len(first) == 1 && len(first[0].Parts) > 0 {
		a.Commitment = first[0].Parts[0].Digest.String()
	}
	if err := v.auditTable(&a, look); err != nil {
		return err
	}
	if a.Lines, err = v.auditLines(look); err != nil {
		return err
	}
	m, err := v.Maker.Turn(v.Ctx(), name, v.Asker())
	if err != nil {
		return err
	}
	return v.render(nethttp.StatusOK, "audit", sheet{Title: m.Title, Wide: true, Body: a})
}

// auditRows is how many of a table's own events the page shows; those before have pages too.
const auditRows = 200

// auditTable adds the table's own events, among which is all that was said there.
func (v *visit) auditTable(a *auditPage, look events.Look) error {
	upTo := look.TableHead.Version
	if before, err := strconv.ParseUint(v.QueryParam("before"), 10, 63); err == nil && before > 1 {
		upTo = min(upTo, before-1)
	}
	after := uint64(0)
	if upTo > auditRows {
		after = upTo - auditRows
		a.Earlier = v.Path() + "?before=" + strconv.FormatUint(after+1, 10) + "#table"
	}
	history, err := v.Desk.TablePart(v.Ctx(), look.Name, after, upTo)
	if err != nil {
		return err
	}
	for _, e := range history {
		a.Events = append(a.Events, v.auditRecord(e.Record, e.Meta))
	}
	return nil
}

func (v *visit) auditRecord(r events.Record, meta events.Meta) auditRow {
	row := auditRow{Version: r.Version, Type: r.Type, At: r.At, Door: meta.Door, Hash: r.Hash.String()}
	for _, p := range r.Parts {
		to := p.To.String()
		if p.To.Len() == 0 {
			to = v.T("page.audit.nobody")
		}
		row.Parts = append(row.Parts, auditPart{To: to, Digest: p.Digest.String()})
	}
	return row
}

// auditLines lists the events of every line, each from its fork on.
func (v *visit) auditLines(look events.Look) ([]auditLine, error) {
	var out []auditLine
	for _, l := range look.Table.Lines {
		name, err := events.ParseName(l.Name)
		if err != nil {
			return nil, fmt.Errorf("line of table %s: %w", look.Name, err)
		}
		line := auditLine{Name: l.Name, Label: v.T("page.audit.line", "n", l.Index+1)}
		if _, err := v.Desk.Log().Stream(v.Ctx(), name); err != nil {
			continue // decided upon and not opened yet
		}
		entries, err := v.Desk.History(v.Ctx(), look, name, domain.Spectator, l.Fork, 0)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			row := v.auditRecord(e.Record, e.Meta)
			row.Move = strings.TrimSpace(e.Event.Seat.Letter() + " " + e.Event.Move)
			if e.Event.Move == "" {
				row.Move = ""
			}
			for _, d := range e.Event.Draws {
				row.Draws = append(row.Draws, fmt.Sprintf("%s %d /%d", d.Purpose, d.K, d.Size))
			}
			line.Events = append(line.Events, row)
		}
		out = append(out, line)
	}
	return out, nil
}
