package pages

import (
	"strconv"

	"posthorn/domain"
	"posthorn/http/door"
)

// auditPage is what anybody may check about a table: of its own events the last, or those
// before a version.
type auditPage struct {
	door.Audit
	Earlier string // the address with the rows before these, if there are some
	Record  bool
	Ended   bool
}

// auditRows is how many of a table's own events the page shows; those before have pages too.
const auditRows = 200

// audit shows events, hashes, draws, parts and receipts: never a secret part's text.
func (v *visit) audit() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	a := auditPage{Record: v.Export != nil, Ended: look.Table.Status == domain.TableEnded}
	upTo, after := look.TableHead.Version, uint64(0)
	if before, err := strconv.ParseUint(v.QueryParam("before"), 10, 63); err == nil && before > 1 {
		upTo = min(upTo, before-1)
	}
	if upTo > auditRows {
		after = upTo - auditRows
		a.Earlier = v.Path() + "?before=" + strconv.FormatUint(after+1, 10) + "#table"
	}
	if a.Audit, err = v.Audit(look, after, upTo); err != nil {
		return err
	}
	if look.LineHead.Version > 0 {
		a.Receipt = v.Desk.Receipt(v.Table, look.LineName, look.LineHead)
	}
	m, err := v.Model()
	if err != nil {
		return err
	}
	return v.render("audit", sheet{Title: m.Title, Wide: true, Body: a})
}
