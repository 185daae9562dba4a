package house

import (
	"context"
	"time"

	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/archive"
)

// archiveRest is the pause between attempts while the archive's folder cannot be written.
const archiveRest = time.Minute

// archives writes each finished game to the archive. A problem with the folder is logged once and does not stop play:
// games that end meanwhile are written once the folder is back.
func (h *House) archives(ctx context.Context) error {
	k := &archive.Keeper{Desk: h.Desk, Named: rulebooks.Named, Folder: archive.Folder(h.Config.Archive),
		Kept: func(events.Name, int) {},
		Failed: func(table events.Name, err error) {
			h.Logger.Error("a finished game cannot be archived as it stands in the log; it is tried "+
				"again after the next start", "table", table.String(), "error", err)
		}}
	told := ""
	for {
		err := k.Follow(ctx, h.Follower)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && err.Error() != told {
			told = err.Error()
			h.Logger.Error("the archive cannot be written; it is tried again every minute", "folder", h.Config.Archive,
				"error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(archiveRest):
		}
	}
}
