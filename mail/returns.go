package mail

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/pass"
)

// ReturnKind is what came back about a letter; "" for nothing.
type ReturnKind string

// The kinds.
const (
	ReturnHard ReturnKind = "hard" // no such mailbox
	ReturnSoft ReturnKind = "soft" // could not be delivered, but a later mail may be
	// the recipient's server does not want us: up to the host, and no fault of the address
	ReturnPolicy    ReturnKind = "policy"
	ReturnComplaint ReturnKind = "complaint" // its reader called it junk
)

// Return is what came back about a letter.
type Return struct {
	Kind   ReturnKind
	Status string // as in RFC 3463, or ""
	Why    string
}

// Returned classifies a failed delivery by its status (RFC 3463).
func Returned(status, why string) Return {
	r := Return{Kind: ReturnSoft, Status: status, Why: why}
	switch {
	case strings.HasPrefix(status, "5.7."):
		r.Kind = ReturnPolicy
	case strings.HasPrefix(status, "5.1.") || status == "5.2.1" || status == "5.0.0" || status == "5.4.4":
		r.Kind = ReturnHard
	}
	return r
}

// returnedAtOnce returns what the next server's verdict means for a recipient.
func returnedAtOnce(v *Verdict) Return {
	if v.Step != "recipient" || !v.forGood() {
		return Return{}
	}
	status := ""
	if e := v.Answer.EnhancedCode; e[0] > 0 {
		status = fmt.Sprintf("%d.%d.%d", e[0], e[1], e[2])
	} else if v.Answer.Code == 550 || v.Answer.Code == 553 {
		status = "5.0.0"
	}
	return Returned(status, v.Answer.Message)
}

// ReturnAddress makes the addresses that letters are sent from. An undeliverable letter comes back to its address,
// which says which letter it was, whatever else the mail says (VERP). A MAC protects the letter's name, so nobody can
// forge one.
type ReturnAddress struct {
	local, host string
	secret      []byte
}

// NewReturnAddress makes return addresses from one address, with a token between its name and its domain.
func NewReturnAddress(base string, keys *events.Keys) *ReturnAddress {
	local, host, _ := strings.Cut(base, "@")
	return &ReturnAddress{local: local, host: host, secret: keys.For("return address")}
}

// LetterRef identifies a letter to anybody who has only its return address.
type LetterRef struct {
	id   int64
	mark [4]byte // of its Message-ID: after losing its queue, a house numbers letters anew
}

const (
	returnMark = "b." // precedes the token; an answer's token has no dot
	macBytes   = 10
)

var returnCode = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func refOf(id int64, messageID string) LetterRef {
	sum := sha256.Sum256([]byte(messageID))
	return LetterRef{id: id, mark: [4]byte(sum[:4])}
}

// of returns a letter's return address.
func (a *ReturnAddress) of(ref LetterRef) string {
	payload := append(binary.AppendUvarint(nil, uint64(ref.id)), ref.mark[:]...)
	return a.local + "+" + returnMark + returnCode.EncodeToString(append(payload, a.mac(payload)...)) + "@" + a.host
}

func (a *ReturnAddress) mac(payload []byte) []byte {
	m := hmac.New(sha256.New, a.secret)
	m.Write(payload)
	return m.Sum(nil)[:macBytes]
}

// Read returns which letter a return address belongs to; false for any other address. It ignores case.
func (a *ReturnAddress) Read(address string) (ref LetterRef, ok bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 || !strings.EqualFold(address[at+1:], a.host) {
		return ref, false
	}
	name, token, ok := strings.Cut(strings.ToLower(address[:at]), "+")
	if !ok || name != strings.ToLower(a.local) || !strings.HasPrefix(token, returnMark) {
		return ref, false
	}
	raw, err := returnCode.DecodeString(token[len(returnMark):])
	if err != nil || len(raw) <= macBytes+len(ref.mark) || returnCode.EncodeToString(raw) != token[len(returnMark):] {
		return ref, false
	}
	payload, mac := raw[:len(raw)-macBytes], raw[len(raw)-macBytes:]
	if !hmac.Equal(mac, a.mac(payload)) {
		return ref, false
	}
	id, n := binary.Uvarint(payload)
	if n <= 0 || len(payload)-n != len(ref.mark) {
		return ref, false
	}
	return LetterRef{id: int64(id), mark: [4]byte(payload[n:])}, true
}

// Try returns an address for a mail that tries whether mails come in. It looks like any other, and is that of no
// letter; the mark tells it from others.
func (a *ReturnAddress) Try(mark [4]byte) string { return a.of(LetterRef{mark: mark}) }

