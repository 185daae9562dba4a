package people_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

func TestAThousandSignInsAtOnceSendThreeMailsAnHour(t *testing.T) {
	h := open(t)
	ask := func(n int) int {
		var sent, failed atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range n / 8 {
					_, send, err := h.AskSignIn(ctx, "victim@example.org", "192.0.2.1", "en")
					if err != nil {
						failed.Add(1)
					}
					if send {
						sent.Add(1)
					}
				}
			})
		}
		wg.Wait()
		require.Zero(t, failed.Load())
		return int(sent.Load())
	}
	require.Equal(t, 3, ask(1000))
	h.restart()
	require.Zero(t, ask(8), "a restart forgets nothing")
	h.pass(59 * time.Minute)
	require.Zero(t, ask(8))
	h.pass(time.Minute)
	require.Equal(t, 3, ask(16))
}

func TestAnUnknownAddressIsAnsweredLikeAKnownOne(t *testing.T) {
	h := open(t)
	h.confirmed("known@example.org")
	require.NoError(t, h.Suppress(ctx, "quiet@example.org"))
	for _, a := range []people.Address{"known@example.org", "unknown@example.org", "quiet@example.org"} {
		token, send, err := h.AskSignIn(ctx, a, "192.0.2.1", "en")
		require.NoError(t, err)
		require.True(t, send)
		require.Len(t, token.Text(), 43)
		l, err := h.Link(ctx, token.Text())
		require.NoError(t, err)
		require.Equal(t, people.Link{Purpose: people.LinkSignIn, Address: a, Language: "en",
			Expires: h.clock().Add(people.LinkLasts)}, l)
	}
}

func TestStrangersHaveTheirShareByDomainAndInAll(t *testing.T) {
	var full []string
	h := openWith(t, people.Options{Full: func(domain string) { full = append(full, domain) }})
	sent := 0
	for i := range people.DefaultQuotas.NewPerDomain.Most + 10 {
		_, send, err := h.AskSignIn(ctx, people.Address(fmt.Sprintf("a%d@example.org", i)),
			fmt.Sprint("network ", i/30), "en")
		require.NoError(t, err)
		if send {
			sent++
		}
	}
	require.Equal(t, people.DefaultQuotas.NewPerDomain.Most+1, sent,
		"one of the network's, from what is kept for networks")
	require.Len(t, full, 9)
	require.Equal(t, "example.org", full[0], "the host can be told")
	for network, want := range map[string]bool{"network 0": false, "elsewhere": true} {
		_, send, err := h.AskSignIn(ctx, "a@elsewhere.example", network, "en")
		require.NoError(t, err)
		require.Equal(t, want, send, network)
	}

	full = nil
	h = openWith(t, people.Options{Quotas: few(), Full: func(domain string) { full = append(full, domain) }})
	h.flooded()
	require.Equal(t, "", full[len(full)-1], "once nothing is left of the share of all, it is of no domain")
}

func TestWhatTheStoreFailsToKeepIsAnError(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	_, token, err := h.MakeToken(ctx, ana.ID, people.NewToken{Label: "phone", Scope: people.ScopeRead, Days: 1})
	require.NoError(t, err)
	ended, end := context.WithCancel(ctx)
	end()
	require.ErrorIs(t, h.RevokeToken(ended, ana.ID, token.Ref), context.Canceled)

	other, err := sql.Open("sqlite", h.path)
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close()) }()
	for _, table := range []string{"grants", "suppressed"} {
		_, err = other.Exec(`ALTER TABLE ` + table + ` RENAME TO away`)
		require.NoError(t, err)
		send, err := h.MayInvite(ctx, ana.ID, "bo@example.org")
		require.ErrorContains(t, err, table)
		require.False(t, send)
		_, err = other.Exec(`ALTER TABLE away RENAME TO ` + table)
		require.NoError(t, err)
	}
	var kept int
	require.NoError(t, other.QueryRow(`SELECT count(*) FROM grants`).Scan(&kept))
	for room := range 3 { // that many limits are counted, and then the disk is full
		_, err = other.Exec(fmt.Sprintf(
			`CREATE TRIGGER full BEFORE INSERT ON grants WHEN (SELECT count(*) FROM grants) >= %d BEGIN SELECT raise(ABORT, 'no room'); END`, kept+room))
		require.NoError(t, err)
		_, err = h.MayInvite(ctx, ana.ID, "bo@example.org")
		require.ErrorContains(t, err, "no room")
		_, err = other.Exec(`DROP TRIGGER full`)
		require.NoError(t, err)
	}
	send, err := h.MayInvite(ctx, ana.ID, "bo@example.org")
	require.NoError(t, err)
	require.True(t, send)
}

