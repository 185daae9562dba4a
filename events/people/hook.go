package people

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
)

// ErrHook is returned for a webhook that does not exist, or belongs to somebody else.
var ErrHook = errors.New("no such webhook")

// MaxHooks is the most webhooks one person may have at a time.
const MaxHooks = 5

// maxHookAddress is the longest address of a webhook, in bytes.
const maxHookAddress = 500

// Hook is a person's own address, to which what their tables ask of them is posted.
type Hook struct {
	Ref     string // names it; grants nothing
	Person  domain.PersonID
	Address string    // https
	Secret  string    // signs what is posted, as "whsec_" and base64
	Kinds   []string  // of PostedKinds
	Created time.Time // when it was made
	Off     time.Time // when it was given up, after nothing could be posted to it for days; zero while it works
	Why     string    // why it was given up
}

// Wants reports whether a kind is posted to a webhook.
func (h Hook) Wants(kind string) bool { return h.Off.IsZero() && slices.Contains(h.Kinds, kind) }

// ParseHookAddress reads a webhook's address: https, a public host name, port 443 or 8443, nothing before an @ and
// nothing after a #. Where the name leads is checked when something is posted. It refuses with hook-address.
func ParseHookAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	bad := domain.Refuse("hook-address")
	u, err := url.Parse(text)
	if err != nil || len(text) > maxHookAddress || !strings.EqualFold(u.Scheme, "https") || u.Opaque != "" ||
		u.User != nil || u.Fragment != "" {
		return "", bad
	}
	if port := u.Port(); port != "" && port != "443" && port != "8443" || strings.HasSuffix(u.Host, ":") {
		return "", bad
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip = ip.Unmap(); ip.Zone() != "" || !ip.IsGlobalUnicast() || ip.IsPrivate() {
			return "", bad
		}
		return u.String(), nil
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	switch {
	case len(labels) < 2, slices.Contains(labels, ""), strings.Trim(last, "0123456789") == "",
		strings.HasPrefix(last, "0x"),
		slices.Contains([]string{"localhost", "local", "internal", "lan", "home", "test", "invalid", "onion"}, last):
		return "", bad
	}
	return u.String(), nil
}

// MakeHook makes a webhook for a person; nobody is shown its secret again. It refuses with hook-address, hook-kinds
// or hooks-many (n, the most). It returns ErrNobody if the person is not here.
func (s *Store) MakeHook(ctx context.Context, id domain.PersonID, address string, kinds []string) (Hook, error) {
	address, err := ParseHookAddress(address)
	if err != nil {
		return Hook{}, err
	}
	var wanted []string
	for _, k := range s.PostedKinds {
		if slices.Contains(kinds, k) {
			wanted = append(wanted, k)
		}
	}
	unknown := func(k string) bool { return !slices.Contains(wanted, k) }
	if len(wanted) == 0 || slices.ContainsFunc(kinds, unknown) {
		return Hook{}, domain.Refuse("hook-kinds")
	}
	var random [32]byte
	_, _ = rand.Read(random[:])
	name := events.NewName()
	h := Hook{Ref: name.String(), Person: id, Address: address,
		Secret: "whsec_" + base64.StdEncoding.EncodeToString(random[:]), Kinds: wanted, Created: s.now()}
	box, err := s.box(ctx, id)
	if err != nil {
		return Hook{}, err
	}
	sealed := func(text string) []byte { return box.Seal(nil, nil, []byte(text), name[:]) }
	return h, s.change(ctx, "make a webhook", func(tx *sql.Tx) error {
		have, err := database.Value[int](tx.QueryRowContext(ctx, `SELECT count(*) FROM hooks WHERE person = ?`,
			key(id)))
		if err != nil {
			return err
		}
		if have >= MaxHooks {
			return domain.Refuse("hooks-many", "n", MaxHooks)
		}
		return one(tx.ExecContext(ctx,
			`INSERT INTO hooks (id, person, address, secret, kinds, created) SELECT ?, id, ?, ?, ?, ? FROM people WHERE id = ?`,
			name[:], sealed(h.Address), sealed(h.Secret), strings.Join(wanted, " "), millis(h.Created), key(id)))
	})
}

