package roles

import (
	"context"
	"fmt"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
)

// Alone serves a house that no other server keeps, until it is told to stop. It runs first, unless that is nil, before
// it serves.
func Alone(ctx context.Context, cfg house.Settings, con console.Console,
	first func(context.Context, *house.House) error) error {
	house.LimitMemory(ctx, cfg)
	logger := cfg.Logger(con)
	h, err := house.Open(ctx, cfg, logger)
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
	h.LogNews(con)
	return h.Serve(ctx)
}