// few returns quotas of which strangers soon use up their share.
func few() *people.Quotas {
	q := people.DefaultQuotas
	q.NewPerDomain.Most, q.NewGlobal.Most = 5, 12
	return &q
}

// flooded makes a house of few in which strangers have asked, in invented names, until nothing was left.
func (h *house) flooded() {
	h.t.Helper()
	for i := range 20 {
		for _, d := range []string{"example.org", "example.com", "elsewhere.example"} {
			_, _, err := h.AskSignIn(ctx, people.Address(fmt.Sprintf("invented%d@%s", i, d)), "192.0.2.1", "en")
			require.NoError(h.t, err)
		}
	}
	_, send, err := h.AskSignIn(ctx, "newcomer@example.org", "192.0.2.1", "en")
	require.NoError(h.t, err)
	require.False(h.t, send, "the share of strangers is used up")
}

func TestWhoIsKnownHereSignsInWhateverStrangersAskFor(t *testing.T) {
	seated := map[domain.PersonID]bool{}
	h := openWith(t, people.Options{Quotas: few(), Seated: func(_ context.Context, id domain.PersonID) (bool, error) {
		return seated[id], nil
	}})
	h.confirmed("ana@example.org")
	bo, err := h.Ensure(ctx, "bo@example.org", "en")
	require.NoError(t, err)
	seated[bo.ID] = true
	_, err = h.MakeHost(ctx, "host@example.org")
	require.NoError(t, err)
	require.NoError(t, h.InviteOpener(ctx, "opener@example.org"))
	_, err = h.Ensure(ctx, "invited@example.org", "en")
	require.NoError(t, err)
	h.flooded()
	for _, a := range []people.Address{"ana@example.org", "Ana@Example.org", "bo@example.org", "host@example.org",
		"opener@example.org"} {
		h.pass(5 * time.Minute)
		h.flooded()
		for range 20 { // a stranger asks in their name, too
			_, _, err := h.AskSignIn(ctx, a, "192.0.2.1", "en")
			require.NoError(t, err)
		}
		h.pass(5 * time.Minute)
		token, send, err := h.AskSignIn(ctx, a, "192.0.2.1", "en")
		require.NoError(t, err)
		require.True(t, send, "%s gets one mail in five minutes", a)
		for range 20 {
			_, send, err := h.AskSignIn(ctx, a, "192.0.2.1", "en")
			require.NoError(t, err)
			require.False(t, send, "and only one, while strangers have used up their share")
		}
		h.restart()
		_, send, err = h.AskSignIn(ctx, a, "192.0.2.1", "en")
		require.NoError(t, err)
		require.False(t, send, "a restart forgets nothing")
		h.pass(5*time.Minute - time.Second)
		_, err = h.UseLink(ctx, token.Text())
		require.NoError(t, err, "the link that was mailed stays good, whatever was asked for since")
	}
	h.flooded()
	_, send, err := h.AskSignIn(ctx, "invited@example.org", "192.0.2.1", "en")
	require.NoError(t, err)
	require.False(t, send, "who was only invited is a stranger still")
}

func TestStrangersDoNotUseUpWhatMembersCause(t *testing.T) {
	h := openWith(t, people.Options{Quotas: few()})
	ana := h.confirmed("ana@example.org")
	h.confirmed("bo@example.org")
	h.flooded()
	send, err := h.MayInvite(ctx, ana.ID, "bo@example.org")
	require.NoError(t, err)
	require.True(t, send)
}

func TestAHostMaySetTheQuotas(t *testing.T) {
	quotas := people.DefaultQuotas
	quotas.PerRecipient.Most = 1
	keys, err := events.NewKeys([32]byte{7})
	require.NoError(t, err)
	s, err := people.Open(ctx, filepath.Join(t.TempDir(), "people.db"), keys, people.Options{Quotas: &quotas})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	for _, want := range []bool{true, false} {
		_, send, err := s.AskSignIn(ctx, "ana@example.org", "192.0.2.1", "en")
		require.NoError(t, err)
		require.Equal(t, want, send)
	}
}

