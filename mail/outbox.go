package mail

import (
	"context"
	"crypto/cipher"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/database"
	"posthorn/events/desk"
)

// State is how far a mail has got.
type State string

// The states of a mail, in order.
const (
	StateNew      State = "new"      // wanted
	StateComposed State = "composed" // written; its bytes never change again
	StateSending  State = "sending"  // handed to the next server, with no answer known
	StateSent     State = "sent"     // accepted by the next server
	StateDropped  State = "dropped"  // no longer needed, or not wanted
	StateFailed   State = "failed"   // refused permanently
)

// Notice is a mail to be sent.
type Notice struct {
	Kind   Kind
	Person domain.PersonID
	Table  events.Name
	Stream events.Name // where it is awaited: a line, or the table
	Open   domain.Open // the decision; for the table's matters Since is the table's version
	Head   events.Hash // of the chain at Open.Since, or where the decision came back
	Secret []byte      // what only this mail needs, such as a sign-in token
	// Wait is how long to hold the mail back: its person is probably still there.
	Wait time.Duration
	// Sooner shortens the wait of a mail already waiting to this Wait: what it waited for is gone.
	Sooner bool
	// Again says that the decision came back to its person. What still waits about it is out of date.
	Again bool
}

// ask returns what the mail says its person is asked.
func (n Notice) ask() desk.Ask {
	kind := desk.AskKind(n.Kind)
	if n.Kind.row().reminds() {
		kind, _, _ = n.reminded()
	}
	return desk.Ask{Kind: kind, Person: n.Person, Table: n.Table, Stream: n.Stream, Open: n.Open}
}

// wanted reports whether a person has not switched off such a mail. Who wants no mails about turns wants no reminders.
func (n Notice) wanted(r Recipient) bool {
	return r.Wants(n.Kind, n.Table) && (!n.Kind.row().reminds() || r.Wants(KindTurn, n.Table))
}

// due returns from when on a mail that is wanted now may go, in milliseconds: at once if it need not wait, and never
// early if it must.
func (n Notice) due(now time.Time) int64 {
	if n.Wait == 0 {
		return now.UnixMilli()
	}
	return now.Add(n.Wait + time.Millisecond - 1).UnixMilli()
}

// ofAsk is whether a letter, whatever its kind, is about an ask, for SQL, and aboutAsk the values of that after others.
const ofAsk = `table_name = ? AND person = ? AND stream = ? AND seat = ? AND decision = ? AND serial = ? AND since = ?`

func aboutAsk(a desk.Ask, before ...any) []any {
	return append(before, a.Table.String(), string(a.Person), a.Stream.String(), int(a.Open.Seat), a.Open.Kind,
		a.Open.Serial, a.Open.Since)
}

func (n Notice) key() string {
	return fmt.Sprintf("%s|%s|%s|%d|%s|%d|%d|%s", n.Kind, n.Person, n.Stream, n.Open.Seat, n.Open.Kind, n.Open.Serial,
		n.Open.Since, n.Head)
}

// Letter is a row of the outbox.
type Letter struct {
	ID int64
	Notice
	State     State
	MessageID string
	Subject   string   // of the earlier letters about its table; "" for the first one
	Others    []string // of a first one: the subjects of its person's other tables
	Told      uint64   // the version of its table up to which those told what people did
	Unmailed  []uint64 // the versions that asked its person at the table's page what no letter has told them
	Shown     Shown    // what the latest of those showed
	Kept      []Letter // those with which lines of its person's replies wait
	// Latest is, of an answer to a mail that is over, what the latest letter was about; without a stream if that is not
	// known.
	Latest    *Notice
	Attempts  int
	Note      string
	Due, Made time.Time
	Tried     time.Time // when something first went wrong with this letter itself; zero if never
	mailbox   string    // of a mail to nobody of the house: a keyed digest of its address
	afresh    int       // how often it was sent afresh, see Afresh
	seen      int64     // when its person was first at the table's page while it waited, in milliseconds; 0 if never
}

