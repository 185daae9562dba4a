package mail_test

import (
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/record"
	"posthorn/mail"
)

// Given a table that is handed over to a server whose address is known, then everybody who holds a seat is mailed where
// it goes on, with a link of their own there, and nobody that the game is over.
func TestEverybodyIsMailedWhereATableGoesOn(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "pl")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	before := len(out.taken())
	there, err := events.NewKeys([32]byte{9})
	require.NoError(t, err)
	key, err := record.PublicKey(there)
	require.NoError(t, err)
	key, err = record.KeyAt(key, "https://games.example.net/")
	require.NoError(t, err)
	require.NoError(t, record.Handover(h.Ctx, h.Desk, table, key, time.Now(), io.Discard))

	h.notify()
	require.NoError(t, h.send(out))
	mails := out.taken()[before:]
	require.Len(t, mails, 2)
	// What the other server reads the links with: the former server's key, as its history there has it.
	arrived := domain.Table{Places: h.Sees(table).Table.Places,
		Former: []domain.FormerServer{{Key: h.Desk.Keys().PublicKey()}}}
	for _, m := range mails {
		p := parts(t, mail.Message{Raw: []byte(m.message)})
		seat, who, says, name := domain.Seat(0), ana, "The game goes on at games.example.net.", "Ana"
		if m.to == "bo@example.org" {
			seat, who, says, name = 1, bo, "Gra toczy się dalej na serwerze games.example.net.", "Bo"
		}
		require.Contains(t, p.Text, says)
		require.NotContains(t, p.Text, "The game is over")
		link := regexp.MustCompile(`https://games\.example\.net/\S+`).
			FindString(strings.ReplaceAll(p.Text, "\r\n", "\n"))
		u, err := url.Parse(link)
		require.NoError(t, err)
		claim, ok := strings.CutPrefix(u.Path, "/t/"+table.String()+"/claim/")
		require.True(t, ok, p.Text)
		at, was, err := events.ReadClaim(&arrived, table, claim)
		require.NoError(t, err)
		require.Equal(t, seat, at)
		require.Equal(t, who, was)
		require.Equal(t, name, u.Query().Get("name"))
	}
}
