package outages

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/cmd/posthorn/internal/roles"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/lease"
	"posthorn/events/relay"
	"posthorn/mail"
)

// Given a house of two machines and three NATS servers, with the lease that the program makes itself, when the writer
// is killed during play, or paused for longer than its lease, then the other machine takes over with people, keys and
// mails, and play goes on within ten seconds. The paused machine acknowledges nothing more, and ends. When the writer
// is told to stop, the other takes over at once. Nothing that was answered is lost or done twice, and both have the
// same log.
func TestASecondMachineTakesOver(t *testing.T) {
	kills, pauses, stalls, games, think := 2, 1, 0, []string{"carcassonne", "rivals"}, 100*time.Millisecond
	mailed, slow := 2, 2*time.Second // so that nobody's only game ends before the test
	if os.Getenv("POSTHORN_LONG") == "1" {
		kills, pauses, stalls, games, think = 50, 20, 10, slices.Repeat([]string{"carcassonne", "catan", "rivals"}, 2),
			50*time.Millisecond
		mailed, slow = 4, 40*time.Second
	}
	k := newKeptByTwo(t, 3, 0)
	a, b := k.machine("all"), k.machine("standby")
	var addresses []string
	for n := range mailed {
		addresses = append(addresses, fmt.Sprintf("player%d@example.org", n))
	}
	posthorntest.Seed(t, a.data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly",
		Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, addresses...)
	session := signedIn(t, a.data, addresses[0])
	var moves, called atomic.Int64
	gave, callers := newCallers(t, a.data, games, think, &called, a, b)
	a.shares(b)
	a.begins()
	a.writes()
	b.begins()
	b.standsBy()
	resp, err := nethttp.Get("http://" + b.listen + "/")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, nethttp.StatusServiceUnavailable, resp.StatusCode)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	var players []*player
	for _, to := range addresses {
		p := &player{base: k.front.URL, to: to, moves: &moves, think: slow,
			client: &nethttp.Client{Timeout: 10 * time.Second,
				CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse }}}
		players = append(players, p)
		all.Go(func() { p.play(ctx) })
	}
	for _, c := range callers {
		all.Go(func() { c.play(ctx) })
	}
	played(t, &moves, 2)
	f := &faults{k: k, of: [2]*machine{a, b}, gave: gave, callers: callers, moves: &called,
		rand: rand.New(rand.NewPCG(3, 4))}
	f.all(ctx, kills, pauses, stalls)
	require.Equal(t, nethttp.StatusOK, k.settings(session))
	played(t, &moves, 2)

	writer, other := f.calm()
	late := k.signIn("eva@example.org")
	writer.Stop() // the latest changes go along
	other.writes()
	played(t, &moves, 2)
	stop()
	all.Wait()
	for _, s := range []string{session, late} {
		require.Equal(t, nethttp.StatusOK, k.settings(s))
	}
	other.Stop()
	for _, name := range []string{"dkim-rsa.pem", "dkim-ed25519.pem"} {
		of, err := os.ReadFile(filepath.Join(a.data, name))
		require.NoError(t, err)
		there, err := os.ReadFile(filepath.Join(b.data, name))
		require.NoError(t, err)
		require.Equal(t, of, there, "both sign mails with one key")
	}
	k.check(other, writer, players)
	k.checkCalled(other, writer, gave)
}

// check checks what the machines have, once neither runs.
func (k *keptByTwo) check(last, other *machine, players []*player) {
	t := k.t
	t.Helper()
	out, status := posthorntest.Command(t, k.bin, "verify", "--data", other.data)
	require.Zero(t, status, out)
	first, second := recordsIn(t, last.data), recordsIn(t, other.data)
	require.Equal(t, second, first[:len(second)],
		"both have the same log, as far as the one that was stopped first goes")
	ctx := t.Context()
	require.NoError(t, house.Within(context.Background(), last.data, func(ctx context.Context, h *house.House) error {
		seen := map[events.CommandID]int{}
		for i := range first {
			require.EqualValues(t, i+1, first[i].Pos)
			seen[first[i].Command]++
		}
		acked := 0
		for _, p := range players {
			for _, id := range p.acked {
				acked++
				require.Equal(t, 1, seen[h.Keys.Asked(id)], "acknowledged move %s of %s", id, p.to)
			}
		}
		tables, err := folder.TablesOf(ctx, h.Log)
		require.NoError(t, err)
		wanted, err := (&mail.Notifier{Desk: h.Desk, Outbox: h.Outbox}).Wanted(ctx, tables...)
		require.NoError(t, err)
		mailed := map[string]bool{}
		for _, m := range k.mailbox.Messages() {
			for _, id := range posthorntest.MessageID.FindAllStringSubmatch(strings.ReplaceAll(string(m.Raw), "\r\n",
				"\n"), -1) {
				mailed[id[1]] = true
			}
		}
		for _, w := range wanted {
			if wants, err := (mail.PeopleDirectory{People: h.People}).
				Wants(ctx, w.Person, w.Kind, w.Table); err != nil || !wants {
				// they play by the API
				require.NoError(t, err)
				continue
			}
			id, err := h.Sender.Composer.Passes.MessageID(w, 0, "localhost")
			require.NoError(t, err)
			letters, err := h.Outbox.Letters(ctx, w.Table)
			require.NoError(t, err)
			sent := mailed[id]
			for _, l := range letters { // or it was being sent when the program stopped, and goes out at the next start
				sent = sent || l.Stream == w.Stream && l.Open == w.Open &&
					(l.State == mail.StateNew || l.State == mail.StateComposed || l.State == mail.StateSending)
			}
			position, err := h.Outbox.Position(ctx)
			require.NoError(t, err)
			require.True(t, sent || position < uint64(len(first)), "%s awaited since %d of %s has no mail: %s", w.Kind,
				w.Open.Since, w.Stream, lastOf(letters))
		}
		t.Logf("%d events, %d acknowledged moves, %d mails, %d awaited", len(first), acked, len(k.mailbox.Messages()),
			len(wanted))
		return nil
	}))
	require.NoError(t, ctx.Err())
}

