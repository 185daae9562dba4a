package inbound_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
)

// signIn mails somebody a link to sign in, which names no address for answers, and returns it as it arrived.
func (p *post) signIn(to string) mail.Parts {
	p.T.Helper()
	require.NoError(p.T, mail.Post{Outbox: p.outbox}.SignIn(p.Ctx, to, rand.Text(), "pl", ""))
	require.NoError(p.T, p.sender.Flush(p.Ctx))
	return p.newest(to)
}

func TestTheHousesOwnAddressSaysWhatItIsOnceADay(t *testing.T) {
	p := newPost(t)
	p.composer.Hosts = []string{"host@example.org"}
	p.person("Bo", "en")
	sent := p.signIn(bo)
	require.Empty(t, sent.Header.Get("Reply-To"))
	p.answerTo(bo, sent, "yes, I would love to!")
	require.Equal(t, "outcome: told", outcome(p.log.String()))
	require.NoError(t, p.sender.Flush(p.Ctx))
	got := p.newest(bo)
	for _, says := range []string{"This address belongs to Posthorn", "write to host@example.org",
		"https://games.example.org/"} {
		require.Contains(t, flat(got.Text), says)
	}
	require.Equal(t, "<1@example.org>", got.Header.Get("In-Reply-To"))
	require.Equal(t, "auto-replied", got.Header.Get("Auto-Submitted"))

	p.answerTo(bo, got, "thanks")
	require.Equal(t, "why: told today", outcome(p.log.String()))
	p.now.add(24 * time.Hour)
	p.answerTo(bo, got, "thanks again")
	require.Equal(t, "outcome: told", outcome(p.log.String()))
}

func TestAStrangerIsToldOnlyInAnswerToAMailOfTheHouse(t *testing.T) {
	p := newPost(t)
	sent := p.signIn("eve@example.org")
	forged := sent
	forged.Header = sent.Header.Copy()
	forged.Header.Set("Message-Id", "<t.aaaa@games.example.org>")
	p.answerTo("eve@example.org", forged, "hello?")
	require.Equal(t, "why: stranger", outcome(p.log.String()))
	p.answerTo("eve@example.org", sent, "hello?")
	require.Equal(t, "outcome: told", outcome(p.log.String()))
	p.answerTo("eva@example.org", sent, "hello?")
	require.Equal(t, "why: told today", outcome(p.log.String()), "one letter does not make the house write to many")
	require.NoError(t, p.sender.Flush(p.Ctx))
	require.Contains(t, p.newest("eve@example.org").Text, "Posthorn")
}

// Whoever forges the From of somebody who is known here makes the house write to nobody.
func TestAForgedMailToTheHouseIsNotAnswered(t *testing.T) {
	h := newHouse(t)
	h.person("Bo", "en")
	for _, c := range []struct {
		id     string
		signed bool
		want   string
	}{{"1", false, "why: stranger"}, {"2", true, "outcome: told"}} {
		raw := h.mailFrom(bo, "posthorn@games.example.org", c.id, "", "hello")
		if c.signed {
			raw = providertest.Sign(raw, "example.org")
		}
		h.log.Reset()
		require.NoError(t, h.own.Handle(h.Ctx, "posthorn@games.example.org", bo, raw))
		require.Equal(t, c.want, outcome(h.log.String()))
	}
}

func TestTheHouseTakesItsMailButNotOfTheForgotten(t *testing.T) {
	h := newHouse(t)
	gone := h.person("Ana", "en")
	require.True(t, h.own.Takes("Posthorn@Games.example.org"))
	require.False(t, h.own.Takes("post@games.example.org"))
	require.False(t, h.own.Takes("posthorn+x@games.example.org"))
	require.NoError(t, h.people.Forget(h.Ctx, gone))
	require.NoError(t, h.own.Handle(h.Ctx, "posthorn@games.example.org", ana, written(ana, "1", "hello")))
	require.Equal(t, "why: stranger", outcome(h.log.String()))
	h.log.Reset()
	require.NoError(t, h.own.Handle(h.Ctx, "posthorn@games.example.org", "", written(ana, "2", "hello")))
	require.Equal(t, "why: no sender", outcome(h.log.String()))
}
