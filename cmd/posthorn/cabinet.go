package main

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
	"posthorn/events/sqlite"
)

// cabinet is the log with the desk before it, without the rest of the house.
type cabinet struct {
	log  *sqlite.Log
	desk *events.Desk
}

func openCabinet(ctx context.Context, data string, write bool) (cabinet, error) {
	if _, err := os.Stat(filepath.Join(data, "events.db")); err != nil {
		return cabinet{}, fmt.Errorf("there is no house in %s (name its folder with --data): %w", data, err)
	}
	if _, err := empty(filepath.Join(data, "events.db")); err != nil {
		return cabinet{}, err
	}
	keys, err := serverKeys(data)
	if err != nil {
		return cabinet{}, err
	}
	if write {
		log, err := openEvents(ctx, data, keys, false)
		if err != nil {
			return cabinet{}, err
		}
		return cabinet{log, events.NewDesk(log, keys, rulebooks.Named, time.Now)}, nil
	}
	log, err := sqlite.OpenReadOnly(ctx, filepath.Join(data, "events.db"))
	if err != nil {
		return cabinet{}, err
	}
	house, known, err := log.House(ctx)
	if err = errors.Join(err, opens(ctx, log, keys, house, known)); err != nil {
		return cabinet{}, errors.Join(err, log.Close())
	}
	return cabinet{log, events.NewDesk(log, keys, rulebooks.Named, time.Now)}, nil
}

// inCabinet does something at the desk of a house that is not running.
func inCabinet(ctx context.Context, data string, write bool, do func(cabinet) error) (err error) {
	cab, err := openCabinet(ctx, data, write)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cab.log.Close()) }()
	return do(cab)
}

// atTable does something with one table of a house that is not running.
func atTable(ctx context.Context, data, table string, write bool, do func(cabinet, events.Name) error) error {
	return inCabinet(ctx, data, write, func(cab cabinet) error {
		name, err := events.ParseName(table)
		if err != nil {
			return fmt.Errorf("table %q: %w", table, err)
		}
		return do(cab, name)
	})
}

// tablesOf lists every table of a log, in the order they were opened.
func tablesOf(ctx context.Context, log events.Log) ([]events.Name, error) {
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
