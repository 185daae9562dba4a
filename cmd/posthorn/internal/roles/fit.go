package roles

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/copies"
	"posthorn/events/database"
	"posthorn/events/sqlite"
	"posthorn/migrations"
)

// fitness decides whether a server that stands by can read everything the writer wrote, even if the writer runs a newer
// program. A server that cannot keeps its log but leaves writing to others: what it showed would not be what was
// played.
type fitness struct {
	data   string
	newest *newest
	own    bool        // it may fill an empty cluster, and go on from the people and mails of its own folder
	tell   func(error) // takes what hinders the copy

	fetching sync.Mutex     // held by the user of carryDir, possibly for long
	checked  copies.Version // the last copy checked
	found    error          // nil, or the error that a newer program changed it; only for a copy that was checked
	seen     seenSorts

	mu      sync.Mutex // held briefly
	looked  bool       // the log was checked
	unknown string     // what the log has that this program does not know
	whole   bool       // there are people and mails
	newer   string     // why this program cannot open them
	older   string     // why they are not the newest
}

// errNewerWriter says why a server does not take over what it cannot read.
var errNewerWriter = errors.New("a newer program wrote what this one does not know: put that one here")

// lacks returns why this server must not take over, or "" if it may.
func (f *fitness) lacks() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.unknown != "":
		return f.unknown
	case f.newer != "":
		return f.newer
	case f.older != "":
		return f.older
	case !f.whole:
		return "there is no copy of people.db and mail.db"
	case !f.looked:
		return "it has not looked through its log yet"
	}
	return ""
}

// log checks the new events in the log. It returns errNewerWriter if this program does not know all of them.
func (f *fitness) log(ctx context.Context, log *sqlite.Log) error {
	if err := f.seen.catchUp(ctx, f.data, log); err != nil {
		return err
	}
	unknown := strings.Join(f.seen.unknown(), ", ")
	if unknown != "" {
		unknown = fmt.Sprintf("the log has %s, which this program does not know", unknown)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.looked, f.unknown = true, unknown; unknown != "" {
		return fmt.Errorf("%s: %w", unknown, errNewerWriter)
	}
	return nil
}

// copy checks that this program can open the people and mails: those of the newest copy, or this folder's own if they
// are newer.
func (f *fitness) copy(ctx context.Context) error {
	f.fetching.Lock()
	defer f.fetching.Unlock()
	err := f.looksAt(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil:
		f.whole, f.newer, f.older = true, "", ""
	case errors.Is(err, migrations.ErrNewer):
		f.whole, f.newer, f.older = true, err.Error(), ""
	case errors.Is(err, errOlderCopy):
		f.whole, f.newer, f.older = true, "", err.Error()
	case errors.Is(err, copies.ErrNone):
		f.whole, f.newer, f.older = false, "", ""
	}
	return err
}

func (f *fitness) looksAt(ctx context.Context) error {
	mine, newest, err := f.newest.look(ctx)
	alone := errors.Is(err, copies.ErrNone) && f.own
	if err != nil && !alone {
		return err
	}
	if newest == (copies.Version{}) || newest.Begun != f.checked.Begun {
		// the same writer's later copies come from the same program
		dir := f.data // if this server has the newest itself
		if !alone && (mine == 0 || newest.Begun > mine) {
			dir = filepath.Join(f.data, carryDir)
			c, err := fetchedCopy(ctx, f.newest, f.tell) // this proves that it can be fetched; install fetches it again
			if err != nil {
				return err
			}
			newest = c.Version
		}
		err := opensHere(ctx, dir)
		if err != nil && !errors.Is(err, migrations.ErrNewer) {
			return err
		}
		f.checked, f.found = newest, err
	}
	return f.found
}

// opensHere returns an error if this program cannot open one of a folder's databases. It skips missing ones.
func opensHere(ctx context.Context, dir string) error {
	for _, name := range carriedDatabases {
		path := filepath.Join(dir, name)
		if gone, err := folder.Empty(path); err != nil {
			return err
		} else if gone {
			continue
		}
		db, err := database.Connect(path, "query_only(ON)")
		if err == nil {
			err = errors.Join(migrations.Opens(ctx, db, strings.TrimSuffix(name, ".db")), db.Close())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// seenSorts is the set of event sorts in a log, up to a position. It is kept in a file, because reading ten million
// events takes ten seconds. A file that is damaged or about another log is ignored.
type seenSorts struct {
	At    uint64        `json:"at"`
	Hash  events.Hash   `json:"hash"` // of the event at that position
	Sorts []events.Sort `json:"sorts"`
	noted uint64        // up to where the file goes
	begun bool
}

const (
	seenFile  = "sorts.json"
	seenEvery = 100_000 // events between two writes of the file
)

// catchUp reads the part of the log that it has not seen yet.
func (s *seenSorts) catchUp(ctx context.Context, data string, log *sqlite.Log) error {
	last, err := log.Last(ctx)
	if err != nil {
		return fmt.Errorf("look through the log: %w", err)
	}
	if !s.begun {
		*s = seenSorts{}
		if b, err := os.ReadFile(filepath.Join(data, seenFile)); err == nil && json.Unmarshal(b, s) != nil {
			*s = seenSorts{}
		}
		s.begun, s.noted = true, s.At
	}
	if s.At > 0 && s.At <= last {
		at, err := log.Read(ctx, s.At-1, 1)
		if err != nil {
			return fmt.Errorf("look through the log: %w", err)
		}
		if len(at) == 0 || at[0].Hash != s.Hash {
			*s = seenSorts{begun: true}
		}
	}
	if s.At > last {
		*s = seenSorts{begun: true}
	}
	if s.At == last {
		return nil
	}
	more, err := log.Sorts(ctx, s.At)
	if err != nil {
		return fmt.Errorf("look through the log: %w", err)
	}
	end, err := log.Read(ctx, last-1, 1)
	if err != nil || len(end) == 0 {
		return fmt.Errorf("look through the log at %d: %w", last, err)
	}
	for _, sort := range more {
		if !slices.Contains(s.Sorts, sort) {
			s.Sorts = append(s.Sorts, sort)
		}
	}
	s.At, s.Hash = last, end[0].Hash
	if s.At-s.noted >= seenEvery || s.noted > s.At {
		s.noted = s.At
		return s.note(data)
	}
	return nil
}

// note writes the file.
func (s *seenSorts) note(data string) error {
	if err := folder.Note(filepath.Join(data, seenFile), s); err != nil {
		return fmt.Errorf("note what the log has: %w", err)
	}
	return nil
}

// unknown lists the sorts that this program does not know.
func (s *seenSorts) unknown() (out []string) {
	for _, sort := range s.Sorts {
		if !events.Known(sort, rulebooks.Named) {
			out = append(out, sort.String())
		}
	}
	slices.Sort(out)
	return out
}