// Shown is what a letter shows: a line of its table up to a version. It is zero for a letter without a board.
type Shown struct {
	Line    string
	Version uint64
}

// dated returns the date of a letter that is written now: its first try, or now if this is the first.
func (l Letter) dated(now time.Time) time.Time {
	if l.Tried.IsZero() {
		return now
	}
	return l.Tried
}

// Outbox holds the mails to send.
type Outbox struct {
	db   *sql.DB
	seal cipher.AEAD
	mark []byte // the key of addresses' digests
	now  func() time.Time
	wake chan struct{}
	ring chan struct{} // the same for calls
	// noted is where the checkpoint last moved to, passed the position up to which nobody has been told anything since;
	// 0 if not known.
	noted, passed atomic.Uint64
	// Lost is called for each mail that came back from somebody whom mails do not reach; nil for nothing.
	Lost func(ctx context.Context, person domain.PersonID) error
	// Fresh reports that the file was made beside an older log, and nobody has been told since of the decisions that
	// were open by then (see Notifier.Anew).
	Fresh bool
}

// OpenOutbox opens the mail queue in a file. A new file starts at a position of the log, so that a lost queue does not
// mail everybody about everything again.
func OpenOutbox(ctx context.Context, path string, keys *events.Keys, last uint64, now func() time.Time) (*Outbox,
	error) {
	o, err := OpenQueue(ctx, path, keys, now)
	if err != nil {
		return nil, err
	}
	err = o.change(ctx, "checkpoint", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `INSERT INTO checkpoint (one, pos) VALUES (1, ?) ON CONFLICT DO NOTHING`, last)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err == nil && n == 1 && last > 0 {
			o.Fresh, err = true, o.begins(ctx, tx)
		}
		if err != nil {
			return err
		}
		// A log restored from an older backup continues at an earlier position.
		_, err = tx.ExecContext(ctx, `UPDATE checkpoint SET pos = min(pos, ?), reminded = coalesce(reminded, ?)`, last,
			now().UnixMilli())
		return err
	})
	if err == nil {
		err = o.shrinks(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// OpenQueue opens the mail queue next to the program that sends it, or without one. Opening it queues nothing new.
func OpenQueue(ctx context.Context, path string, keys *events.Keys, now func() time.Time) (*Outbox, error) {
	db, err := database.Open(ctx, path, "mail", "synchronous(FULL)", "secure_delete(ON)")
	if err != nil {
		return nil, fmt.Errorf("mail queue: %w", err)
	}
	o := &Outbox{db: db, now: now, mark: keys.For("complaints"),
		wake: make(chan struct{}, 1), ring: make(chan struct{}, 1)}
	if o.seal, err = events.NewBox(keys.For("mail")); err != nil {
		return nil, errors.Join(fmt.Errorf("mail queue: %w", err), db.Close())
	}
	if o.Fresh, err = o.madeAnew(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("mail queue: %w", err), db.Close())
	}
	return o, nil
}

// Sound reads the whole file to check it; database.Damaged says what its error means.
func (o *Outbox) Sound(ctx context.Context) error { return database.Sound(ctx, o.db) }

// change runs one transaction.
func (o *Outbox) change(ctx context.Context, what string, f func(*sql.Tx) error) error {
	return database.Change(ctx, o.db, "mail queue: "+what, f)
}

// Rest releases memory that only speeds up the next reads.
func (o *Outbox) Rest(ctx context.Context) error { return database.Rest(ctx, o.db) }

// Close closes the file.
func (o *Outbox) Close() error { return o.db.Close() }

// Position returns how far into the log notices have been collected.
func (o *Outbox) Position(ctx context.Context) (pos uint64, err error) {
	if pos, err = database.Value[uint64](o.db.QueryRowContext(ctx, `SELECT pos FROM checkpoint`)); err != nil {
		return 0, fmt.Errorf("mail queue: checkpoint: %w", err)
	}
	return max(pos, o.passed.Load()), nil
}

// Want queues notices, each only once ever, and moves the checkpoint in the same transaction. A position of 0 leaves
// the checkpoint where it is.
func (o *Outbox) Want(ctx context.Context, pos uint64, notices ...Notice) error {
	return o.want(ctx, pos, notices, nil, 0)
}

// mostPassed is how many events that nobody needs to hear of may pass before the checkpoint moves: a transaction costs
// as much as a move, and after a restart that many are looked at again.
const mostPassed = 256

// want is Want; it also notes up to when everybody was reminded, in milliseconds: 0 for no news of that.
func (o *Outbox) want(ctx context.Context, pos uint64, notices []Notice, calls []Call, reminded int64) error {
	if len(notices)+len(calls) == 0 && reminded == 0 && pos < o.noted.Load()+mostPassed {
		o.passed.Store(pos)
		return nil
	}
	err := o.change(ctx, "add letters", func(tx *sql.Tx) error {
		for _, n := range notices {
			if err := errors.Join(o.add(ctx, tx, n), o.joins(ctx, tx, n)); err != nil {
				return err
			}
		}
		for _, c := range calls {
			if err := o.call(ctx, tx, c); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE checkpoint SET pos = max(pos, ?), reminded = coalesce(nullif(?, 0), reminded)`,
			pos, reminded)
		return err
	})
	if err == nil {
		o.noted.Store(max(o.noted.Load(), pos))
		o.rouse()
	}
	return err
}

// reminded returns up to when everybody was reminded. If the clock was ahead then, it goes back a day: what was queued
// is not queued again.
func (o *Outbox) reminded(ctx context.Context) (time.Time, error) {
	now := o.now()
	at, err := database.Value[int64](o.db.QueryRowContext(ctx,
		`SELECT iif(reminded > ?, ?, reminded) FROM checkpoint`, now.UnixMilli(), now.Add(-standsStill).UnixMilli()))
	if err != nil {
		return now, fmt.Errorf("mail queue: checkpoint: %w", err)
	}
	return time.UnixMilli(at), nil
}

func (o *Outbox) add(ctx context.Context, tx *sql.Tx, n Notice) error {
	var secret []byte
	if n.Secret != nil {
		secret = o.close(n.Secret)
	}
	now := o.now()
	due := n.due(now)
	if past, err := isPast(ctx, tx, pastKey, n.key()); err != nil || past {
		return err
	}
	res, err := tx.ExecContext(ctx,
		`INSERT INTO outbox (key, kind, person, table_name, stream, seat, decision, serial, since,
			head, secret, mailbox, state, due, made)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,'new',?,?) ON CONFLICT (key) DO NOTHING`,
		n.key(), string(n.Kind), string(n.Person), n.Table.String(), n.Stream.String(), int(n.Open.Seat), n.Open.Kind,
		n.Open.Serial,
		n.Open.Since, n.Head.String(), secret, o.mailbox(n), due, now.UnixMilli())
	if err == nil && n.Sooner {
		_, err = tx.ExecContext(ctx, `UPDATE outbox SET due = min(due, ?) WHERE key = ? AND state = 'new' AND attempts = 0`, due, n.key())
	}
	if err == nil && n.Again {
		_, err = tx.ExecContext(ctx, `UPDATE outbox SET state = 'dropped', secret = NULL, note = '`+askedAgain+
			`', done = ?
			WHERE state = 'new' AND kind = ? AND key <> ? AND `+ofAsk, aboutAsk(n.ask(), now.UnixMilli(), string(n.Kind), n.key())...)
	}
	if err != nil || !n.Kind.ToStrangers() {
		return err
	}
	return withhold(ctx, tx, res, n)
}

// gather adds a line to what the letter of a kind that waits for a person tells them, if it is not being written yet.
// If none waits, it queues one, due a span after the last.
func (o *Outbox) gather(ctx context.Context, n Notice, line string, span time.Duration) error {
	err := o.change(ctx, "gather what a letter tells", func(tx *sql.Tx) error {
		waits, err := database.All(ctx, tx, o.scan, selectLetters+`WHERE kind = ? AND person = ? AND state = 'new'`,
			string(n.Kind), string(n.Person))
		if err != nil {
			return err
		}
		if len(waits) > 0 {
			all := append(append(waits[0].Secret, '\n'), line...)
			if len(all) <= letterPad/2 {
				_, err = tx.ExecContext(ctx, `UPDATE outbox SET secret = ? WHERE id = ?`, o.close(all), waits[0].ID)
			}
			return err
		}
		last, err := database.Value[sql.NullInt64](tx.QueryRowContext(ctx,
			`SELECT max(at) FROM (SELECT max(due) AS at FROM outbox WHERE kind = ?1 AND person = ?2
			UNION ALL SELECT max(done) FROM mailed WHERE kind = ?1 AND person = ?2)`, string(n.Kind), string(n.Person)))
		if err != nil {
			return err
		}
		n.Secret = []byte(line)
		if last.Valid {
			n.Wait = max(0, time.UnixMilli(last.Int64).Add(span).Sub(o.now()))
		}
		return o.add(ctx, tx, n)
	})
	if err == nil {
		o.rouse()
	}
	return err
}

// askedAgain is the note on a letter that says less than the one about the same decision after it came back.
const askedAgain = "asked again"

// due lists letters to work on now, sign-ins first and then the oldest, except letters to the people in but. It also
// returns when the next letter is due.
func (o *Outbox) due(ctx context.Context, limit int, but []string) ([]Letter, time.Time, error) {
	args := []any{o.now().UnixMilli()}
	for _, person := range but {
		args = append(args, person)
	}
	letters, err := o.list(ctx, `WHERE state IN ('new','composed','sending') AND due <= ? AND person NOT IN (`+
		strings.TrimSuffix(strings.Repeat("?,", len(but)), ",")+
		`) ORDER BY kind <> 'sign-in', due, id LIMIT ?`, append(args, limit)...)
	if err != nil {
		return nil, time.Time{}, err
	}
	next, err := database.Value[sql.NullInt64](o.db.QueryRowContext(ctx,
		`SELECT min(due) FROM outbox WHERE state IN ('new','composed','sending')`))
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("mail queue: %w", err)
	}
	if !next.Valid {
		return letters, time.Time{}, nil
	}
	return letters, time.UnixMilli(next.Int64), nil
}

