package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
)

// hands is a transport that answers every letter the same way.
type hands struct {
	mu   sync.Mutex
	says error
	got  []string
}

func (h *hands) Send(_ context.Context, _, _ string, message []byte) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = append(h.got, string(message))
	return "2.0.0 kept", h.says
}

var noSuchPerson = &mail.Verdict{Step: "recipient",
	Answer: &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "<bo@example.org> unknown"}}

// posting sends everything that a house has to mail through a transport, once, and closes the house. It returns the
// table that the mail is about.
func posting(t *testing.T, data string, to *hands) events.Name {
	t.Helper()
	ctx := context.Background()
	h, err := house.Open(ctx, house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	tables, err := folder.TablesOf(ctx, h.Log)
	require.NoError(t, err)
	require.Len(t, tables, 1)
	_, err = h.Desk.Advance(ctx, tables[0])
	require.NoError(t, err)
	wanted, err := (&mail.Notifier{Desk: h.Desk, Outbox: h.Outbox}).Wanted(ctx, tables...)
	require.NoError(t, err)
	require.Len(t, wanted, 1)
	require.NoError(t, h.Outbox.Want(ctx, 0, wanted...))
	h.Sender.Transport = to
	require.NoError(t, h.Sender.Flush(ctx))
	return tables[0]
}

// tells runs a sub-command and returns its output and exit status.
func tells(args ...string) (out string, status int) {
	var b bytes.Buffer
	status = run(context.Background(), args, console.Console{Out: &b, Err: &b})
	return b.String(), status
}

// oneInvitation makes a house with one invitation that is not mailed yet.
func oneInvitation(t *testing.T) (data string) {
	t.Helper()
	ctx := context.Background()
	data = t.TempDir()
	h, err := house.Open(ctx, house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	bo, err := h.People.Ensure(ctx, "bo@example.org", "en")
	require.NoError(t, errors.Join(err, h.Close()))
	posthorntest.Seed(t, data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{}, {Kind: domain.SeatPlayer, Invited: []domain.PersonID{bo.ID}}}},
		"p0@example.org")
	return data
}

func TestAFailedLetterIsListedAndSentAgainByCommand(t *testing.T) {
	data := oneInvitation(t)
	refusing := &hands{says: noSuchPerson}
	table := posting(t, data, refusing)
	// Then the host finds it, with the reason and without an address,
	out, status := tells("mail", "list", "--data", data)
	require.Zero(t, status, out)
	require.Contains(t, out, "1 letters failed for good")
	require.Contains(t, out, table.String())
	require.Contains(t, out, "unknown")
	require.NotContains(t, out, "bo@")
	// and lets it be sent again
	out, status = tells("mail", "resend", "--data", data, "--table", table.String())
	require.Zero(t, status, out)
	taking := &hands{}
	posting(t, data, taking)
	require.Len(t, taking.got, 1)
	require.Equal(t, posthorntest.MessageID.FindString(refusing.got[0]),
		posthorntest.MessageID.FindString(taking.got[0]))
	require.NotEmpty(t, posthorntest.MessageID.FindString(taking.got[0]))
	out, status = tells("mail", "resend", "--data", data, "--all")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "no such letter")
}

func TestWhoseMailsComeBackIsListedUntilTheHostEndsIt(t *testing.T) {
	data := oneInvitation(t)
	posting(t, data, &hands{says: noSuchPerson})
	_, status := tells("mail", "resend", "--data", data, "--all")
	require.Zero(t, status)
	ctx := context.Background()
	require.NoError(t, inQueue(ctx, data, func(queue *mail.Outbox) error {
		l, err := queue.Failed(ctx)
		require.Empty(t, l)
		return err
	}))
	out, _ := tells("mail", "list", "--data", data)
	require.NotContains(t, out, "come back", "one is not enough")
	h, err := house.Open(ctx, house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	bo, err := h.People.ByAddress(ctx, "bo@example.org")
	require.NoError(t, err)
	require.NoError(t, h.Outbox.Want(ctx, 0, mail.Notice{Kind: mail.KindLink, Person: bo.ID, Table: tablesIn(t, h)[0]}))
	h.Sender.Transport = &hands{says: noSuchPerson}
	require.NoError(t, h.Sender.Flush(ctx))
	require.NoError(t, h.Close())
	out, _ = tells("mail", "list", "--data", data)
	require.Contains(t, out, "the mails of 1 people come back")
	require.Contains(t, out, "bo@example.org")
	require.Contains(t, out, "5.1.1")
	out, status = tells("mail", "reach", "--data", data, "bo@example.org")
	require.Zero(t, status, out)
	out, _ = tells("mail", "list", "--data", data)
	require.NotContains(t, out, "come back")
	_, status = tells("mail", "reach", "--data", data, "nobody@example.org")
	require.Equal(t, 1, status)
	_, status = tells("mail", "reach", "--data", data, "nobody")
	require.Equal(t, 2, status)
}

func tablesIn(t *testing.T, h *house.House) []events.Name {
	t.Helper()
	all, err := folder.TablesOf(context.Background(), h.Log)
	require.NoError(t, err)
	return all
}

func TestSendingAgainWantsToKnowWhat(t *testing.T) {
	for _, args := range [][]string{{}, {"--all", "1"}, {"--all", "--table", strings.Repeat("0", 32)}, {"--table", "x"},
		{"1", "--table", strings.Repeat("0", 32)}} {
		out, status := tells(append([]string{"mail", "resend", "--data", t.TempDir()}, args...)...)
		require.Equal(t, 2, status, "%v: %s", args, out)
	}
	out, status := tells("mail", "list", "--data", t.TempDir())
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "--data")
}
