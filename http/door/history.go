package door

import (
	"bytes"
	nethttp "net/http"
	"slices"
	"strconv"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/projections/turn"
)

// Then says how the reader looks at the past. Once nothing at a table is secret, the query may ask for what a seat or a
// stranger (-1) knew then.
func (v History) Then(look desk.Look) turn.Asker {
	who := v.Asker()
	if n, err := strconv.Atoi(v.QueryParam("as")); err == nil && n >= int(domain.Spectator) &&
		n < len(look.Table.Places) {
		as := domain.Viewer(n)
		who.As = &as
	}
	return who
}

// LineAt returns a line of a table if it has reached a version. It refuses with "no-line" or "no-version".
func (v History) LineAt(look desk.Look, text string, version uint64) (line events.Name, err error) {
	if line, err = events.ParseName(text); err != nil || !Owns(look.Table, line) {
		return line, domain.Refuse("no-line")
	}
	head, err := v.Desk.Log().Head(v.Ctx(), line)
	if err == nil && (version == 0 || version > head.Version) {
		err = domain.Refuse("no-version", "last", int(head.Version))
	}
	return line, err
}

// Moment returns the table of the address at a version of one of its lines, without what only the present has.
func (v History) Moment(line, version string) (*turn.Model, error) {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return nil, events.ErrNoStream
	}
	look, err := v.Look()
	if err != nil {
		return nil, err
	}
	name, err := v.LineAt(look, line, n)
	if _, refused := domain.AsRefusal(err); refused {
		return nil, events.ErrNoStream
	}
	if err != nil {
		return nil, err
	}
	m, err := v.Maker.At(v.Ctx(), v.Table, name, n, v.Then(look))
	if err == nil {
		m.Decision, m.Forms, m.Proposal = nil, nil, nil
	}
	return m, err
}

// Record sends the table's record as the reader may have it: by a lent seat, as everybody may.
func (v History) Record() error {
	if v.Export == nil {
		return events.ErrNoStream
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	var b bytes.Buffer // buffered, so that a failure becomes an error page and not a truncated record
	reader := v.Me
	if v.Seated {
		reader = ""
	}
	if err := v.Export(v.Ctx(), v.Table, look.Table.ViewerOf(reader, domain.Nobody), &b); err != nil {
		return err
	}
	v.Response().Header().Set("Content-Disposition", `attachment; filename="posthorn-`+v.Table.String()+`.jsonl"`)
	return v.Blob(nethttp.StatusOK, "application/jsonl; charset=utf-8", b.Bytes())
}

// Owns reports whether a line is one of a table's.
func Owns(t *domain.Table, line events.Name) bool {
	return slices.ContainsFunc(t.Lines, func(l domain.TableLine) bool { return l.Name == line.String() })
}