// Given a writer whose lease somebody else has, or into whose stream somebody else wrote, then it ends with a status of
// its own.
func TestWhoMayNotWriteAnyMoreEnds(t *testing.T) {
	for what, do := range map[string]func(k *keptByTwo) error{
		"somebody else has it": func(k *keptByTwo) error {
			kv, err := k.cluster.JetStream().KeyValue(t.Context(), lease.DefaultBucket)
			if err == nil {
				_, err = kv.PutString(t.Context(), "writer", "somebody else")
			}
			return err
		},
		"is not a copy of this log": func(k *keptByTwo) error {
			_, err := k.cluster.JetStream().Publish(t.Context(), "posthorn.ev.house", []byte("not of this log"))
			return err
		},
		"NATS has not answered": func(k *keptByTwo) error {
			k.cluster.Stop(0)
			return nil
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			k := newKeptByTwo(t, 1, 6*time.Second)
			a := k.machine("all")
			a.begins()
			a.writes()
			require.NoError(t, do(k))
			require.Equal(t, roles.LostTurn, a.ends(), "%s", a.Log)
			require.Contains(t, a.Log.String(), what)
			require.Contains(t, a.Log.String(), "started again, it stands by")
			if what == "NATS has not answered" {
				a.begins() // even without a cluster
				k.cluster.Start(0)
				a.writes()
				a.Stop()
			}
		})
	}
}

// Given a standby without what it needs, then it does not take over, and says what is missing.
func TestAStandbyWithoutWhatAHouseNeedsDoesNotTakeOver(t *testing.T) {
	k := newKeptByTwo(t, 1, 6*time.Second)
	b := k.machine("standby")
	out, status := posthorntest.Command(t, k.bin, "serve", "--role", "standby", "--data", b.data)
	require.Equal(t, 2, status, out)
	require.Contains(t, out, "--nats")
	out, status = posthorntest.Command(t, k.bin, "serve", "--role", "standby", "--data", b.data, "--safe", "replicated",
		"--nats", k.cluster.URL())
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "server.key")

	// A house that copies its log into the cluster, but not its people and mails.
	a := k.machine("all")
	p := posthorntest.Start(t, k.bin, "127.0.0.1:0", "run", "--data", a.data, "--nats", k.cluster.URL())
	a.shares(b)
	b.begins()
	b.until("it says what it lacks", func() bool {
		_, says := b.asked("/readyz")
		return strings.Contains(says, "events behind; it cannot take over yet")
	})
	p.Stop()
	b.until("it has all that the cluster has", func() bool {
		_, says := b.asked("/readyz")
		return strings.HasPrefix(says, "standby, 0 events behind; it cannot take over yet")
	})
	kv, err := k.cluster.JetStream().KeyValue(t.Context(), lease.DefaultBucket)
	require.NoError(t, err)
	_, err = kv.Get(t.Context(), "writer")
	require.ErrorIs(t, err, jetstream.ErrKeyNotFound, "nobody has the lease, and it does not ask for it")
	b.Stop()

	// A key that is not the house's.
	a.begins()
	a.writes()
	c := k.machine("standby")
	require.NoError(t, folder.WriteKey(filepath.Join(c.data, "server.key"),
		[]byte(hex.EncodeToString([]byte("another house has another key...")))))
	c.Running = posthorntest.Launch(t, k.bin, "serve", "--role", "standby", "--data", c.data, "--safe", "replicated",
		"--nats", k.cluster.URL(), "--listen", c.listen)
	t.Cleanup(c.Kill)
	require.Equal(t, 1, c.ends(), "%s", c.Log)
	require.Contains(t, c.Log.String(), "server.key")
	a.Stop()
}

// Given a cluster that has lost everything, then only the server that is told to fills it.
func TestAnEmptyClusterIsFilledByWhoIsToldTo(t *testing.T) {
	k := newKeptByTwo(t, 1, 6*time.Second)
	a := k.machine("all")
	a.begins()
	a.writes()
	session := k.signIn("eva@example.org")
	a.Stop()
	a.role = "standby"
	a.begins()
	a.writes()
	require.Equal(t, nethttp.StatusOK, k.settings(session), "its own people.db is the newest")
	a.Stop()
	// this is an event, in that log alone
	out, status := posthorntest.Command(t, k.bin, "people", "ban", "--data", a.data, "noise@example.org")
	require.Zero(t, status, out)
	a.begins()
	a.writes()
	a.Stop()
	had := recordsIn(t, a.data)
	stream, err := k.cluster.JetStream().Stream(t.Context(), relay.DefaultStream)
	require.NoError(t, err)
	require.EqualValues(t, len(had), stream.CachedInfo().State.LastSeq,
		"what a command did while nobody served goes along")
	k.cluster.Stop(0)
	k.cluster.Wipe(0)
	k.cluster.Start(0)
	a.begins()
	a.until("it says what it lacks", func() bool {
		_, says := a.asked("/readyz")
		return strings.Contains(says, "it cannot take over yet")
	})
	a.Stop()
	a.role = "all"
	a.begins()
	a.writes()
	require.Equal(t, nethttp.StatusOK, k.settings(session))
	a.Stop()
	require.Equal(t, had, recordsIn(t, a.data)[:len(had)])
}
