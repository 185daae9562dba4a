package people_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/pass"
	"posthorn/events/people"
)

func TestASessionOpensByCookieUntilItIsOverOrRevoked(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	phone, err := h.OpenSession(ctx, ana.ID, "phone", time.Hour)
	require.NoError(t, err)
	h.pass(time.Minute)
	laptop, err := h.OpenSession(ctx, ana.ID, "laptop "+strings.Repeat("x", 500), 24*time.Hour)
	require.NoError(t, err)
	require.NotEqual(t, phone.Text(), laptop.Text())
	require.NotContains(t, string(h.files()), phone.Text())

	h.restart()
	v, err := h.Session(ctx, phone.Text())
	require.NoError(t, err)
	require.Equal(t, ana.ID, v.Person)
	require.Equal(t, "phone", v.Label)
	for _, secret := range []string{"", "x", phone.Text() + "x", v.Ref} {
		_, err = h.Session(ctx, secret)
		require.ErrorIs(t, err, people.ErrSession)
	}
	list, err := h.Sessions(ctx, ana.ID)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.LessOrEqual(t, len(list[0].Label), 200)
	require.Equal(t, v, list[1])

	require.ErrorIs(t, h.RevokeSession(ctx, bo.ID, v.Ref), people.ErrSession, "another's session")
	require.NoError(t, h.RevokeSession(ctx, ana.ID, list[0].Ref))
	_, err = h.Session(ctx, laptop.Text())
	require.ErrorIs(t, err, people.ErrSession)
	h.pass(59 * time.Minute)
	_, err = h.Session(ctx, phone.Text())
	require.ErrorIs(t, err, people.ErrSession)
	list, err = h.Sessions(ctx, ana.ID)
	require.NoError(t, err)
	require.Empty(t, list)

	last, err := h.OpenSession(ctx, ana.ID, "", time.Hour)
	require.NoError(t, err)
	require.NoError(t, h.RevokeSessions(ctx, ana.ID))
	_, err = h.Session(ctx, last.Text())
	require.ErrorIs(t, err, people.ErrSession)
}

func TestALinkSignsInOnceAndForFifteenMinutes(t *testing.T) {
	h := open(t)
	token, send, err := h.AskSignIn(ctx, "new@example.org", "192.0.2.1", "pt-BR")
	require.NoError(t, err)
	require.True(t, send)
	require.NotContains(t, string(h.files()), token.Text())
	for range 3 { // scanners look as often as they like
		l, err := h.Link(ctx, token.Text())
		require.NoError(t, err)
		require.Equal(t, people.Link{Purpose: people.LinkSignIn, Address: "new@example.org", Language: "pt-BR",
			Expires: h.clock().Add(15 * time.Minute)}, l)
	}
	h.restart()
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if p, err := h.UseLink(ctx, token.Text()); err == nil && p.Language == "pt-BR" && !p.Confirmed.IsZero() {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, won.Load())
	_, err = h.UseLink(ctx, token.Text())
	require.ErrorIs(t, err, people.ErrLink)

	late, _, err := h.AskSignIn(ctx, "new@example.org", "192.0.2.1", "en")
	require.NoError(t, err)
	h.pass(15 * time.Minute)
	_, err = h.Link(ctx, late.Text())
	require.ErrorIs(t, err, people.ErrLink)
	_, err = h.UseLink(ctx, late.Text())
	require.ErrorIs(t, err, people.ErrLink)
}

func TestWithdrawnPassesAreNoLongerGood(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	keys, err := events.NewKeys([32]byte{7})
	require.NoError(t, err)
	maker := pass.New(keys)
	link, err := maker.Make(pass.Facts{Purpose: pass.Play, Person: p.ID, Stream: events.NewName(), Since: 4,
		Kind: "turn"})
	require.NoError(t, err)
	_, err = maker.Open(ctx, link.Text(), h.clock(), h)
	require.NoError(t, err)
	require.NoError(t, h.WithdrawPasses(ctx, p.ID, 1))
	h.restart()
	_, err = maker.Open(ctx, link.Text(), h.clock(), h)
	require.ErrorIs(t, err, pass.ErrRevoked)
	epoch, err := h.PassEpoch(ctx, p.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, epoch)
}
