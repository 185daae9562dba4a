package record

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// ErrReturning is returned for a branch of a game that came here from another server: that server may know less of
// the game, and would then refuse the branch after it is closed here.
var ErrReturning = errors.New(
	"a game that it goes on from came from another server, which may not take the branch of it")

// Returning checks, before a table is handed over, that its next server can take it. It returns ErrReturning if every
// server can except the one that a game it goes on from came from. A table that has already left is only written
// again.
func Returning(ctx context.Context, d *desk.Desk, table events.Name) error {
	look, err := d.Look(ctx, table)
	if err != nil || look.Table.Branch == nil || look.Table.Status == domain.TableEnded {
		return err
	}
	ancestors, err := openAncestors(ctx, d, look.Table)
	if err != nil {
		return err
	}
	to, err := leaves(ctx, d.Log(), look.Table.Branch)
	if err != nil {
		return err
	}
	for _, name := range ancestors {
		before, err := d.Look(ctx, name)
		if err != nil {
			return err
		}
		for _, f := range before.Table.Former {
			key := hex.EncodeToString(f.Key)
			if !knew(f, to[name]) {
				return fmt.Errorf("%w: it goes on from what was played after table %s had come here from the server "+
					"whose receipts are checked with the key %s, which can never take it", ErrReturning, name, key)
			}
			return fmt.Errorf("%w: table %s came from the server whose receipts are checked with the key %s; that "+
				"one must know how it ended first (posthorn export %s here, posthorn import there)", ErrReturning, name,
				key, name)
		}
	}
	return nil
}

// left is where a line was left: a version of a stream.
type left struct {
	stream  events.Name
	version uint64
}

// leaves returns, by table, where a branch leaves the lines of the tables it goes on from.
func leaves(ctx context.Context, log events.Log, b *domain.Branch) (map[events.Name][]left, error) {
	line, err := events.ParseName(b.Line)
	if err != nil {
		return nil, fmt.Errorf("branched line: %w", err)
	}
	s, err := log.Stream(ctx, line)
	if err != nil {
		return nil, fmt.Errorf("branched line %s: %w", line, err)
	}
	chain, err := lineage(ctx, log, s)
	if err != nil {
		return nil, err
	}
	out, version := map[events.Name][]left{}, b.Version
	for _, s := range chain {
		if version > s.Fork { // or the line was left before its own first event
			out[s.Table] = append(out[s.Table], left{s.Name, version})
		}
		version = min(version, s.Fork)
	}
	return out, nil
}

// knew reports whether a former server had all these versions when it gave the table away.
func knew(f domain.FormerServer, all []left) bool {
	had := map[events.Name]uint64{}
	for _, line := range f.Receipts {
		if r, err := events.ParseReceipt(line); err == nil {
			had[r.Stream] = r.Version
		}
	}
	for _, p := range all {
		if p.version > had[p.stream] {
			return false
		}
	}
	return true
}
