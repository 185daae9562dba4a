package outages

import (
	"log/slog"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
)

func TestAClusterIsNeededForWhatIsSaidOfIt(t *testing.T) {
	for want, cfg := range map[string]house.Settings{
		"name it with --nats":               {Safe: "replicated"},
		"there is no external NATS cluster": {NATSSettings: house.NATSSettings{NATSReplicas: 3}},
		"--nats-cert and --nats-key belong": {
			NATSSettings: house.NATSSettings{NATS: "nats://127.0.0.1:1", NATSCert: "x"}},
		"half is no majority": {
			NATSSettings: house.NATSSettings{NATS: "nats://127.0.0.1:1", NATSReplicas: 2}},
		"--nats-nkey": {
			NATSSettings: house.NATSSettings{NATS: "nats://127.0.0.1:1", NATSNKey: "nowhere"}},
	} {
		set := posthorntest.Settings(t.TempDir())
		set.Safe, set.NATSSettings = cfg.Safe, cfg.NATSSettings
		h, err := house.Open(t.Context(), set, slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, want)
		require.NoError(t, h.Close())
	}
}

// Given a house that answers for its cluster, when the cluster is away, then commands get no acknowledgement, nobody
// sees them, and every language says so. Once the cluster is back, the same command, sent again, is done, and done
// once.
func TestWhatTheClusterHasNotIsNotAnswered(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	require.NoError(t, b.start())
	cfg := posthorntest.Settings(t.TempDir())
	// a running cluster answers within it; an absent one is waited for once
	cfg.NATSSettings, cfg.Safe, cfg.SafeWait = house.NATSSettings{NATS: b.url()}, "replicated", 10*time.Second
	l := posthorntest.Lives(t, cfg)
	ana := l.Guest("ana@example.org")
	table := l.Seated().OpensBy(ana.ID, "carcassonne", nil, desktest.Player(ana.ID), desktest.Free())
	status, body := l.Chats(table, ana, events.NewCommandID())
	require.Equal(t, nethttp.StatusSeeOther, status, body)
	before := l.Seated().Sees(table).TableHead

	book, err := house.Words()
	require.NoError(t, err)
	b.kill()
	id := events.NewCommandID()
	for _, lang := range []string{"en", "pt-BR", "pt-PT", "pl"} {
		require.NoError(t, l.People.SetLanguage(l.Ctx, ana.ID, lang))
		status, body = l.Ask(l.Form("/t/"+table.String()+"/say", url.Values{"id": {id.String()}, "text": {"hello"}}),
			ana, lang)
		require.Equal(t, nethttp.StatusServiceUnavailable, status)
		require.Contains(t, body, book.Printer(lang, "", nil).Say(domain.Say{Key: "page.error.unsafe"}))
	}
	say := httptest.NewRequest(nethttp.MethodPost, "/api/v1/tables/"+table.String()+"/chat",
		strings.NewReader(`{"text": "hello"}`))
	say.Header.Set("Content-Type", "application/json")
	say.Header.Set("Idempotency-Key", events.NewCommandID().String())
	status, body = l.Ask(say, ana, "en")
	require.Equal(t, nethttp.StatusServiceUnavailable, status, body)
	require.Contains(t, body, `"not-safe"`)
	require.Equal(t, before, l.Seated().Sees(table).TableHead)
	status, _ = l.Get("/t/"+table.String(), ana, "en")
	require.Equal(t, nethttp.StatusOK, status, "what is there can be read")

	require.NoError(t, b.start())
	require.Eventually(t, func() bool {
		status, body = l.Chats(table, ana, id)
		require.Contains(t, []int{nethttp.StatusSeeOther, nethttp.StatusServiceUnavailable}, status, body)
		return status == nethttp.StatusSeeOther
	}, posthorntest.Patient, 20*time.Millisecond, "the cluster is back, and nothing is answered: %s", l.Log)
	require.Equal(t, before.Version+1, l.Seated().Sees(table).TableHead.Version)
}
