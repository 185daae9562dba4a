package house

import (
	"context"
	"time"

	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/archive"
)

// archiveRest is how long the archive waits where its folder cannot be written.
const archiveRest = time.Minute

// archives writes each game that ends to the archive. What is wrong with the folder is told once each time and keeps nobody from
// playing: what has ended meanwhile is written when it is there again.
func (h *House) archives(ctx context.Context) error {
	k := &archive.Keeper{Desk: h.Desk, Named: rulebooks.Named, Folder: archive.Folder(h.Config.Archive), Kept: func(events.Name, int) {},
		Failed: func(table events.Name, err error) {
			h.Logger.Error("a finished game cannot be archived as it stands in the log; it is tried again after the next start", "table", table.String(), "error", err)
		}}
	told := ""
	for {
		err := k.Follow(ctx, h.Follower)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && err.Error() != told {
			told = err.Error()
			h.Logger.Error("the archive cannot be written; it is tried again every minute", "folder", h.Config.Archive, "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(archiveRest):
		}
	}
}
