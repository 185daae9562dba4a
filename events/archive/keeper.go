package archive

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/record"
)

// Keeper puts a house's finished games into a folder, continuing from its last place in the log.
type Keeper struct {
	Desk   *desk.Desk
	Named  func(string) (domain.Rulebook, bool)
	Folder Folder
	// Kept is called for each game put there, with its size in bytes; Failed for each that cannot be kept as it
	// stands in the log, with the reason. The next Keeper tries a failed one again.
	Kept   func(table events.Name, size int)
	Failed func(table events.Name, err error)
}

// noted is how many events without a game may pass before that is noted.
const noted = 100_000

// Follow keeps the games in the log, and then those that end, until the context does.
func (k *Keeper) Follow(ctx context.Context, f events.Follower) error {
	return k.follow(ctx, func(after uint64, handle func(context.Context, desk.Batch) error) error {
		return k.Desk.FollowInBatches(ctx, f, after, nil, handle)
	})
}

// CatchUp keeps the games that have ended so far.
func (k *Keeper) CatchUp(ctx context.Context) error {
	return k.follow(ctx, func(after uint64, handle func(context.Context, desk.Batch) error) error {
		_, err := k.Desk.CatchUp(ctx, after, handle)
		return err
	})
}

func (k *Keeper) follow(ctx context.Context, run func(uint64, func(context.Context, desk.Batch) error) error) error {
	at, err := k.Folder.upTo(ctx, k.Desk)
	if err != nil {
		return err
	}
	reached, failed := at, false
	err = run(at, func(ctx context.Context, b desk.Batch) error {
		some, whole, err := k.take(ctx, b)
		if err != nil {
			return err
		}
		if failed = failed || !whole; failed {
			return nil // the next run starts before it
		}
		if reached = b.Pos; some || reached-at >= noted {
			at = reached
			return k.Folder.note(ctx, k.Desk, at)
		}
		return nil
	})
	if reached > at && err == nil {
		err = k.Folder.note(ctx, k.Desk, reached)
	}
	return err
}

// take keeps the games that a stretch of the log ends. some says that there was one, and whole that each was kept.
func (k *Keeper) take(ctx context.Context, b desk.Batch) (some, whole bool, err error) {
	whole = true
	for i := range b.Done {
		if !opens(b.Done[i].Type) {
			continue
		}
		table := b.Done[i].Stream
		there, err := k.Folder.Has(table)
		if err != nil {
			return some, whole, err
		}
		if there {
			continue
		}
		packed, err := k.pack(ctx, table)
		if ctx.Err() != nil || events.Unstored(err) {
			return some, whole, fmt.Errorf("archive table %s: %w", table, err)
		}
		if err != nil {
			whole = false
			k.Failed(table, err)
			continue
		}
		if packed == nil {
			continue
		}
		if err := k.Folder.Put(table, packed); err != nil {
			return some, whole, err
		}
		some = true
		k.Kept(table, len(packed))
	}
	return some, whole, nil
}

// opens reports whether an event of this type opens the secrets of a table that is over.
func opens(typ string) bool {
	e, _ := domain.NewTableEvent(typ)
	_, unsealed := e.(*domain.Unsealed)
	return unsealed || desk.Ends(typ)
}

// pack makes a table's file, or none if the table is not a finished game, or its secrets are still shut.
func (k *Keeper) pack(ctx context.Context, table events.Name) (packed []byte, err error) {
	err = k.Desk.Guard(table, func() error {
		look, err := k.Desk.Glance(ctx, table)
		if err != nil || !Wanted(look.Table) {
			return err
		}
		var text bytes.Buffer
		if err := record.Export(ctx, k.Desk, table, domain.Referee, time.Now(), &text); err != nil {
			return err
		}
		f, err := record.Read(bytes.NewReader(text.Bytes()))
		if err != nil {
			return err
		}
		if _, err := record.Verify(f, k.Named); err != nil {
			return err
		}
		packed, err = Pack(text.Bytes())
		return err
	})
	return packed, err
}

// Wanted reports whether a table is archived: it is a game that started, that is over, here or where it was handed
// over to, and that hides nothing any more. Studies and puzzles are not games of anybody against somebody.
func Wanted(t *domain.Table) bool {
	return t.IsOver() && t.Open() && len(t.Lines) > 0 && (t.Branch == nil || t.Branch.Kind == kindGame)
}

// kindGame is the kind of branch that is played like any other game.
const kindGame = "game"
