package people

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/database"
)

// Limit allows a number of grants in any stretch of time of some length. The file counts the grants, so a restart
// forgets nothing.
type Limit struct {
	What string // whom or what it is counted for; stored as a digest
	Most int
	Per  time.Duration
}

// Quotas limit how much is mailed because somebody asked for it. Turn mails have their own rule, one per awaited
// decision, and do not count.
type Quotas struct {
	PerRecipient Limit // sign-in links and invitations to strangers, to one address
	PerDomain    Limit // invitations and links for a new address, to all addresses of one domain
	Global       Limit // the same, in total
	NewPerAsker  Limit // sign-in links to unknown addresses, asked for from one network
	NewPerDomain Limit // the same, to addresses of one domain, from all networks
	NewGlobal    Limit // the same, in total
	Spare        Limit // of each network, from a second share as large as the last two, once those are used up
	PerProposer  Limit // proposals by one person, at all tables
	PerKnown     Limit // sign-in links to one known address: these are always sent
	PerInviter   Limit // invitations by one person
	PerPair      Limit // invitations of one stranger by one person
	PerStranger  Limit // invitations of one stranger by anybody, until they answer
}

// DefaultQuotas are for real use: generous to friends, useless for bombing a mailbox. What strangers ask for is
// counted apart from what people of this house cause; otherwise a few hundred requests in invented names would keep
// everybody out.
var DefaultQuotas = Quotas{
	PerRecipient: Limit{Most: 3, Per: time.Hour},
	PerDomain:    Limit{Most: 200, Per: time.Hour},
	Global:       Limit{Most: 1000, Per: time.Hour},
	NewPerAsker:  Limit{Most: 30, Per: time.Hour},
	NewPerDomain: Limit{Most: 200, Per: time.Hour},
	NewGlobal:    Limit{Most: 1000, Per: time.Hour},
	Spare:        Limit{Most: 1, Per: time.Hour},
	PerProposer:  Limit{Most: 100, Per: 24 * time.Hour},
	PerKnown:     Limit{Most: 1, Per: 5 * time.Minute},
	PerInviter:   Limit{Most: 20, Per: 24 * time.Hour},
	PerPair:      Limit{Most: 3, Per: 30 * 24 * time.Hour},
	PerStranger:  Limit{Most: 5, Per: 30 * 24 * time.Hour},
}

// MayPropose counts a person's proposal, which writes to everybody at a table, or returns how long to wait for room;
// 0 means it was counted.
func (s *Store) MayPropose(ctx context.Context, by domain.PersonID) (wait time.Duration, err error) {
	return s.Take(ctx, s.quotas.PerProposer.of("proposer", string(by)))
}

func (l Limit) of(kind, what string) Limit {
	l.What = kind + "\x00" + what
	return l
}

func (s *Store) mailLimits(a Address) []Limit {
	q := s.quotas
	return []Limit{q.PerRecipient.of("recipient", a.mailbox()), q.PerDomain.of("domain", a.domain()),
		q.Global.of("global", "")}
}

// Allow counts one of each limit if all have room, and reports whether it did.
func (s *Store) Allow(ctx context.Context, limits ...Limit) (ok bool, err error) {
	err = s.change(ctx, "count", func(tx *sql.Tx) error {
		ok, err = s.allow(ctx, tx, limits...)
		return err
	})
	return ok && err == nil, err
}

// Take counts one of a limit, or returns how long to wait for room.
func (s *Store) Take(ctx context.Context, l Limit) (wait time.Duration, err error) {
	err = s.change(ctx, "count", func(tx *sql.Tx) error {
		full, free, err := s.count(ctx, tx, l)
		if full != nil {
			wait = max(free.Sub(s.now()), time.Millisecond)
		}
		return err
	})
	return wait, err
}

func (s *Store) allow(ctx context.Context, tx *sql.Tx, limits ...Limit) (bool, error) {
	full, _, err := s.count(ctx, tx, limits...)
	return full == nil && err == nil, err
}

// count counts one of each limit and returns nil, or counts nothing and returns a full limit, with when it will have
// room.
func (s *Store) count(ctx context.Context, tx *sql.Tx, limits ...Limit) (full *Limit, free time.Time, err error) {
	now := s.now()
	if _, err := tx.ExecContext(ctx, `DELETE FROM grants WHERE expires <= ?`, millis(now)); err != nil {
		return nil, free, err
	}
	for _, l := range limits {
		// When the grant was given that must expire before there is room.
		nth, err := database.Value[int64](tx.QueryRowContext(ctx,
			`SELECT granted FROM grants WHERE what = ? AND granted > ? ORDER BY granted DESC LIMIT 1 OFFSET ?`,
			s.digest("quota", l.What), millis(now.Add(-l.Per)), max(l.Most, 1)-1))
		if err == nil {
			return &l, moment(nth).Add(l.Per), nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return nil, free, err
		}
	}
	for _, l := range limits {
		if _, err := tx.ExecContext(ctx, `INSERT INTO grants(what, granted, expires) VALUES (?, ?, ?)`,
			s.digest("quota", l.What), millis(now), millis(now.Add(l.Per))); err != nil {
			return nil, free, err
		}
	}
	return nil, free, nil
}

