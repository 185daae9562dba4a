package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	lib "modernc.org/sqlite/lib"

	"posthorn/events"
	"posthorn/events/checkpoint"
	"posthorn/events/database"
	"posthorn/events/sqlite"
	"posthorn/mail"
	"posthorn/migrations"
)

// FaultKind is what is wrong with a file of a data folder.
type FaultKind string

// The kinds.
const (
	faultDamaged    FaultKind = "damaged"    // it does not hold together
	faultUnreadable FaultKind = "unreadable" // the program's user may not open it
	faultMissing    FaultKind = "missing"
	faultForeign    FaultKind = "foreign" // it is of another house
	faultNewer      FaultKind = "newer"   // a newer program changed it
	faultDisk       FaultKind = "disk"    // the disk is full or fails
	faultOpen       FaultKind = "open"    // other users of the machine may read it
)

// Fault is something wrong with a file of a data folder. Its text is a sentence for the host, with what to do.
type Fault struct {
	File string
	Kind FaultKind
	Text string
	Err  error // how it was noticed; may be nil
}

func (f *Fault) Error() string { return f.Text }

// Unwrap returns how the fault was noticed.
func (f *Fault) Unwrap() error { return f.Err }

// Grave reports whether the house cannot be relied on while the fault lasts.
func (f *Fault) Grave() bool { return f.Kind != faultOpen }

// remedies say what to do about a file that cannot be used. Those that are made anew by themselves are not among them.
var remedies = map[string]string{
	"server.key": `Put it back from your backup: nothing can replace it`,
	"events.db": `Put it back from your backup; or, if NATS still has its copy of the log, move it (with its -wal and -shm) away ` +
		`and run "posthorn restore-from-nats"`,
	"people.db": `Put it back from your backup: nothing else knows who everybody is. If there is none, move it (with its -wal ` +
		`and -shm) away and start once with --new-people`,
	"mail.db": `Put it back from your backup; or move it (with its -wal and -shm) away and start once with --remind: ` +
		`a new one is made, and everybody is written to about what is open. Nothing of a game is in it`,
	CheckpointsFile: `Put it back from your backup; or move it away, and a new one begins: what was signed before can then be shown ` +
		`only by those who kept it`,
	"mailbox": `Move it away, and a new one is made: it holds only mails that were caught`,
}

// missing are the sentences about files that should be there and are not, or are empty.
var missing = map[string]string{
	"events.db": ErrLostLog.Error(),
	"people.db": ErrLostPeople.Error(),
	"mail.db": `mail.db is missing. Put it back from your backup; or start once with --remind: a new one is made, and everybody is ` +
		`written to about what is open`,
}

// schemas are the databases by the names of their migrations.
var schemas = map[string]string{"events.db": "events", "people.db": "people", "mail.db": "mail"}

// Explain turns an error about a file of a data folder into a [Fault] that says what to do. It returns any other error
// as it is.
func Explain(ctx context.Context, data, name string, err error) error {
	if err == nil || ctx.Err() != nil || errors.As(err, new(*Fault)) {
		return err
	}
	path := filepath.Join(data, name)
	fault := func(kind FaultKind, format string, a ...any) error {
		return &Fault{File: name, Kind: kind, Text: fmt.Sprintf(format, a...), Err: err}
	}
	switch closed := mayOpen(path); {
	case errors.Is(err, migrations.ErrNewer):
		return fault(faultNewer, `%s was changed by a newer Posthorn, in a way that this one cannot work with; nothing was changed now. `+
			`Start the newer program again. To stay with this one, move the folder away and put back the backup that was made before `+
			`the upgrade ("posthorn restore"): what was played since then is not in it (%v)`, name, err)
	case errors.Is(err, mail.ErrOtherHouse):
		return fault(faultForeign, `mail.db is of another house: its letters are not sent, and nothing was changed in it. Put back the one `+
			`that belongs to this events.db. If there is none, move it (with its -wal and -shm) away and start once with --remind: `+
			`a new one is made, and everybody is written to about what is open`)
	case errors.Is(err, ErrOtherKey):
		return fault(faultForeign, "%v", ErrOtherKey)
	case errors.Is(err, checkpoint.ErrNotOurs):
		return fault(faultForeign, `%s is of another house. %s (%v)`, name, remedies[name], err)
	case errors.Is(err, checkpoint.ErrNotNotes):
		return fault(faultDamaged, `%s is damaged. %s`, name, remedies[name])
	case errors.Is(err, checkpoint.ErrLost):
		return fault(faultMissing, "%v", err)
	case missing[name] != "" && (errors.Is(closed, fs.ErrNotExist) || errors.Is(err, errEmpty)):
		return fault(faultMissing, "%s", missing[name])
	case closed != nil || errors.Is(err, fs.ErrPermission):
		return fault(faultUnreadable, `%s cannot be opened: give it back to the user that the program runs as (chown, and chmod 600). `+
			`If it is no file any more: %s (%v)`, path, lower(remedies[name]), errors.Join(err, closed))
	case damaged(ctx, path, err):
		return fault(faultDamaged, `%s is damaged. %s (%v)`, name, remedies[name], err)
	case events.Unstored(err):
		return fault(faultDisk, `%s cannot be written: the disk is full, read-only or failing. Make room, or look at the system's log (%v)`,
			path, err)
	}
	return err
}

