package people

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // time zones for machines that have none

	"posthorn/domain"
	"posthorn/domain/languages"
	"posthorn/events"
	"posthorn/events/database"
)

// ErrNobody is returned for a person who is not here: who never was, or was forgotten.
var ErrNobody = errors.New("no such person")

// offered are those a person can be written to in; the first is the default.
var offered = languages.Offered

// Person is what is known of somebody.
type Person struct {
	ID        domain.PersonID // 32 hexadecimal digits, random
	Name      string          // "" until they have given one
	Called    string          // by the person who first invited them; "" if nobody said
	Address   Address         // that mails go to
	Language  string          // one of Languages
	Zone      string          // IANA name of their time zone; "UTC" until it is known
	ZoneKnown bool            // they have set a zone, nights or days off, or a browser told the zone
	Dated     string          // how their mails are dated, "UTC+02:00", while their zone is unknown; or ""
	Lost      time.Time       // until when others are asked whether they read none of their mails; zero for not
	MailsOff  []string        // kinds of mail they do not want; AllMails means all
	Stopped   []string        // those of MailsOff that a link in a mail, or a complaint, switched off
	Confirmed time.Time       // when they confirmed the address; zero if they have not
	Created   time.Time
	Host      bool // runs this server
}

// AllMails in Person.MailsOff turns off every kind of mail.
const AllMails = "*"

// Wants reports whether a person wants a kind of mail.
func (p Person) Wants(kind string) bool {
	return !slices.Contains(p.MailsOff, kind) && !slices.Contains(p.MailsOff, AllMails)
}

// AtTable returns a kind of mail for one table, which can be switched off separately.
func AtTable(kind string, table events.Name) string { return kind + "@" + table.String() }

// Display returns what others see: the person's own name, or what their inviter calls them, or else a guest's number,
// since their address is nobody else's business.
func (p Person) Display() string { return cmp.Or(p.Name, p.Called, Guest(p.ID)) }

// Guest returns what to call somebody whose name is unknown. Mails and pages say it in their reader's language.
func Guest(id domain.PersonID) string { return "Guest " + Code(id) }

// Code tells people without names apart.
func Code(id domain.PersonID) string { return strings.ToUpper(string(id[:min(4, len(id))])) }

// Location returns the person's time zone.
func (p Person) Location() *time.Location {
	l, err := time.LoadLocation(p.Zone)
	if err != nil {
		return time.UTC // a zone that has since been abolished
	}
	return l
}

const personColumns = `id, name, called, address, language, zone, mails_off, confirmed, created, host, dated,
	coalesce((SELECT asked FROM lost WHERE lost.person = people.id AND ended = 0), 0), ` + zoneIsKnown

// zoneIsKnown holds for whoever has set a zone, nights or days off, by this program or an older one, or whose browser
// told the zone.
const zoneIsKnown = `zone_known OR zone <> 'UTC' OR night_from <> night_to OR days_off <> ''`

func scanPerson(row database.Row) (p Person, err error) {
	var id []byte
	var off string
	var confirmed sql.NullInt64
	var created, lost int64
	var dated int
	err = row.Scan(&id, &p.Name, &p.Called, &p.Address, &p.Language, &p.Zone, &off, &confirmed, &created, &p.Host,
		&dated, &lost, &p.ZoneKnown)
	if err := there(err, ErrNobody, "read a person"); err != nil {
		return p, err
	}
	p.ID, p.Created = domain.PersonID(hex.EncodeToString(id)), moment(created)
	p.MailsOff, p.Stopped = switches(off)
	if lost > 0 {
		p.Lost = moment(lost).Add(LostLasts)
	}
	if !p.ZoneKnown && dated != 0 {
		p.Dated = datedZone(dated).String()
	}
	if confirmed.Valid {
		p.Confirmed = moment(confirmed.Int64)
	}
	return p, nil
}

// key returns a person's id as it is stored. A text that is not an id matches nobody.
func key(id domain.PersonID) []byte {
	n, err := events.ParseName(string(id))
	if err != nil {
		return nil
	}
	return n[:]
}

// Person returns a person by id, or ErrNobody.
func (s *Store) Person(ctx context.Context, id domain.PersonID) (Person, error) {
	p, err := s.persons.Of(id, func() (Person, error) {
		return scanPerson(s.read.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, key(id)))
	})
	p.MailsOff, p.Stopped = slices.Clone(p.MailsOff), slices.Clone(p.Stopped)
	return p, err
}

// ByAddress returns a person by any of their addresses, or ErrNobody. Never tell the giver of the address whether it
// found one.
func (s *Store) ByAddress(ctx context.Context, a Address) (Person, error) {
	return s.byAddress(ctx, s.read, a)
}