// Letters lists the letters about a table that are in the queue, for its audit and for tests.
func (o *Outbox) Letters(ctx context.Context, table events.Name) ([]Letter, error) {
	return o.list(ctx, `WHERE table_name = ? ORDER BY id`, table.String())
}

// ByMessageID returns the letter that went out, or is going out, under a Message-ID; false if there is none, or it was
// taken out.
func (o *Outbox) ByMessageID(ctx context.Context, id string) (l Letter, ok bool, err error) {
	all, err := o.list(ctx, `WHERE message_id = ?`, id)
	if err != nil || len(all) != 1 {
		return l, false, err
	}
	return all[0], true, nil
}

const selectLetters = `SELECT id, kind, person, table_name, stream, seat, decision, serial, since, head, secret, state, message_id,
	attempts, note, due, made, tried, mailbox, seen, afresh FROM outbox `

func (o *Outbox) list(ctx context.Context, where string, args ...any) ([]Letter, error) {
	out, err := database.All(ctx, o.db, o.scan,
		selectLetters+where, args...)
	if err != nil {
		return nil, fmt.Errorf("mail queue: %w", err)
	}
	return out, nil
}

func (o *Outbox) scan(row database.Row) (Letter, error) {
	var l Letter
	var table, stream, head string
	var secret []byte
	var due, made, tried int64
	err := row.Scan(&l.ID, &l.Kind, &l.Person, &table, &stream, &l.Open.Seat, &l.Open.Kind, &l.Open.Serial,
		&l.Open.Since, &head,
		&secret, &l.State, &l.MessageID, &l.Attempts, &l.Note, &due, &made, &tried, &l.mailbox, &l.seen,
		&l.afresh)
	if err != nil {
		return l, err
	}
	l.Due, l.Made = time.UnixMilli(due), time.UnixMilli(made)
	if tried > 0 {
		l.Tried = time.UnixMilli(tried)
	}
	err = errors.Join(l.Table.UnmarshalText([]byte(table)), l.Stream.UnmarshalText([]byte(stream)),
		l.Head.UnmarshalText([]byte(head)))
	if err == nil && secret != nil {
		l.Secret, err = o.open(secret)
	}
	return l, err
}

