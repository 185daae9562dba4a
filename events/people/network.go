package people

import (
	"bytes"
	"context"
	"database/sql"

	"posthorn/domain"
	"posthorn/events/database"
)

// networkDays is how many days a network is known for after somebody acted from it.
const networkDays = 90

// Came notes that a person acts from a network, and reports whether it is new to them: nobody acted for them from there
// for 90 days, but from others. Only digests are kept.
func (s *Store) Came(ctx context.Context, id domain.PersonID, network string) (strange bool, err error) {
	type from struct {
		network []byte
		seen    int64
	}
	today, here := s.now().Unix()/(24*60*60), s.digest("network", string(id)+" "+network)
	known, err := database.All(ctx, s.read, func(row database.Row) (f from, err error) {
		return f, row.Scan(&f.network, &f.seen)
	},
		`SELECT network, seen FROM networks WHERE person = ? AND seen > ?`, key(id), today-networkDays)
	if err != nil {
		return false, err
	}
	for _, f := range known {
		if strange = !bytes.Equal(f.network, here); strange {
			continue
		}
		if f.seen == today {
			return false, nil
		}
		break
	}
	return strange, s.change(ctx, "note a network", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM networks WHERE person = ? AND seen <= ?`, key(id),
			today-networkDays); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO networks (person, network, seen) SELECT id, ?, ? FROM people WHERE id = ?
			ON CONFLICT DO UPDATE SET seen = excluded.seen`, here, today, key(id))
		return err
	})
}

// Networks counts the networks that a person has acted from lately.
func (s *Store) Networks(ctx context.Context, id domain.PersonID) (int, error) {
	return value[int](s.read.QueryRowContext(ctx, `SELECT count(*) FROM networks WHERE person = ?`, key(id)),
		"count a person's networks")
}