func (s *Store) byAddress(ctx context.Context, from database.Reader, a Address) (Person, error) {
	return scanPerson(from.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = `+whose, a.mailbox(),
		millis(s.now())))
}

// People returns those of some people who are here, by id.
func (s *Store) People(ctx context.Context, ids ...domain.PersonID) (map[domain.PersonID]Person, error) {
	out := make(map[domain.PersonID]Person, len(ids))
	for _, id := range ids {
		if _, ok := out[id]; ok {
			continue
		}
		p, err := s.Person(ctx, id)
		if errors.Is(err, ErrNobody) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[id] = p
	}
	return out, nil
}

// Ensure returns the person with an address, and creates one, unconfirmed, if there is none: the person an invitation
// names. language is for a new person; an unknown one becomes the default.
func (s *Store) Ensure(ctx context.Context, a Address, language string) (p Person, err error) {
	if _, err := ParseAddress(string(a)); err != nil {
		return p, err
	}
	err = s.change(ctx, "make a person", func(tx *sql.Tx) error {
		p, err = s.ensure(ctx, tx, a, language)
		return err
	})
	return p, err
}

func (s *Store) ensure(ctx context.Context, tx *sql.Tx, a Address, language string) (Person, error) {
	p, err := s.byAddress(ctx, tx, a)
	if !errors.Is(err, ErrNobody) {
		return p, err
	}
	if !slices.Contains(offered, language) {
		language = offered[0]
	}
	id := events.NewName()
	var secret [32]byte
	_, _ = rand.Read(secret[:])
	if _, err = tx.ExecContext(ctx,
		`INSERT INTO people(id, name, address, mailbox, language, zone, created, text_key) VALUES (?, '', ?, ?, ?, 'UTC', ?, ?)`,
		id[:], string(a), a.mailbox(), language, millis(s.now()), s.sealKey(id, secret)); err != nil {
		return p, fmt.Errorf("write a person: %w", err)
	}
	return scanPerson(tx.QueryRowContext(ctx, `SELECT `+personColumns+` FROM people WHERE id = ?`, id[:]))
}

// SetName gives a person a name. It refuses as ParseName does, and with name-reserved also what could be taken for a
// host's name, unless they are one or it is their name already.
func (s *Store) SetName(ctx context.Context, id domain.PersonID, name string) error {
	return s.name(ctx, "name a person", id, name, `UPDATE people SET name = ? WHERE id = ?`, true)
}

// Call sets what somebody without a name of their own is called, unless that was set before. It refuses as SetName
// does.
func (s *Store) Call(ctx context.Context, id domain.PersonID, name string) error {
	return s.name(ctx, "call a person", id, name,
		`UPDATE people SET called = ? WHERE id = ? AND called = '' AND name = ''`, false)
}

// name sets a name of a person by a query. there says that they must be here.
func (s *Store) name(ctx context.Context, what string, id domain.PersonID, name, query string, there bool) error {
	name, err := ParseName(name)
	if err != nil {
		return err
	}
	return s.change(ctx, what, func(tx *sql.Tx) error {
		if err := mayBear(ctx, tx, id, name); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, query, name, key(id))
		if there {
			err = one(done, err)
		}
		return err
	})
}

// mayBear refuses a name for a person that could be taken for a host's.
func mayBear(ctx context.Context, tx *sql.Tx, id domain.PersonID, name string) error {
	if free, err := value[bool](tx.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM people WHERE id = ? AND (host = 1 OR name = ?))`, key(id), name),
		"look up who has a name"); free || err != nil {
		return err
	}
	hosts, err := database.All(ctx, tx, database.Value[string], `SELECT name FROM people WHERE host = 1 AND name <> ''`)
	if err == nil && slices.ContainsFunc(hosts, func(host string) bool { return passesFor(name, host) }) {
		err = domain.Refuse("name-reserved")
	}
	return err
}

// SetLanguage sets the language a person is written to in. It refuses with language-unknown.
func (s *Store) SetLanguage(ctx context.Context, id domain.PersonID, language string) error {
	if !slices.Contains(offered, language) {
		return domain.Refuse("language-unknown")
	}
	return s.set(ctx, "set a person's language", `UPDATE people SET language = ? WHERE id = ?`, language, key(id))
}

// SetZone sets a person's time zone, by its IANA name. It refuses with zone-unknown.
func (s *Store) SetZone(ctx context.Context, id domain.PersonID, zone string) error {
	return s.SetSettings(ctx, id, Settings{Zone: &zone})
}

// PassEpoch counts how often a person has withdrawn all passes. It returns ErrNobody if the person is not here. The
// epoch is among the facts of every pass.
func (s *Store) PassEpoch(ctx context.Context, id domain.PersonID) (uint32, error) {
	return value[uint32](s.read.QueryRowContext(ctx, `SELECT pass_epoch FROM people WHERE id = ?`, key(id)),
		"read a person's passes")
}

// Withdrawing notes in the log since which epoch a person's passes are good (*desk.Desk).
type Withdrawing interface {
	Withdraw(ctx context.Context, a events.Actor, person domain.PersonID, epoch uint32) error
}

// Withdraw ends every pass made for a person until now. The log comes first: from there it is applied again if an older
// people.db is restored.
func (s *Store) Withdraw(ctx context.Context, log Withdrawing, a events.Actor, id domain.PersonID) error {
	epoch, err := s.PassEpoch(ctx, id)
	if err == nil {
		err = log.Withdraw(ctx, a, id, epoch+1)
	}
	if err == nil {
		err = s.WithdrawPasses(ctx, id, epoch+1)
	}
	return err
}

// WithdrawPasses ends every pass made for a person in an earlier epoch, and what their mails and presses have shown of
// who signs them (SignedBy), and from which networks they act (Came). Going back to an earlier epoch does nothing.
func (s *Store) WithdrawPasses(ctx context.Context, id domain.PersonID, epoch uint32) error {
	return s.change(ctx, "withdraw a person's passes", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM senders WHERE person = (SELECT id FROM people WHERE id = ? AND pass_epoch < ?)`, key(id), epoch)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM networks WHERE person = (SELECT id FROM people WHERE id = ? AND pass_epoch < ?)`, key(id), epoch)
		}
		if err != nil {
			return err
		}
		return one(tx.ExecContext(ctx, `UPDATE people SET pass_epoch = max(pass_epoch, ?) WHERE id = ?`, epoch,
			key(id)))
	})
}
