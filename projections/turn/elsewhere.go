package turn

import (
	"net/url"

	"posthorn/domain"
	"posthorn/events/desk"
)

// goesOn fills in where a table that was handed over goes on. An address is the table's there; whoever holds a seat
// has one of their own, with which they take it up again.
func (m *Maker) goesOn(mod *Model, look desk.Look) {
	at, ok := look.Table.GoesOn()
	if mod.GoesOn = ok; !ok || at == "" {
		return
	}
	mod.GoesOnAt = Links{Base: at}.Table(look.Name)
	if mod.Seat != domain.Nobody && look.Table.Places[mod.Seat].Holds(mod.me) {
		mod.Claim = mod.GoesOnAt + "/claim/" + m.desk.Keys().SignClaim(look.Name, mod.Seat, mod.me) +
			"?" + url.Values{"name": {mod.Players[mod.Seat].Name}}.Encode()
	}
}

// elsewhere says where the game goes on.
func (mod *Model) elsewhere() string {
	u, err := url.Parse(mod.GoesOnAt)
	if err != nil || u.Host == "" {
		return mod.printer.Text("table.ended.handed")
	}
	return mod.printer.Text("status.elsewhere", "where", u.Host)
}
