package inbound_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain/rulebooks"
	"posthorn/mail"
	"posthorn/mail/inbound"
)

// The doctor's answer is read as any other, and its move is played, at a table that leaves nothing behind; a mail that
// somebody on its way has changed is not.
func TestTheDoctorsAnswerIsPlayed(t *testing.T) {
	p := newPost(t)
	address := mail.NewReturnAddress("games@games.example.org", p.Keys())
	to := address.Try([4]byte{1, 2, 3, 4})
	raw, err := mail.TestAnswer("settle 0 road 0")("games@games.example.org", to, p.now.Now())
	require.NoError(t, err)
	var unplayed []string
	tried := &inbound.Tried{Address: address, Checker: p.door.Checker, Keys: p.Keys(), Named: rulebooks.Named,
		Game: "catan", Log: slog.New(slog.DiscardHandler), Note: func(mark string, _ bool, why string) error {
			require.Equal(t, "01020304", mark)
			unplayed = append(unplayed, why)
			return nil
		}}
	require.True(t, tried.Takes(to))
	before, err := p.Log().Last(p.Ctx)
	require.NoError(t, err)
	require.NoError(t, tried.Handle(p.Ctx, to, "", raw))
	require.NoError(t, tried.Handle(p.Ctx, to, "", bytes.ReplaceAll(raw, []byte("settle 0"), []byte("settle 99"))))
	require.NoError(t, tried.Handle(p.Ctx, to, "", []byte("From: a@example.org\r\nSubject: x\r\n\r\n> settle 13\r\n")))
	require.Empty(t, unplayed[0])
	require.NotEmpty(t, unplayed[1])
	require.Equal(t, "no line of it can be a move", unplayed[2])
	after, err := p.Log().Last(p.Ctx)
	require.NoError(t, err)
	require.Equal(t, before, after)
}
