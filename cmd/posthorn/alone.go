package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func serveHouse(cfg houseSettings, con console, first func(context.Context, *house) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	thrift(ctx)
	logger := cfg.logger(con)
	h, err := openHouse(ctx, cfg, logger)
	if err != nil {
		return err
	}
	defer func() {
		if err := h.Close(); err != nil {
			logger.Error("close", "error", err)
		}
	}()
	if first != nil {
		if err := first(ctx, h); err != nil {
			return fmt.Errorf("the sample game: %w", err)
		}
	}
	h.tells(con)
	return h.serve(ctx)
}