// maySignIn reports whether a sign-in link may be mailed to an address, and counts it. Somebody of this house gets
// one in any stretch of PerKnown, whatever others have asked for. Once the share of a domain, or of all, is used up,
// each network still gets one from a share that is kept for that: whoever has many networks needs as many of them as
// there are names.
func (s *Store) maySignIn(ctx context.Context, tx *sql.Tx, a Address, network string, known bool) (bool, error) {
	q := s.quotas
	if known {
		if ok, err := s.allow(ctx, tx, q.PerKnown.of("known", a.mailbox())); ok || err != nil {
			return ok, err
		}
	}
	own := []Limit{q.NewPerAsker.of("new asker", network), q.PerRecipient.of("recipient", a.mailbox())}
	ofAll := []Limit{q.NewPerDomain.of("new domain", a.domain()), q.NewGlobal.of("new global", "")}
	full, _, err := s.count(ctx, tx, slices.Concat(own, ofAll)...)
	if full == nil || err != nil {
		return err == nil, err
	}
	told := a.domain()
	switch full.What {
	case ofAll[0].What:
	case ofAll[1].What:
		told = ""
	default:
		return false, nil
	}
	spare := []Limit{q.Spare.of("spare", network), q.NewPerDomain.of("spare domain", a.domain()),
		q.NewGlobal.of("spare global", "")}
	ok, err := s.allow(ctx, tx, slices.Concat(own, spare)...)
	if !ok && err == nil && s.full != nil {
		s.full(told)
	}
	return ok, err
}

// MayInvite reports whether a person's invitation may be mailed to an address, and counts it. It refuses, and the
// inviter is told, with inviter-unconfirmed if the inviter's own address is; and with invite-limit (argument n, a
// day's most). Nothing about the invited address is revealed: send is false, and nothing must be mailed.
//
// People who have signed in or hold a seat may be invited as often as the inviter's own limit allows; a stranger gets
// three invitations from one person, including repeats, and five from anybody, until they have answered or 30 days are
// over.
func (s *Store) MayInvite(ctx context.Context, inviter domain.PersonID, a Address) (send bool, err error) {
	var refusal error
	policy, _, err := s.Signup(ctx)
	if err != nil {
		return false, err
	}
	known := true
	if policy == SignupClosed {
		if known, err = s.known(ctx, a); err != nil {
			return false, err
		}
	}
	answers, err := s.answers(ctx, a)
	if err != nil {
		return false, err
	}
	err = s.change(ctx, "count an invitation", func(tx *sql.Tx) error {
		send, refusal, err = s.mayInvite(ctx, tx, inviter, a, !answers, !known)
		return err
	})
	return send && err == nil, errors.Join(err, refusal)
}

func (s *Store) mayInvite(ctx context.Context, tx *sql.Tx, inviter domain.PersonID, a Address, stranger,
	never bool) (send bool, refusal, err error) {
	by, err := scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, key(inviter)))
	if err != nil {
		return false, nil, err
	}
	if by.Confirmed.IsZero() {
		return false, domain.Refuse("inviter-unconfirmed"), nil
	}
	q := s.quotas
	ok, err := s.allow(ctx, tx, q.PerInviter.of("inviter", string(inviter)))
	if err != nil {
		return false, nil, err
	}
	if !ok {
		return false, domain.Refuse("invite-limit", "n", q.PerInviter.Most), nil
	}
	limits := []Limit{q.PerDomain.of("domain", a.domain()), q.Global.of("global", "")}
	if stranger {
		limits = append(limits, q.PerRecipient.of("recipient", a.mailbox()),
			q.PerPair.of("pair", string(inviter)+" "+a.mailbox()), q.PerStranger.of("stranger", a.mailbox()))
	}
	quiet, err := s.suppressed(ctx, tx, a)
	if err != nil || quiet {
		return false, nil, err
	}
	if out, err := s.banned(ctx, tx, a); err != nil || out || never {
		return false, nil, err
	}
	send, err = s.allow(ctx, tx, limits...)
	return send, nil, err
}

// Answered notes that an invited stranger has answered somebody, so that this person and others may invite them.
func (s *Store) Answered(ctx context.Context, a Address, inviter domain.PersonID) error {
	return s.exec(ctx, "note an answer", `DELETE FROM grants WHERE what IN (?, ?)`,
		s.digest("quota", s.quotas.PerStranger.of("stranger", a.mailbox()).What),
		s.digest("quota", s.quotas.PerPair.of("pair", string(inviter)+" "+a.mailbox()).What))
}

// Suppress notes that nobody may ever invite an address again. It takes nothing from its owner, since anybody with an
// invitation's link can ask for it: sign-in links and mails about games they play still arrive. The address itself is
// not stored.
func (s *Store) Suppress(ctx context.Context, a Address) error {
	return s.exec(ctx, "invite an address no more",
		`INSERT INTO suppressed(mailbox, since) VALUES (?, ?) ON CONFLICT DO NOTHING`,
		s.digest("suppressed", a.mailbox()), millis(s.now()))
}

// Unsuppress undoes Suppress at the owner's request.
func (s *Store) Unsuppress(ctx context.Context, a Address) error {
	return s.exec(ctx, "invite an address again", `DELETE FROM suppressed WHERE mailbox = ?`,
		s.digest("suppressed", a.mailbox()))
}

// Suppressed reports whether an address must never be invited. Check it before every invitation.
func (s *Store) Suppressed(ctx context.Context, a Address) (bool, error) {
	return s.suppressed(ctx, s.read, a)
}

func (s *Store) suppressed(ctx context.Context, from database.Reader, a Address) (bool, error) {
	return value[bool](from.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM suppressed WHERE mailbox = ?)`,
		s.digest("suppressed", a.mailbox())), "look up a suppressed address")
}
