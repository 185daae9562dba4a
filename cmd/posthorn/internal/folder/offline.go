package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/sqlite"
)

// Offline is the log and its desk, without the rest of the house.
type Offline struct {
	Log  *sqlite.Log
	Desk *desk.Desk
}

// OpenOffline opens the log of a data folder, for writing or only for reading, after checking that the key belongs to
// the log. Close its Log.
func OpenOffline(ctx context.Context, data string, write bool) (Offline, error) {
	if _, err := os.Stat(filepath.Join(data, "events.db")); errors.Is(err, os.ErrNotExist) {
		return Offline{}, fmt.Errorf("there is no house in %s (name its folder with --data): %w", data, err)
	}
	if _, err := Empty(filepath.Join(data, "events.db")); err != nil {
		return Offline{}, Explain(ctx, data, "events.db", err)
	}
	keys, err := ServerKeys(data)
	if err != nil {
		return Offline{}, err
	}
	if write {
		log, err := OpenEvents(ctx, data, keys, false)
		if err != nil {
			return Offline{}, err
		}
		return Offline{log, desk.NewDesk(log, keys, rulebooks.Named, time.Now)}, nil
	}
	log, err := sqlite.OpenReadOnly(ctx, filepath.Join(data, "events.db"))
	if err != nil {
		return Offline{}, Explain(ctx, data, "events.db", err)
	}
	house, known, err := log.Owner(ctx)
	if err == nil {
		err = Opens(ctx, log, keys, house, known)
	}
	if err != nil {
		return Offline{}, errors.Join(Explain(ctx, data, "events.db", err), log.Close())
	}
	return Offline{log, desk.NewDesk(log, keys, rulebooks.Named, time.Now)}, nil
}

// WhileOffline runs do at the desk of a house that is not running.
func WhileOffline(ctx context.Context, data string, write bool, do func(Offline) error) (err error) {
	offline, err := OpenOffline(ctx, data, write)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, offline.Log.Close()) }()
	return do(offline)
}

// AtTable runs do with one table of a house that is not running.
func AtTable(ctx context.Context, data, table string, write bool, do func(Offline, events.Name) error) error {
	return WhileOffline(ctx, data, write, func(offline Offline) error {
		name, err := events.ParseName(table)
		if err != nil {
			return fmt.Errorf("table %q: %w", table, err)
		}
		return do(offline, name)
	})
}

// TablesOf lists every table of a log, in the order they were opened.
func TablesOf(ctx context.Context, log events.Log) ([]events.Name, error) {
	var out []events.Name
	for pos := uint64(0); ; {
		recs, err := log.Read(ctx, pos, 4096)
		if err != nil || len(recs) == 0 {
			return out, err
		}
		for i := range recs {
			if recs[i].Version == 1 && strings.HasPrefix(recs[i].Type, "table.opened.") {
				out = append(out, recs[i].Stream)
			}
		}
		pos = recs[len(recs)-1].Pos
	}
}
