package main

import (
	"context"

	"posthorn/events/checkpoint"
)

// openCheckpoints opens what signs how the whole log stands.
func (h *house) openCheckpoints(context.Context) error {
	tree, err := checkpoint.Open(h.path(treeFile))
	if err != nil {
		return err
	}
	h.closers = append(h.closers, tree)
	h.checkpoints = &checkpoint.Keeper{Tree: tree, Log: h.log, Keys: h.keys, Path: h.path(checkpointsFile), Told: h.relay.Announce, Alarm: func(err error) {
		h.logger.Error("checkpoint of the log", "error", err)
	}}
	return nil
}
