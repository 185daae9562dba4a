package pages

import (
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/pass"

	"posthorn/http/door"
)

// claimable returns who held, at another server, the seat that a claim is for; ok is false if somebody at this server
// holds it by now.
func (v *visit) claimable(look events.Look, f pass.Facts) (was domain.PersonID, ok bool, err error) {
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

// showClaim offers the seat to the person signed in. Opening it changes nothing.
func (v *visit) showClaim(look events.Look, p carried) error {
	_, ok, err := v.claimable(look, p.Facts)
	if err != nil || !ok {
		return v.after(err, v.Home(), "")
	}
	m, err := v.Model()
	if err != nil {
		return err
	}
	return v.render("claim", sheet{Title: v.T("page.claim.title"), Body: map[string]string{"Title": m.Title, "Letter": p.Seat.Letter(), "Act": p.path}})
}

// passClaim gives the person signed in the seat of somebody from another server.
func (v *visit) passClaim() error {
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
	if err == nil {
		_, err = v.Command(at, events.Claim{Seat: p.Seat, Was: was})
	}
	return v.after(err, v.Home(), "joined")
}