// sending notes that the next server is about to get a letter: from here on its fate is unknown until an answer is
// noted.
func (o *Outbox) sending(ctx context.Context, id int64) error {
	return o.set(ctx, id, `state = 'sending'`)
}

func (o *Outbox) drop(ctx context.Context, id int64, why string) error {
	return o.set(ctx, id, `state = 'dropped', bytes = NULL, secret = NULL, note = ?, done = ?`, why,
		o.now().UnixMilli())
}

func (o *Outbox) fail(ctx context.Context, id int64, why string) error {
	return o.set(ctx, id, `state = 'failed', bytes = NULL, secret = NULL, note = ?, done = ?`, withoutAddresses(why),
		o.now().UnixMilli())
}

// later puts a letter off after a temporary fault of its own, which counts as a try.
func (o *Outbox) later(ctx context.Context, id int64, due time.Time, why string) error {
	return o.set(ctx, id, `due = ?, note = ?, attempts = attempts + 1, tried = max(tried, ? * (tried = 0))`,
		due.UnixMilli(), withoutAddresses(why), o.now().UnixMilli())
}

// behind lets the other due letters go before this one.
func (o *Outbox) behind(ctx context.Context, id int64) error {
	return o.set(ctx, id, `due = ?`, o.now().UnixMilli())
}