// Tried returns the mark of such an address.
func (a *ReturnAddress) Tried(address string) (mark string, ok bool) {
	ref, ok := a.Read(address)
	return hex.EncodeToString(ref.mark[:]), ok && ref.id == 0
}

// CameBack notes what came back about a letter. It returns false if there is no such letter, or if that was already
// noted.
func (o *Outbox) CameBack(ctx context.Context, ref LetterRef, r Return) (l Letter, noted bool, err error) {
	all, err := o.list(ctx, `WHERE id = ?`, ref.id)
	if err == nil && len(all) == 0 {
		return o.cameBackLate(ctx, ref, r)
	}
	if err != nil || refOf(ref.id, all[0].MessageID) != ref {
		return l, false, err
	}
	noted, err = o.returned(ctx, all[0], r)
	return all[0], noted, err
}

// cameBackLate notes what came back of a letter that was taken out.
func (o *Outbox) cameBackLate(ctx context.Context, ref LetterRef, r Return) (l Letter, noted bool, err error) {
	l.ID = ref.id
	var table string
	err = o.db.QueryRowContext(ctx,
		`SELECT kind, person, table_name, mailbox, state FROM mailed WHERE letter = ? AND mark = ?`,
		ref.id, ref.mark[:]).Scan(&l.Kind, &l.Person, &table, &l.mailbox, &l.State)
	if errors.Is(err, sql.ErrNoRows) {
		return Letter{}, false, nil
	}
	if err == nil {
		err = l.Table.UnmarshalText([]byte(table))
	}
	if err != nil {
		return l, false, fmt.Errorf("mail queue: what came back of letter %d: %w", ref.id, err)
	}
	noted, err = o.returned(ctx, l, r)
	return l, noted, err
}

func (o *Outbox) returned(ctx context.Context, l Letter, r Return) (noted bool, err error) {
	if r.Kind == ReturnComplaint && l.Kind.Switch() != "" {
		if since, err := o.wantedSince(ctx, l); since || err != nil {
			return false, err
		}
	}
	whose := string(l.Person)
	if r.Kind == ReturnComplaint { // what nobody of this house was mailed counts for its mailbox
		whose = cmp.Or(whose, l.mailbox)
	}
	err = o.change(ctx, "a letter that came back", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx,
			`INSERT INTO returns (letter, person, kind, status, why, at) VALUES (?,?,?,?,?,?) ON CONFLICT DO NOTHING`,
			l.ID, whose, string(r.Kind), r.Status, withoutAddresses(clipped(r.Why)), o.now().UnixMilli())
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		noted = n > 0
		return err
	})
	if err == nil && noted && o.Lost != nil && l.Person != "" {
		err = o.lost(ctx, l.Person)
	}
	return noted, err
}

// lost reports somebody whom mails do not reach.
func (o *Outbox) lost(ctx context.Context, person domain.PersonID) error {
	all, err := o.Unreachable(ctx, person)
	if err != nil || len(all) == 0 {
		return err
	}
	return o.Lost(ctx, person)
}

// clipped returns a server's text as one displayable line.
func clipped(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "…")), " ")
	if r := []rune(text); len(r) > 200 {
		text = string(r[:200]) + "…"
	}
	return text
}

// How bounces count. Somebody whose recent bounces add up to unreachableAt shows as unreachable.
const (
	hardScore     = 2
	softScore     = 1
	unreachableAt = 4
	scoreLasts    = 30 * 24 * time.Hour
)

// Reach says why mails do not reach somebody.
type Reach struct {
	Person domain.PersonID
	Since  time.Time // when the first of the mails came back
	Why    string    // the last mail's reason in the server's words, without addresses
	Status string    // as in RFC 3463, or ""
}