// Hooks lists a person's webhooks, oldest first.
func (s *Store) Hooks(ctx context.Context, id domain.PersonID) ([]Hook, error) {
	return s.hooks(ctx, `person = ? ORDER BY created, id`, key(id))
}

// Hook returns a webhook by its Ref, or ErrHook.
func (s *Store) Hook(ctx context.Context, ref string) (Hook, error) {
	name, err := events.ParseName(ref)
	if err != nil {
		return Hook{}, ErrHook
	}
	all, err := s.hooks(ctx, `id = ?`, name[:])
	if err != nil {
		return Hook{}, err
	}
	if len(all) == 0 {
		return Hook{}, ErrHook
	}
	return all[0], nil
}

func (s *Store) hooks(ctx context.Context, where string, args ...any) ([]Hook, error) {
	type row struct {
		Hook
		address, secret []byte
	}
	rows, err := database.All(ctx, s.read, func(r database.Row) (h row, err error) {
		var id, person []byte
		var kinds string
		var created, off int64
		err = r.Scan(&id, &person, &h.address, &h.secret, &kinds, &created, &off, &h.Why)
		var name, who events.Name
		copy(name[:], id)
		copy(who[:], person)
		h.Ref, h.Person, h.Kinds, h.Created = name.String(), domain.PersonID(who.String()), strings.Fields(kinds),
			moment(created)
		if off > 0 {
			h.Off = moment(off)
		}
		return h, err
	}, `SELECT id, person, address, secret, kinds, created, off, why FROM hooks WHERE NOT EXISTS (SELECT 1 FROM bans WHERE bans.person = hooks.person) AND `+where, args...)
	if err != nil {
		return nil, err
	}
	var out []Hook
	for _, r := range rows {
		box, err := s.box(ctx, r.Person)
		if errors.Is(err, ErrNobody) {
			continue // forgotten just now
		}
		if err != nil {
			return nil, err
		}
		name, err := events.ParseName(r.Ref)
		if err != nil {
			return nil, err
		}
		address, err1 := open(box, r.address, name[:])
		secret, err2 := open(box, r.secret, name[:])
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		r.Address, r.Secret = string(address), string(secret)
		out = append(out, r.Hook)
	}
	return out, nil
}

// RemoveHook removes one of a person's webhooks. It returns ErrHook if it is not theirs.
func (s *Store) RemoveHook(ctx context.Context, id domain.PersonID, ref string) error {
	return s.aboutHook(ctx, "remove a webhook", `DELETE FROM hooks WHERE person = ? AND id = ?`, id, ref)
}

// RetryHook revives one of a person's webhooks that was given up. It returns ErrHook if it is not theirs.
func (s *Store) RetryHook(ctx context.Context, id domain.PersonID, ref string) error {
	return s.aboutHook(ctx, "take a webhook up again", `UPDATE hooks SET off = 0, why = '' WHERE person = ? AND id = ?`,
		id, ref)
}

func (s *Store) aboutHook(ctx context.Context, what, query string, id domain.PersonID, ref string) error {
	name, err := events.ParseName(ref)
	if err != nil {
		return ErrHook
	}
	if err := s.set(ctx, what, query, key(id), name[:]); errors.Is(err, ErrNobody) {
		return ErrHook
	} else if err != nil {
		return err
	}
	return nil
}

// GiveUpHook notes that nothing can be posted to a webhook, and why. The webhook stays off until its person revives
// it.
func (s *Store) GiveUpHook(ctx context.Context, ref, why string) error {
	name, err := events.ParseName(ref)
	if err != nil {
		return ErrHook
	}
	return s.exec(ctx, "give a webhook up", `UPDATE hooks SET off = ?, why = ? WHERE id = ? AND off = 0`,
		millis(s.now()), why, name[:])
}
