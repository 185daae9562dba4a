package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"posthorn/events"
	"posthorn/events/people"
	"posthorn/events/sqlite"
)

// The files of a data folder belong together. A file that is missing or from another house is never recreated beside
// the others: the start fails, and the error says how to go on.
var (
	ErrLostLog = errors.New(`events.db is gone or empty, but people.db knows people who played in it. ` +
		`Put it back from your backup, or, if NATS still has its copy of the log, run "posthorn restore-from-nats"`)
	ErrLostPeople = errors.New(`people.db is gone or empty, but events.db holds tables of people. Put it back from your backup. ` +
		`If there is none, start once with --new-people: all accounts are gone then, and players take their seats again by the links that "posthorn claims" prints`)
	ErrOtherKey = errors.New(`server.key is not the one that events.db was written with: its secrets cannot be read, and tables would break. ` +
		`Put the right one back from your backup`)
	ErrOtherHouse = errors.New(`events.db and people.db are of different houses, or one of them was made anew: put those back that belong together`)
)

// OpenEvents opens the log of a data folder for writing, after checking that it belongs to people.db and server.key. A
// log or people.db that does not name its house yet does so from then on.
func OpenEvents(ctx context.Context, data string, keys *events.Keys, newPeople bool) (log *sqlite.Log, err error) {
	path := filepath.Join(data, "events.db")
	gone, err := Empty(path)
	if err != nil {
		return nil, Explain(ctx, data, "events.db", err)
	}
	if gone {
		if err := nobodyPlayed(ctx, data, keys); err != nil {
			return nil, err
		}
	}
	if log, err = sqlite.Open(ctx, path); err != nil {
		return nil, Explain(ctx, data, "events.db", err)
	}
	if err := belongs(ctx, data, log, keys, newPeople); err != nil {
		return nil, errors.Join(Explain(ctx, data, "events.db", err), log.Close())
	}
	return log, nil
}

// Together checks, without writing anything, that people.db belongs to a log that was opened for reading.
func Together(ctx context.Context, data string, offline Offline) error {
	house, known, err := offline.Log.Owner(ctx)
	if err != nil {
		return Explain(ctx, data, "events.db", err)
	}
	return WithPeople(ctx, data, offline.Desk.Keys(), false, func(store *people.Store) error {
		name, named, err := store.LogName(ctx)
		if err == nil && named && known && name != house.Name {
			return ErrOtherHouse
		}
		return err
	})
}

// HouseName returns the name by which the other files of a data folder know its log. known is false if there is no log,
// or none that says.
func HouseName(ctx context.Context, data string) (name events.Name, known bool, err error) {
	path := filepath.Join(data, "events.db")
	if gone, err := Empty(path); err != nil || gone {
		return name, false, Explain(ctx, data, "events.db", err)
	}
	log, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		return name, false, Explain(ctx, data, "events.db", err)
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	house, known, err := log.Owner(ctx)
	return house.Name, known, Explain(ctx, data, "events.db", err)
}

// Empty reports whether a file is missing or empty. It returns an error for anything that is not a file.
func Empty(path string) (bool, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("look at %s: %w", path, err)
	case !st.Mode().IsRegular():
		return false, fmt.Errorf("%s is not a file", path)
	}
	return st.Size() == 0, nil
}

// WithPeople runs do with people.db. If there is none, it does nothing, unless make is set.
func WithPeople(ctx context.Context, data string, keys *events.Keys, make bool,
	do func(*people.Store) error) (err error) {
	path := filepath.Join(data, "people.db")
	if gone, err := Empty(path); err != nil || gone && !make {
		return Explain(ctx, data, "people.db", err)
	}
	store, err := people.Open(ctx, path, keys, people.Options{})
	if err != nil {
		return Explain(ctx, data, "people.db", err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return Explain(ctx, data, "people.db", do(store))
}

// nobodyPlayed returns an error rather than let a new log begin beside people who played in another.
func nobodyPlayed(ctx context.Context, data string, keys *events.Keys) error {
	return WithPeople(ctx, data, keys, false, func(store *people.Store) error {
		_, named, err := store.LogName(ctx)
		if err != nil {
			return err
		}
		if anybody, err := store.Anybody(ctx); err != nil || named || anybody {
			return errors.Join(err, ErrLostLog)
		}
		return nil
	})
}

// belongs checks that the log, the key and the people belong to one house.
func belongs(ctx context.Context, data string, log *sqlite.Log, keys *events.Keys, newPeople bool) error {
	house, known, err := log.Owner(ctx)
	if err != nil {
		return err
	}
	if err := Opens(ctx, log, keys, house, known); err != nil {
		return err
	}
	last, err := log.Last(ctx)
	if err != nil {
		return err
	}
	lost, err := Empty(filepath.Join(data, "people.db"))
	if err != nil {
		return Explain(ctx, data, "people.db", err)
	}
	if lost && last > 0 && !newPeople {
		return ErrLostPeople
	}
	return WithPeople(ctx, data, keys, true, func(store *people.Store) error {
		name, named, err := store.LogName(ctx)
		if err != nil {
			return err
		}
		anybody, err := store.Anybody(ctx)
		switch {
		case err != nil:
			return err
		case named && known && name != house.Name && last == 0:
			return ErrLostLog
		case named && known && name != house.Name:
			return ErrOtherHouse
		case named && !known && last == 0:
			return ErrLostLog
		case !named && !anybody && last > 0 && !newPeople:
			return ErrLostPeople
		}
		if !known {
			if !named {
				name = events.NewName()
			}
			house = sqlite.Owner{Name: name, Key: keys.Fingerprint()}
			if err := log.SetOwner(ctx, house); err != nil {
				return err
			}
		}
		if named {
			return nil
		}
		return store.SetLogName(ctx, house.Name)
	})
}

// Opens returns an error if the key is not the log's. For a log from before fingerprints, the key must open the first
// secret part that it seals.
func Opens(ctx context.Context, log *sqlite.Log, keys *events.Keys, house sqlite.Owner, known bool) error {
	if known {
		if house.Key != keys.Fingerprint() {
			return ErrOtherKey
		}
		return nil
	}
	for pos := uint64(0); ; {
		recs, err := log.Read(ctx, pos, 256)
		if err != nil || len(recs) == 0 {
			return err
		}
		for i := range recs {
			for n := range recs[i].Parts {
				if len(recs[i].Parts[n].Sealed) == 0 {
					continue
				}
				if _, _, err := keys.Unseal(&recs[i], n); err != nil {
					return fmt.Errorf("%w (%w)", ErrOtherKey, err)
				}
				return nil
			}
		}
		pos = recs[len(recs)-1].Pos
	}
}