// Unreachable lists the people whom mails do not reach: of those named, or of everybody if none are. A mail that came
// back counts for 30 days; a hard bounce counts twice.
func (o *Outbox) Unreachable(ctx context.Context, of ...domain.PersonID) (out []Reach, err error) {
	args := []any{o.now().Add(-scoreLasts).UnixMilli(), string(ReturnHard), string(ReturnSoft)}
	where := ""
	if len(of) > 0 {
		where = ` AND person IN (` + strings.TrimSuffix(strings.Repeat("?,", len(of)), ",") + `)`
		for _, p := range of {
			args = append(args, string(p))
		}
	}
	type came struct {
		Reach
		kind ReturnKind
	}
	all, err := database.All(ctx, o.db, func(row database.Row) (c came, err error) {
		var at int64
		err = row.Scan(&c.Person, &c.kind, &at, &c.Why, &c.Status)
		c.Since = time.UnixMilli(at)
		return c, err
	}, `SELECT person, kind, at, why, status FROM returns WHERE at > ? AND person <> '' AND kind IN (?,?)`+where+
		` ORDER BY person, at`, args...)
	if err != nil {
		return nil, fmt.Errorf("mail queue: who is unreachable: %w", err)
	}
	for i := 0; i < len(all); {
		r, score := all[i].Reach, 0
		for ; i < len(all) && all[i].Person == r.Person; i++ {
			if score += softScore; all[i].kind == ReturnHard {
				score += hardScore - softScore
			}
			r.Why, r.Status = all[i].Why, all[i].Status
		}
		if score >= unreachableAt {
			out = append(out, r)
		}
	}
	return out, nil
}

// mailbox returns a keyed digest of the address that a mail about nobody of the house goes to: a sign-in, or what a
// stranger is told; "" for other mails.
func (o *Outbox) mailbox(n Notice) string {
	if s, ok := strangerOf(n); ok && n.Person == "" {
		return o.digest(s.Address)
	}
	if r, _, _, ok := signInOf(n); ok {
		return o.digest(r.Address)
	}
	return ""
}

func (o *Outbox) digest(address string) string {
	m := hmac.New(sha256.New, o.mark)
	m.Write([]byte(strings.ToLower(address)))
	return hex.EncodeToString(m.Sum(nil)[:16])
}

// unwelcome reports whether a letter of a kind that cannot be switched off is not to be sent, because its reader
// complained lately about one of that kind. Sign-ins still go out once a day: somebody else may have asked for the
// others, but without one their owner could not come in.
func (o *Outbox) unwelcome(ctx context.Context, l Letter) (bool, error) {
	if l.Kind.row().optional() {
		return false, nil
	}
	now := o.now()
	again := time.Time{} // from when a letter before this one keeps it back
	if l.Kind.row().purpose == pass.SignIn {
		again = now.Add(-24 * time.Hour)
	}
	whose := cmp.Or(string(l.Person), l.mailbox)
	out, err := database.Value[bool](o.db.QueryRowContext(ctx, `SELECT EXISTS (
			SELECT 1 FROM returns WHERE person = ? AND kind = ? AND at > ? AND ? IN
				(SELECT kind FROM outbox WHERE id = letter UNION ALL SELECT kind FROM mailed WHERE mailed.letter = returns.letter))
		AND (EXISTS (SELECT 1 FROM outbox WHERE person = ? AND mailbox = ? AND state = 'sent' AND done > ?)
			OR EXISTS (SELECT 1 FROM mailed WHERE person = ? AND mailbox = ? AND state = 'sent' AND done > ?))`,
		whose, string(ReturnComplaint), now.Add(-scoreLasts).UnixMilli(), string(l.Kind),
		string(l.Person), l.mailbox, again.UnixMilli(), string(l.Person), l.mailbox, again.UnixMilli()))
	if err != nil {
		return false, fmt.Errorf("mail queue: complaints: %w", err)
	}
	return out, nil
}

// Reached forgets what came back about mails to a person, who has this address: it works, or they have another one now.
func (o *Outbox) Reached(ctx context.Context, person domain.PersonID, address string) error {
	const forget = `UPDATE returns SET at = -abs(at) WHERE person IN (?, ?)` // wantedSince needs when it was
	if _, err := o.db.ExecContext(ctx, forget, string(person), o.digest(address)); err != nil {
		return fmt.Errorf("mail queue: somebody is reachable: %w", err)
	}
	return nil
}

// RefusesSender reports whether a server may have refused a letter for its sender, at whichever step.
func RefusesSender(err error) bool {
	var answer *smtp.SMTPError
	if !errors.As(err, &answer) || answer.Temporary() {
		return false
	}
	return errors.Is(err, errSender) ||
		errors.As(err, new(*Verdict)) && (answer.EnhancedCode[1] == 7 || answer.Code == 553)
}

// returnPath returns the address that a letter is sent from.
func (s *Sender) returnPath(ctx context.Context, id int64) (string, error) {
	if s.Return == nil || s.ownOnly.Load() {
		return s.Composer.From, nil
	}
	messageID, err := database.Value[string](s.Outbox.db.QueryRowContext(ctx,
		`SELECT message_id FROM outbox WHERE id = ?`, id))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("mail queue: letter %d: %w", id, err)
	}
	return s.Return.of(refOf(id, messageID)), nil
}
