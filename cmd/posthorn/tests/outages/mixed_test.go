package outages

import (
	"context"
	"fmt"
	nethttp "net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// mixed is a house of three machines, some of which run the next version.
type mixed struct {
	k    *keptByTwo
	all  []*machine
	gave *ledger
	away []time.Duration
}

// writer waits until one of the machines writes, and makes the house's address lead there.
func (m *mixed) writer() (writer *machine, others []*machine) {
	t := m.k.t
	t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(10 * time.Millisecond) {
		for i, one := range m.all {
			if status, _ := one.asked("/readyz"); status == nethttp.StatusOK {
				m.k.to.Store(&url.URL{Scheme: "http", Host: one.listen})
				return one, slices.Delete(slices.Clone(m.all), i, i+1)
			}
		}
	}
	for _, one := range m.all {
		t.Logf("%s", one.Log)
	}
	t.Fatal("nobody writes")
	return nil, nil
}

// becomes replaces the program of a machine that does not write.
func (m *mixed) becomes(one *machine, bin string) {
	m.k.t.Helper()
	one.Stop()
	m.starts(one, bin)
}

func (m *mixed) starts(one *machine, bin string) {
	m.k.t.Helper()
	one.bin, one.role = bin, "standby"
	one.begins()
	one.standsBy()
}

// hands stops the machine that writes, and returns the one that writes next.
func (m *mixed) hands(what string, from *machine) *machine {
	t := m.k.t
	t.Helper()
	began := time.Now()
	from.Stop()
	stopped := time.Since(began)
	require.NotContains(t, from.Log.String(), "request failed", "whoever asked while it stopped")
	m.away = append(m.away, m.gave.after(t, began, func() {}))
	t.Logf("%s: nobody answered for %v, of which the one before took %v to stop", what,
		m.away[len(m.away)-1].Round(time.Millisecond), stopped.Round(time.Millisecond))
	to, _ := m.writer()
	require.NotSame(t, from, to)
	return to
}

// cannotTakeOver waits until a machine has read along and says why it does not take over.
func (m *mixed) cannotTakeOver(one *machine, why string) {
	t := m.k.t
	t.Helper()
	one.until("it says what it does not know", func() bool {
		_, says := one.asked("/readyz")
		return strings.HasPrefix(says, "standby, 0 events behind; it cannot take over yet: ") &&
			strings.Contains(says, why)
	})
}

// Given a house of three machines and games that go on all the time, through the API and the links in mails, when the
// machines are updated to the next version one after the other, half-way back, and forward again, then nothing that was
// answered is lost or done twice, all have the same log, and people who look at pages meanwhile get each page and its
// assets from one version. Once the next version writes what the old one does not know, the old one reads along and
// does not take over.
func TestThreeMachinesAreUpdatedWhileGamesArePlayed(t *testing.T) {
	t.Parallel() // it mostly waits
	rounds, games, think, mailed := 1, []string{"carcassonne", "rivals"}, 150*time.Millisecond, 1
	if os.Getenv("POSTHORN_LONG") == "1" {
		rounds, games, think, mailed = 6, slices.Repeat([]string{"carcassonne", "catan", "rivals"}, 2),
			50*time.Millisecond, 3
	}
	reads, writes := nextProgram(t)
	k := newKeptByTwo(t, 3, 0)
	a, b, c := k.machine("all"), k.machine("standby"), k.machine("standby")
	m := &mixed{k: k, all: []*machine{a, b, c}}
	var addresses []string
	for n := range mailed {
		addresses = append(addresses, fmt.Sprintf("player%d@example.org", n))
	}
	posthorntest.Seed(t, a.data, desk.NewTable{Rulebook: "carcassonne", Pace: "weekly", Listed: true,
		Places: []domain.TablePlace{{}, {Kind: domain.SeatStandIn, StandIn: "random"}}}, addresses...)
	session := signedIn(t, a.data, addresses[0])
	var moves, called atomic.Int64
	var callers []*caller
	m.gave, callers = newCallers(t, a.data, games, think, &called, m.all...)
	a.shares(b)
	a.shares(c)
	a.begins()
	a.writes()
	for _, one := range m.all[1:] {
		one.begins()
		one.standsBy()
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	var players []*player
	for _, to := range addresses {
		p := &player{base: k.front.URL, to: to, moves: &moves, think: 2 * time.Second,
			client: &nethttp.Client{Timeout: 10 * time.Second,
				CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse }}}
		players = append(players, p)
		all.Go(func() { p.play(ctx) })
	}
	for _, c := range callers {
		all.Go(func() { c.play(ctx) })
	}
	looks := newOnlooker(t, session, m.all)
	all.Go(func() { looks.on(ctx) })

	for range rounds - 1 { // until the next version writes something new, one may go back
		m.halfWay(reads, &called)
		_, others := m.writer()
		for _, one := range others {
			one.Kill() // if it runs
			m.starts(one, "")
		}
		played(t, &called, 5)
	}
	before := len(recordsIn(t, a.data))
	back, next, idle := m.halfWay(reads, &called)
	require.NotContains(t, typesIn(t, back.data, before), nextType)
	m.starts(next, writes)
	require.Same(t, next, m.hands("forward again", back))
	for deadline := time.Now().Add(posthorntest.Patient); !slices.Contains(typesIn(t, next.data, before), nextType); {
		// what the old version does not know
		require.True(t, time.Now().Before(deadline))
		played(t, &called, 1)
	}
	idle.Kill()
	idle.bin, idle.role = "", "standby"
	idle.begins()
	m.cannotTakeOver(idle, "the log has "+nextType+", which this program does not know")
	idle.until("it says what to do", func() bool { return strings.Contains(idle.Log.String(), "put that one here") })
	m.starts(back, writes)
	require.Same(t, back, m.hands("past one that cannot", next))
	played(t, &called, 5)
	m.cannotTakeOver(idle, nextType)
	m.becomes(idle, writes)
	m.starts(next, writes)
	played(t, &moves, 1)
	writer, others := m.writer()
	stop()
	all.Wait()
	looks.check()
	quiet(writer)
	for _, one := range append(others, writer) {
		one.Stop()
	}
	m.check(reads, writes, writer, others, players)
	slices.Sort(m.away)
	t.Logf("%d switches: nobody answered for %v in the middle, %v at most", len(m.away),
		at(m.away, 0.5).Round(time.Millisecond), m.away[len(m.away)-1].Round(time.Millisecond))
}

// halfWay updates the house to the next version, machine by machine, and then half-way back: an old machine writes
// again, another that wrote as the next version is stopped, and the third may be either.
func (m *mixed) halfWay(reads string, called *atomic.Int64) (back, next, idle *machine) {
	t := m.k.t
	t.Helper()
	old, others := m.writer()
	played(t, called, 5)
	m.becomes(others[0], reads)
	others[1].Stop()
	played(t, called, 5) // one of each is there, and the old one writes
	require.Same(t, others[0], m.hands("forward", old))
	played(t, called, 5)
	m.starts(old, "") // the old program, on files that the next one has not touched
	m.starts(others[1], reads)
	played(t, called, 5)
	m.becomes(others[1], "") // and on files that it has
	back = m.hands("back", others[0])
	if idle = old; back == old {
		idle = others[1]
	}
	require.NotSame(t, others[0], back)
	played(t, called, 5)
	idle.Stop()
	return back, others[0], idle
}

// typesIn returns the types of the events in a log after a position.
func typesIn(t *testing.T, data string, after int) (out []string) {
	for _, r := range recordsIn(t, data)[after:] {
		if !slices.Contains(out, r.Type) {
			out = append(out, r.Type)
		}
	}
	return out
}

var figure = regexp.MustCompile(`(?m)^posthorn_position\{of="(log|views)"\} (\S+)$`)

// quiet waits until a machine's lists have caught up with its log, and the log stops growing.
func quiet(m *machine) {
	m.of.t.Helper()
	was := ""
	m.until("its lists have come as far as its log", func() bool {
		_, says := m.asked("/metrics")
		at := figure.FindAllStringSubmatch(says, -1)
		same := len(at) == 2 && at[0][2] == at[1][2] && at[0][2] == was
		if len(at) > 0 {
			was = at[0][2]
		}
		return same
	})
}

// check compares what was answered with what all machines have, once none runs. It uses the next version's program to
// check the whole: the one that writes what is new, and the one that only reads it.
func (m *mixed) check(reads, writes string, last *machine, others []*machine, players []*player) {
	t := m.k.t
	t.Helper()
	log := recordsIn(t, last.data)
	require.Equal(t, m.k.streamed(), log, "the cluster has the same log")
	keys, err := folder.ServerKeys(last.data)
	require.NoError(t, err)
	verified(t, writes, last.data, m.gave.check(t, keys, log))
	for _, one := range others {
		had := recordsIn(t, one.data)
		require.Equal(t, log[:len(had)], had)
		require.Greater(t, len(had), len(log)/2)
		out, status := posthorntest.Command(t, reads, "verify", "--data", one.data)
		require.Zero(t, status, out)
	}
	lists := allRows(t, last.data)
	out, status := posthorntest.Command(t, writes, "rebuild", "--data", last.data)
	require.Zero(t, status, out)
	require.Equal(t, lists, allRows(t, last.data), "its lists are what follows from its log")
	times := map[events.CommandID]int{}
	for i := range log {
		times[log[i].Command]++
	}
	acked := 0
	for _, p := range players {
		require.NotEmpty(t, p.acked)
		for _, id := range p.acked {
			acked++
			require.Equal(t, 1, times[keys.Asked(id)], "acknowledged move %s of %s", id, p.to)
		}
	}
	sent := map[string]int{}
	for _, mail := range m.k.mailbox.Messages() {
		for _, id := range posthorntest.MessageID.FindAllStringSubmatch(strings.ReplaceAll(string(mail.Raw), "\r\n",
			"\n"), -1) {
			sent[id[1]]++
			require.Equal(t, 1, sent[id[1]], "a mail came twice")
		}
	}
	t.Logf("%d moves by mail, %d mails", acked, len(sent))
	for _, name := range []string{"events.db", "people.db", "mail.db"} {
		_, err := os.Stat(filepath.Join(last.data, name))
		require.NoError(t, err)
	}
}
