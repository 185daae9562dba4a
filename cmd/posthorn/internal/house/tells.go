package house

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
)

// Tells prints the address of the house for the person who started it.
func (h *House) LogNews(con console.Console) {
	fmt.Fprintf(con.Out, "\n  Posthorn is at   %s/\n", h.Config.PublicURL)
	if h.Mailbox != nil {
		fmt.Fprintf(con.Out, "  The mailbox at   %s/mailbox\n", h.Config.PublicURL)
	}
	fmt.Fprintf(con.Out, "  Its data is in   %s\n\n  Press Ctrl-C to stop.\n\n", h.Config.Data)
}

// Within opens a house without serving it, and runs do in it.
func Within(ctx context.Context, data string, do func(context.Context, *House) error) (err error) {
	h, err := Open(ctx, Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	return do(ctx, h)
}