func (o *Outbox) set(ctx context.Context, id int64, what string, args ...any) error {
	if _, err := o.db.ExecContext(ctx, `UPDATE outbox SET `+what+` WHERE id = ?`, append(args, id)...); err != nil {
		return fmt.Errorf("mail queue: letter %d: %w", id, err)
	}
	return nil
}

// Padded sizes of what the queue keeps sealed, in bytes: a letter with a picture, or something short. A letter's length
// would depend on the hand that it shows.
const (
	letterPad = 1 << 16
	shortPad  = 1 << 10
	// subjectPad holds the subject of a thread, which is kept for each person at a table: padded to 1 kB SQLite
	// would give each a page of its own.
	subjectPad = 1 << 8
)

// paddedLetter marks what was padded before sealing.
var paddedLetter = []byte("padded")

func (o *Outbox) close(plain []byte) []byte {
	pad := letterPad
	if len(plain) <= shortPad-4 {
		pad = shortPad
	}
	return o.closeIn(plain, pad)
}

func (o *Outbox) closeIn(plain []byte, pad int) []byte {
	return o.seal.Seal(nil, nil, events.Pad(plain, pad), paddedLetter)
}

// open opens what the queue keeps, padded or from the time before padding.
func (o *Outbox) open(sealed []byte) ([]byte, error) {
	if plain, err := o.seal.Open(nil, nil, sealed, paddedLetter); err == nil {
		if text, ok := events.Unpad(plain); ok {
			return text, nil
		}
		return nil, events.ErrSealed
	}
	plain, err := o.seal.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, events.ErrSealed
	}
	return plain, nil
}
