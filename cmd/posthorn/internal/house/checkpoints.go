package house

import (
	"context"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/events/checkpoint"
)

// openCheckpoints opens the keeper that signs the state of the whole log.
func (h *House) openCheckpoints(context.Context) error {
	tree, err := checkpoint.Open(h.Path(folder.TreeFile))
	if err != nil {
		return err
	}
	h.Closers = append(h.Closers, tree)
	h.Checkpoints = &checkpoint.Keeper{Tree: tree, Log: h.Log, Keys: h.Keys, Path: h.Path(folder.CheckpointsFile),
		Told: h.announce, Alarm: func(err error) {
			h.Logger.Error("checkpoint of the log", "error",
				folder.Explain(context.Background(), h.Config.Data, folder.CheckpointsFile, err))
		}}
	return nil
}
