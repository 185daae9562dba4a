package people

import (
	"context"
	"database/sql"

	"posthorn/domain"
)

// mostBrowsers is how many browsers are remembered per person; the oldest are forgotten first.
const mostBrowsers = 20

// Browser notes that a person used a link in a browser, which its secret identifies. It reports whether that is no
// news: the person used a link there before, or never used one anywhere. Only the secret's digest is kept.
func (s *Store) Browser(ctx context.Context, id domain.PersonID, secret string) (known bool, err error) {
	err = s.change(ctx, "note a browser", func(tx *sql.Tx) error {
		var others int
		row := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(max(hash = ?), 0) FROM browsers WHERE person = ?`, hashed(secret), key(id))
		if err := row.Scan(&others, &known); err != nil || known {
			return err
		}
		known = others == 0
		if _, err := tx.ExecContext(ctx, `INSERT INTO browsers(person, hash, first) SELECT id, ?, ? FROM people WHERE id = ?`, hashed(secret), millis(s.now()), key(id)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM browsers WHERE person = ?1 AND hash NOT IN
			(SELECT hash FROM browsers WHERE person = ?1 ORDER BY first DESC LIMIT ?2)`, key(id), mostBrowsers)
		return err
	})
	return known, err
}
