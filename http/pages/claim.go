package pages

import (
	"net/url"
	"slices"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"

	"posthorn/http/door"
)

// claimable returns who held, at another server, the seat that a claim is for; ok is false if somebody at this server
// holds it by now.
func (v openPages) claimable(look desk.Look, f pass.Facts) (was domain.PersonID, ok bool, err error) {
	if int(f.Seat) >= len(look.Table.Places) {
		return "", false, nil
	}
	holders := look.Table.Places[f.Seat].Holders
	if f.Serial >= len(holders) {
		return "", false, nil
	}
	was = holders[f.Serial]
	_, here, err := v.Person(was)
	return was, !here && err == nil, err
}

// claim leads from a link that the server the table came from made for the holder of a seat there to the page where
// they take it up.
func (v openPages) claim() error {
	look, err := v.Look()
	if err != nil {
		return err
	}
	seat, was, err := events.ReadClaim(look.Table, look.Name, v.Param("claim"))
	if err != nil {
		return door.ErrGone
	}
	n := slices.Index(look.Table.Places[seat].Holders, was)
	if n < 0 {
		return v.see(v.Home(), "")
	}
	token, err := v.Passes.Make(pass.Facts{Purpose: pass.Join, Stream: look.Name, Seat: seat, Kind: pass.KindClaim,
		Serial: n})
	if err != nil {
		return err
	}
	to := "/p/" + token.Text()
	if name := v.QueryParam("name"); name != "" {
		to += "?" + url.Values{"name": {name}}.Encode()
	}
	return v.see(to, "")
}

// claimPage is where somebody takes up a seat again.
type claimPage struct {
	Title, Letter, Act string
	NeedsName          bool
	Name               string // what they were called at the other server
}

// showClaim offers the seat to the person signed in. Opening it changes nothing.
func (v openPages) showClaim(look desk.Look, p carried) error {
	_, ok, err := v.claimable(look, p.Facts)
	if err != nil || !ok {
		return v.after(err, v.Home(), "")
	}
	m, err := v.Model()
	if err != nil {
		return err
	}
	page := claimPage{Title: m.Title, Letter: p.Seat.Letter(), Act: p.path, Name: v.consent().value("name")}
	if v.SignedIn() {
		if page.NeedsName, err = v.Nameless(v.Me); err != nil {
			return err
		}
	}
	return v.render("claim", sheet{Title: v.T("page.claim.title"), Body: page})
}

// passClaim gives the person signed in the seat of somebody from another server.
func (v openPages) passClaim() error {
	p := v.pass
	if p.stale != "" || p.Purpose != pass.Join || p.Kind != pass.KindClaim {
		return door.ErrGone
	}
	if !v.SignedIn() {
		return door.ErrSignIn
	}
	look, err := v.Look()
	if err != nil {
		return err
	}
	was, ok, err := v.claimable(look, p.Facts)
	if err != nil || !ok {
		return v.after(err, v.Home(), "")
	}
	at, err := v.at(v.Me)
	if name := v.FormValue("name"); err == nil && name != "" {
		err = v.NameFirst(v.Me, name)
	}
	if err == nil {
		_, err = v.Commands().Give(at, desk.Claim{Seat: p.Seat, Was: was})
	}
	return v.after(err, v.Home(), "joined")
}
