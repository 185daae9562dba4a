package people

import (
	"context"
	"database/sql"

	"posthorn/domain"
	"posthorn/events/database"
)

// Unsigned stands for the domain that signs mails: nobody does, as their writer says.
const Unsigned = ""

// SignedBy lists the domains that sign a person's mails from an address, as earlier ones have shown; or Unsigned alone.
func (s *Store) SignedBy(ctx context.Context, id domain.PersonID, from Address) ([]string, error) {
	return database.All(ctx, s.read, func(row database.Row) (string, error) { return database.Value[string](row) },
		`SELECT domain FROM senders WHERE person = ? AND address = ? ORDER BY domain`, key(id),
		s.digest("sender", from.mailbox()))
}

// Signers lists the domains that sign a person's mails from any address, or Unsigned.
func (s *Store) Signers(ctx context.Context, id domain.PersonID) ([]string, error) {
	return database.All(ctx, s.read, func(row database.Row) (string, error) { return database.Value[string](row) },
		`SELECT DISTINCT domain FROM senders WHERE person = ? ORDER BY domain`, key(id))
}

// SetSignedBy notes that a domain signs a person's mails from an address. Unsigned does not hold beside a domain: it is
// forgotten once one is known, and not noted after that.
func (s *Store) SetSignedBy(ctx context.Context, id domain.PersonID, from Address, by string) error {
	return s.change(ctx, "note who signs a person's mails", func(tx *sql.Tx) error {
		sender := s.digest("sender", from.mailbox())
		_, err := tx.ExecContext(ctx, `INSERT INTO senders (person, address, domain) SELECT id, ?2, ?3 FROM people WHERE id = ?1
			AND (?3 <> '' OR NOT EXISTS (SELECT 1 FROM senders WHERE person = ?1 AND address = ?2)) ON CONFLICT DO NOTHING`, key(id), sender, by)
		if err == nil && by != Unsigned {
			_, err = tx.ExecContext(ctx, `DELETE FROM senders WHERE person = ? AND address = ? AND domain = ''`,
				key(id), sender)
		}
		return err
	})
}

// ForgetUnsigned takes back that a person's mails from an address are signed by nobody.
func (s *Store) ForgetUnsigned(ctx context.Context, id domain.PersonID, from Address) error {
	return s.exec(ctx, "forget who signs a person's mails",
		`DELETE FROM senders WHERE person = ? AND address = ? AND domain = ''`,
		key(id), s.digest("sender", from.mailbox()))
}