func lower(sentence string) string {
	if sentence == "" {
		return "move it away"
	}
	return string(sentence[0]|0x20) + sentence[1:]
}

var errEmpty = errors.New("the file is empty")

// mayOpen returns why this user cannot open a file, without opening it: that would end SQLite's locks on it.
func mayOpen(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if folder := filepath.Base(path) == "mailbox"; st.IsDir() != folder || !folder && !st.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a folder of the house's", path)
	}
	return mayAccess(path)
}

// damaged reports whether err comes from a damaged file; SQLite's error alone does not always say so.
func damaged(ctx context.Context, path string, err error) bool {
	if database.Damaged(err) {
		return true
	}
	var coded interface{ Code() int }
	if !errors.As(err, &coded) || coded.Code()&0xff == lib.SQLITE_CANTOPEN {
		return false // not from a database that was opened
	}
	return database.Damaged(database.Check(ctx, path))
}

// Examine reads through the files that a house cannot do without, also while it is served, and returns what is wrong
// with them. It changes nothing. Of a folder without a house it has nothing to say.
func Examine(ctx context.Context, data string) (out []*Fault, err error) {
	if _, err := os.Stat(filepath.Join(data, "events.db")); err != nil {
		if _, err := os.Stat(filepath.Join(data, "people.db")); err != nil {
			return nil, nil
		}
	}
	add := func(name string, err error) error {
		if f := (*Fault)(nil); errors.As(Explain(ctx, data, name, err), &f) {
			out = append(out, f)
			return nil
		}
		return err
	}
	out = append(out, readable(data)...)
	keys, failed := ReadKey(data)
	err = add("server.key", failed)
	if failed == nil {
		failed = otherKey(ctx, data, keys)
		err = errors.Join(err, add("server.key", failed))
	}
	if failed == nil {
		err = errors.Join(err, add(CheckpointsFile,
			checkpoint.Inspect(filepath.Join(data, CheckpointsFile), keys.PublicKey())))
	}
	for _, name := range KeptDatabases {
		err = errors.Join(err, add(name, examine(ctx, filepath.Join(data, name), schemas[name])))
	}
	return out, err
}

// otherKey returns an error if the log was written with another key. Whatever else is wrong with the log it leaves
// alone.
func otherKey(ctx context.Context, data string, keys *events.Keys) error {
	path := filepath.Join(data, "events.db")
	if mayOpen(path) != nil {
		return nil
	}
	log, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		return nil
	}
	house, known, err := log.Owner(ctx)
	if err == nil && known {
		err = Opens(ctx, log, keys, house, known)
	}
	if err = errors.Join(err, log.Close()); errors.Is(err, ErrOtherKey) {
		return err
	}
	return nil
}

// examine reads a database through.
func examine(ctx context.Context, path, schema string) (err error) {
	if err := mayOpen(path); err != nil {
		return err
	}
	if gone, err := Empty(path); err != nil || gone {
		return errors.Join(err, errEmpty)
	}
	db, err := database.Connect(path, "query_only(ON)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := migrations.Opens(ctx, db, schema); err != nil {
		return err
	}
	return database.Sound(ctx, db)
}

// readable lists what other users of this machine may read but must not.
func readable(data string) (out []*Fault) {
	if runtime.GOOS == "windows" {
		return nil // its files have no such modes
	}
	names := []string{"server.key", "dkim-rsa.pem", "dkim-ed25519.pem"}
	if st, err := os.Stat(data); err == nil && st.Mode().Perm()&0o077 != 0 {
		names = append(names, KeptDatabases...) // in a closed folder nobody else gets at them
		out = append(out, &Fault{File: data, Kind: faultOpen,
			Text: fmt.Sprintf("other users of this machine can look into the folder %s (its mode is %v): chmod 700 %s",
				data, st.Mode().Perm(), data)})
	}
	for _, name := range names {
		path := filepath.Join(data, name)
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && st.Mode().Perm()&0o077 != 0 {
			out = append(out, &Fault{File: name, Kind: faultOpen,
				Text: fmt.Sprintf("other users of this machine can read %s (its mode is %v): chmod 600 %s", path,
					st.Mode().Perm(), path)})
		}
	}
	return out
}
