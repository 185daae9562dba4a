package pages

import (
	"context"
	"errors"

	"posthorn/domain"
	"posthorn/events/people"
	"posthorn/http/door"
	"posthorn/http/guard"
)

// lostForm asks whose address can no longer be read, and for another one.
func (v signInPages) lostForm() error {
	if v.Readdress == nil {
		return door.ErrGone
	}
	return v.render("lost", sheet{Title: v.T("page.lost.title"), Body: map[string]any{}})
}

// asksLost mails a link to the other address. Its answer is the same whosever the addresses are.
func (v signInPages) asksLost() error {
	if v.Readdress == nil {
		return door.ErrGone
	}
	old, err1 := people.ParseAddress(v.FormValue("old"))
	a, err2 := people.ParseAddress(v.FormValue("address"))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if wait, ok := v.site.signIns.Allow(v.Network()); !ok {
		return guard.Busy{Wait: wait}
	}
	network, lang, h := guard.Site(v.RealIP()), v.Lang, v.Parts // the visit ends with the answer
	if !v.site.aside.do(func(ctx context.Context) {
		m, send, err := h.People.AskLost(ctx, old, a, network, lang)
		if err == nil && send {
			err = h.Post.Lost(ctx, m)
		}
		if err != nil {
			h.Log.Error("a mail about a lost address was not written", "error", err)
		}
	}) {
		return guard.Busy{Wait: asideLasts}
	}
	return v.see("/lost", "lost")
}

// lost reads a link about a lost address.
func (v signInPages) lost() (l people.Link, err error) {
	if l, err = v.People.LostLink(v.Ctx(), v.Param("token")); errors.Is(err, people.ErrLink) || v.Readdress == nil {
		return l, door.ErrGone
	}
	if err == nil {
		v.Use(l.Language)
		v.spoken = true
	}
	return l, err
}

// lostLink shows the buttons of such a link: opening it does nothing.
func (v signInPages) lostLink() error {
	l, err := v.lost()
	if err != nil {
		return err
	}
	return v.showLost(l, "")
}

// usesLost does what one of them says.
func (v signInPages) usesLost() error {
	l, err := v.lost()
	if err != nil {
		return err
	}
	var mails []people.LostMail
	done := string(l.Purpose)
	switch l.Purpose {
	case people.LinkLost:
		var mates []domain.PersonID
		if mates, err = v.mates(l.Person); err == nil {
			mails, err = v.People.BeginLost(v.Ctx(), v.Param("token"), mates)
		}
	case people.LinkHere:
		err = v.People.Here(v.Ctx(), l.Person, v.Param("token"))
	default:
		yes := v.FormValue("vouch") == "yes"
		if !yes {
			done = "not"
		}
		mails, err = v.People.Vouch(v.Ctx(), v.Param("token"), yes)
	}
	for _, m := range mails {
		if err == nil {
			err = v.Post.Lost(v.Ctx(), m)
		}
	}
	if errors.Is(err, people.ErrLink) {
		return door.ErrGone
	}
	if err != nil {
		return err
	}
	return v.showLost(l, done)
}

func (v signInPages) showLost(l people.Link, done string) error {
	few := false // then nobody is asked, and no button offers it
	if l.Purpose == people.LinkLost && done == "" {
		mates, err := v.mates(l.Person)
		if err != nil {
			return err
		}
		few = len(mates) < people.Vouchers
	}
	return v.ofAccount("lost", l.Person, map[string]any{"For": string(l.Purpose), "Done": done, "Few": few})
}

// mates lists who may be asked about somebody.
func (v signInPages) mates(person domain.PersonID) ([]domain.PersonID, error) {
	return v.Views.Mates(v.Ctx(), person, v.Now().Add(-people.LostPlayed))
}

// isHere ends what was asked about the reader's lost address.
func (v settingsPages) isHere() error {
	return v.after(v.People.Here(v.Ctx(), v.Me, ""), "/settings", "here")
}
