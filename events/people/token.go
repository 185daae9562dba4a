package people

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/pass"
)

// ErrToken is returned for an invalid token: unknown, revoked or expired.
var ErrToken = errors.New("no such token")

// Scope is what a token may be used for.
type Scope string

// The scopes. None ever reaches addresses, sessions or other tokens.
const (
	ScopeRead     Scope = "read"     // look at what its person may see
	ScopePlay     Scope = "play"     // and give commands at tables in their name
	ScopeSettings Scope = "settings" // and set when they have time, how often they are mailed, and their webhooks
)

// Scopes lists all scopes; each includes the ones before it.
var Scopes = []Scope{ScopeRead, ScopePlay, ScopeSettings}

// Reaches reports whether a scope includes another.
func (s Scope) Reaches(other Scope) bool {
	return slices.Index(Scopes, s) >= slices.Index(Scopes, other) && slices.Contains(Scopes, other)
}

// TokenPrefix begins every token, so that a leaked one is recognised.
const TokenPrefix = "posthorn_"

// MaxTokens is the most tokens one person may have at a time.
const MaxTokens = 20

// MaxTokenDays is the longest a token lasts, in days.
const MaxTokenDays = 366

// Token is what a program may do in a person's name.
type Token struct {
	Ref     string // names it in lists; grants nothing
	Person  domain.PersonID
	Label   string // what its person calls it
	Scope   Scope
	Table   events.Name // the one table it is good for; zero for all
	Created time.Time
	Expires time.Time
}

// NewToken describes a token to be made.
type NewToken struct {
	Label string      // a name by the rules of ParseName
	Scope Scope       // one of Scopes; ScopeSettings is for all tables
	Table events.Name // zero for all
	Days  int         // 1 to MaxTokenDays
}

// MakeToken makes a token and returns its text, of which only the SHA-256 is stored. It refuses a label as ParseName
// does, and refuses with token-scope, token-days (n, the most) or tokens-many (n, the most). It returns ErrNobody if
// the person is not here.
func (s *Store) MakeToken(ctx context.Context, id domain.PersonID, n NewToken) (string, Token, error) {
	var t Token
	label, err := ParseName(n.Label)
	switch {
	case err != nil:
		return "", t, err
	case !slices.Contains(Scopes, n.Scope), n.Scope == ScopeSettings && !n.Table.IsZero():
		return "", t, domain.Refuse("token-scope")
	case n.Days < 1 || n.Days > MaxTokenDays:
		return "", t, domain.Refuse("token-days", "n", MaxTokenDays)
	}
	text := TokenPrefix + pass.Random().Text()
	hash, now := hashed(text), s.now()
	var table []byte
	if !n.Table.IsZero() {
		table = n.Table[:]
	}
	err = s.change(ctx, "make a token", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM tokens WHERE expires <= ?`, millis(now)); err != nil {
			return err
		}
		have, err := database.Value[int](tx.QueryRowContext(ctx, `SELECT count(*) FROM tokens WHERE person = ?`,
			key(id)))
		if err != nil {
			return err
		}
		if have >= MaxTokens {
			return domain.Refuse("tokens-many", "n", MaxTokens)
		}
		if err := one(tx.ExecContext(ctx,
			`INSERT INTO tokens(hash, person, label, scope, at_table, created, expires) SELECT ?, id, ?, ?, ?, ?, ? FROM people WHERE id = ?`,
			hash, label, string(n.Scope), table, millis(now), millis(now.AddDate(0, 0, n.Days)), key(id))); err != nil {
			return err
		}
		t, err = scanToken(tx.QueryRowContext(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE hash = ?`, hash))
		return err
	})
	return text, t, err
}

const tokenColumns = `hash, person, label, scope, at_table, created, expires`

func scanToken(row database.Row) (Token, error) {
	var hash, person, table []byte
	var created, expires int64
	var t Token
	err := row.Scan(&hash, &person, &t.Label, &t.Scope, &table, &created, &expires)
	if err := there(err, ErrToken, "read a token"); err != nil {
		return t, err
	}
	copy(t.Table[:], table)
	t.Ref, t.Person = hex.EncodeToString(hash[:12]), domain.PersonID(hex.EncodeToString(person))
	t.Created, t.Expires = moment(created), moment(expires)
	return t, nil
}

// Token returns what a token's text is good for, or ErrToken. It writes nothing.
func (s *Store) Token(ctx context.Context, text string) (Token, error) {
	if !strings.HasPrefix(text, TokenPrefix) {
		return Token{}, ErrToken
	}
	hash := hashed(text)
	t, err := s.tokens.Of([32]byte(hash), func() (Token, error) {
		return scanToken(s.read.QueryRowContext(ctx,
			`SELECT `+tokenColumns+` FROM tokens WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM bans WHERE bans.person = tokens.person)`, hash))
	})
	if err == nil && s.over(t.Expires) {
		return Token{}, ErrToken
	}
	return t, err
}

// Tokens lists a person's tokens, newest first.
func (s *Store) Tokens(ctx context.Context, id domain.PersonID) ([]Token, error) {
	return database.All(ctx, s.read, scanToken,
		`SELECT `+tokenColumns+` FROM tokens WHERE person = ? AND expires > ? ORDER BY created DESC, hash`, key(id),
		millis(s.now()))
}

// RevokeToken ends one of a person's tokens, by its Ref. It returns ErrToken if it is not theirs.
func (s *Store) RevokeToken(ctx context.Context, id domain.PersonID, ref string) error {
	return s.revoke(ctx, "tokens", ErrToken, id, ref)
}