func TestALimitIsTakenWholeOrNotAtAll(t *testing.T) {
	h := open(t)
	wide, narrow := people.Limit{What: "wide", Most: 2, Per: time.Hour},
		people.Limit{What: "narrow", Most: 1, Per: time.Hour}
	for _, want := range []bool{true, false, false} {
		ok, err := h.Allow(ctx, wide, narrow)
		require.NoError(t, err)
		require.Equal(t, want, ok)
	}
	ok, err := h.Allow(ctx, wide)
	require.NoError(t, err)
	require.True(t, ok, "what was not allowed was not counted")
	ok, err = h.Allow(ctx, wide)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestInvitationsAreForConfirmedPeopleAndFew(t *testing.T) {
	h := open(t)
	newcomer, err := h.Ensure(ctx, "newcomer@example.org", "en")
	require.NoError(t, err)
	_, err = h.MayInvite(ctx, newcomer.ID, "x@example.org")
	refused(t, err, "inviter-unconfirmed")

	ana := h.confirmed("ana@example.org")
	most, sent := people.DefaultQuotas.PerInviter.Most, 0
	for i := range 100 {
		send, err := h.MayInvite(ctx, ana.ID, people.Address(fmt.Sprintf("friend%d@example%d.org", i, i)))
		if i >= most {
			refused(t, err, "invite-limit")
		}
		if send {
			sent++
		}
	}
	require.Equal(t, most, sent)
	h.restart()
	_, err = h.MayInvite(ctx, ana.ID, "one.more@example.org")
	refused(t, err, "invite-limit")
	h.pass(24 * time.Hour)
	send, err := h.MayInvite(ctx, ana.ID, "one.more@example.org")
	require.NoError(t, err)
	require.True(t, send)
}

func TestAStrangerIsInvitedAFewTimesUntilTheyAnswer(t *testing.T) {
	h := open(t)
	ana, bo, cid := h.confirmed("ana@example.org"), h.confirmed("bo@example.org"), h.confirmed("cid@example.org")
	invite := func(by domain.PersonID, a people.Address) bool {
		t.Helper()
		h.pass(time.Hour) // within an hour the limit is lower
		send, err := h.MayInvite(ctx, by, a)
		require.NoError(t, err)
		return send
	}
	for range 3 {
		require.True(t, invite(ana.ID, "Stranger@example.org"))
	}
	require.False(t, invite(ana.ID, "stranger@example.org"), "three times by one person")
	for range 2 {
		require.True(t, invite(bo.ID, "stranger@example.org"), "who was invited by another can be invited")
	}
	require.False(t, invite(cid.ID, "stranger@example.org"), "five times by anybody")
	require.NoError(t, h.Answered(ctx, "stranger@example.org", ana.ID))
	require.True(t, invite(ana.ID, "stranger@example.org"), "who declined can be invited")
	require.True(t, invite(cid.ID, "stranger@example.org"))
	for range 10 {
		invite(bo.ID, "stranger@example.org")
	}
	require.False(t, invite(bo.ID, "stranger@example.org"))
	h.pass(30 * 24 * time.Hour)
	require.True(t, invite(bo.ID, "stranger@example.org"))

	h.confirmed("stranger@example.org")
	for range 5 {
		require.True(t, invite(ana.ID, "stranger@example.org"), "friends are invited as often as one likes")
	}
}

func TestNeverInviteMeAgainStopsInvitationsAlone(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	require.NoError(t, h.Suppress(ctx, "Quiet@example.org"))
	require.NoError(t, h.Suppress(ctx, "quiet@example.org"))
	require.NotContains(t, string(h.files()), "uiet@example.org", "kept as a digest")
	h.restart()
	quiet, err := h.Suppressed(ctx, "quiet@EXAMPLE.org")
	require.NoError(t, err)
	require.True(t, quiet)
	send, err := h.MayInvite(ctx, ana.ID, "quiet@example.org")
	require.NoError(t, err)
	require.False(t, send)
	_, send, err = h.AskSignIn(ctx, "quiet@example.org", "192.0.2.1", "en")
	require.NoError(t, err)
	require.True(t, send)
	require.NoError(t, h.Unsuppress(ctx, "quiet@example.org"))
	h.pass(time.Hour)
	send, err = h.MayInvite(ctx, ana.ID, "quiet@example.org")
	require.NoError(t, err)
	require.True(t, send)
}

func TestForgettingKeepsTheWishNotToBeWrittenTo(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	require.NoError(t, h.Suppress(ctx, p.Address))
	require.NoError(t, h.Forget(ctx, p.ID))
	quiet, err := h.Suppressed(ctx, p.Address)
	require.NoError(t, err)
	require.True(t, quiet)
}
