package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
)

// tells says where the house is, to who started it.
func (h *house) tells(con console) {
	fmt.Fprintf(con.out, "\n  Posthorn is at   %s/\n", h.cfg.PublicURL)
	if h.mailbox != nil {
		fmt.Fprintf(con.out, "  The mailbox at   %s/mailbox\n", h.cfg.PublicURL)
	}
	fmt.Fprintf(con.out, "  Its data is in   %s\n\n  Press Ctrl-C to stop.\n\n", h.cfg.Data)
}

// inHouse does something in a house that is not served.
func inHouse(data string, do func(context.Context, *house) error) (err error) {
	ctx := context.Background()
	h, err := openHouse(ctx, houseSettings{dataSettings: dataSettings{Data: data}, Listen: "127.0.0.1:0", From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	return do(ctx, h)
}
