package pages

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/http/door"
)

// A sign-in mail that the disk does not take is tried again, for as long as somebody may wait for it. It is kept in
// memory: there is nowhere else.
const (
	unsentPause = 2 * time.Second
	unsentLasts = 6 * time.Hour
	unsentMost  = 1000 // mails at once; of any more people must ask again
)

// signInMail is a sign-in mail that somebody asked for.
type signInMail struct {
	to         people.Address
	from       string // the network that asks
	lang, game string
	asked      time.Time
	token      pass.Token // once the link is made
	made       time.Time
}

// mails writes a sign-in mail after the answer, and again later if the disk takes nothing now. It returns false if too
// much is under way.
func (s *Site) mails(m *signInMail, unsent bool) bool {
	return s.aside.do(func(ctx context.Context) {
		err := m.write(ctx, s.Parts)
		if unsent {
			s.unsent.Add(-1)
		}
		if err == nil {
			return
		}
		if !unsent || !events.Unstored(err) { // what waits is said once
			s.Log.Error("a sign-in mail was not written", "error", err)
		}
		if events.Unstored(err) && s.Now().Sub(m.asked) < unsentLasts {
			s.mailsLater(m)
		}
	})
}

func (s *Site) mailsLater(m *signInMail) {
	if s.unsent.Add(1) > unsentMost {
		s.unsent.Add(-1)
		return
	}
	time.AfterFunc(unsentPause, func() {
		if !s.mails(m, true) {
			s.unsent.Add(-1)
			s.mailsLater(m)
		}
	})
}

// write mails a link that signs an address in and, if game is set, opens a first game. It uses the language of the
// address's person, if there is one. A link that was made before the mail could be written is used for half its time.
func (m *signInMail) write(ctx context.Context, h *door.Parts) error {
	if m.made.IsZero() || h.Now().Sub(m.made) > people.LinkLasts/2 {
		if waits, err := m.regains(ctx, h); waits || err != nil {
			return err
		}
		p, err := h.People.ByAddress(ctx, m.to)
		if err != nil && !errors.Is(err, people.ErrNobody) {
			return err
		}
		// The mail goes to the address as its person gave it: servers may tell Ana@ from ana@, the house does not.
		have, err := h.People.Addresses(ctx, p.ID)
		if err != nil {
			return err
		}
		theirs, _ := people.Theirs(have, m.to)
		if !theirs.Until.IsZero() {
			c, send, err := h.People.AskBack(ctx, p.ID, theirs)
			if err != nil || !send {
				return err
			}
			return h.Post.Changed(ctx, c.Tell[0], c)
		}
		m.to, m.lang = cmp.Or(theirs.Address, m.to), cmp.Or(p.Language, m.lang)
		token, send, err := h.People.AskSignIn(ctx, m.to, m.from, m.lang)
		if err != nil || !send {
			return err
		}
		m.token, m.made = token, h.Now()
	}
	return h.Post.SignIn(ctx, string(m.to), m.token.Text(), m.lang, m.game)
}

// regains gives an address to the person whom others have vouched for. It reports whether that is still to come.
func (m *signInMail) regains(ctx context.Context, h *door.Parts) (waits bool, err error) {
	person, wait, err := h.People.Regained(ctx, m.to)
	switch {
	case errors.Is(err, people.ErrNobody) || h.Readdress == nil:
		return false, nil
	case err != nil:
		return false, err
	case wait != nil:
		return true, h.Post.Lost(ctx, *wait)
	case person == "":
		return true, nil
	}
	return false, h.Readdress(ctx, person, m.to)
}

// waiting is how many sign-in mails wait for space.
type waiting struct{ atomic.Int64 }

// Full reports whether the house can save nothing now, so that what is asked for comes later.
func (sh sheet) Full() bool { return sh.visit.Full != nil && sh.visit.Full() }
