package people_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

// adds gives a person another address, as they do by its link.
func (h *house) adds(id domain.PersonID, a people.Address, main bool) people.Change {
	h.t.Helper()
	token, send, taken, err := h.AskAddress(ctx, id, a)
	require.NoError(h.t, err)
	require.True(h.t, send && !taken)
	c, err := h.AddAddress(ctx, id, token.Text(), main)
	require.NoError(h.t, err)
	return c
}

// theirs lists a person's addresses, the one that mails go to first.
func (h *house) theirs(id domain.PersonID) (out []people.Address) {
	h.t.Helper()
	all, err := h.Addresses(ctx, id)
	require.NoError(h.t, err)
	for i, o := range all {
		require.Equal(h.t, i == 0, o.Main)
		out = append(out, o.Address)
	}
	return out
}

func addressesOf(all []people.Owned) (out []people.Address) {
	for _, o := range all {
		out = append(out, o.Address)
	}
	return out
}

// backs returns the link by which an address takes a change back, "" for none; told says whether it is told at all.
func backs(c people.Change, a people.Address) (link string, told bool) {
	for _, t := range c.Tell {
		if t.Address == a {
			return t.Back, true
		}
	}
	return "", false
}

func TestAPersonHasSeveralAddresses(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	h.pass(time.Hour)
	c := h.adds(ana.ID, "Ana@work.example", false)
	require.Equal(t, people.AddressAdded, c.What)
	require.Equal(t, []people.Address{"ana@example.org", "Ana@work.example"}, h.theirs(ana.ID))
	h.restart()
	for _, a := range []people.Address{"ana@example.org", "ANA@work.example"} {
		require.Equal(t, ana.ID, h.confirmed(a).ID, "each signs in")
		p, err := h.Ensure(ctx, a, "en")
		require.NoError(t, err)
		require.Equal(t, ana.ID, p.ID, "whoever invites one of them invites her")
		require.EqualValues(t, "ana@example.org", p.Address, "and mails go where they went")
	}

	c, err := h.SetMain(ctx, ana.ID, "ana@WORK.example")
	require.NoError(t, err)
	require.Equal(t, []people.Address{"Ana@work.example", "ana@example.org"}, h.theirs(ana.ID))
	_, told := backs(c, "ana@example.org")
	require.True(t, told, "the other one hears of it")
	p, err := h.Person(ctx, ana.ID)
	require.NoError(t, err)
	require.EqualValues(t, "Ana@work.example", p.Address)
	_, err = h.RemoveAddress(ctx, ana.ID, "ana@work.example")
	refused(t, err, "address-main")
	_, err = h.RemoveAddress(ctx, ana.ID, "bo@example.org")
	refused(t, err, "address-gone")
	_, err = h.SetMain(ctx, ana.ID, "bo@example.org")
	refused(t, err, "address-gone")

	for _, a := range []people.Address{"a@1.example", "a@2.example", "a@3.example"} {
		h.adds(ana.ID, a, false)
	}
	token, _, _, err := h.AskAddress(ctx, ana.ID, "a@4.example")
	require.NoError(t, err)
	_, err = h.AddAddress(ctx, ana.ID, token.Text(), false)
	refused(t, err, "addresses-many")
}

func TestAnAddressOfSomebodyElseIsNotAdded(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	h.adds(bo.ID, "bo@work.example", false)
	for _, a := range []people.Address{"Bo@example.org", "bo@WORK.example"} {
		token, send, taken, err := h.AskAddress(ctx, ana.ID, a)
		require.NoError(t, err)
		require.True(t, taken && !send, "its owner alone is told")
		require.Zero(t, token)
	}
	token, send, _, err := h.AskAddress(ctx, ana.ID, "jo@example.org")
	require.NoError(t, err)
	require.True(t, send)
	jo := h.confirmed("jo@example.org")
	_, err = h.AddAddress(ctx, ana.ID, token.Text(), true)
	refused(t, err, "address-taken")
	require.Equal(t, jo.ID, h.confirmed("jo@example.org").ID)
	require.Equal(t, []people.Address{"ana@example.org"}, h.theirs(ana.ID))
}

func TestAnAddressIsAddedByItsPersonAlone(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	token, _, _, err := h.AskAddress(ctx, ana.ID, "ana@work.example")
	require.NoError(t, err)
	_, err = h.UseLink(ctx, token.Text())
	require.ErrorIs(t, err, people.ErrLink, "it signs nobody in")
	_, err = h.AddAddress(ctx, bo.ID, token.Text(), false)
	require.ErrorIs(t, err, people.ErrLink)
	_, err = h.AddAddress(ctx, ana.ID, token.Text(), false)
	require.NoError(t, err)
	_, err = h.AddAddress(ctx, ana.ID, token.Text(), false)
	require.ErrorIs(t, err, people.ErrLink, "once")
}

// Given somebody who sits at Ana's browser, when they add an address of theirs, have mails go there and remove hers,
// then hers takes all of it back within a week, and theirs has no say.
func TestAnOlderAddressTakesAChangeBack(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	h.pass(30 * 24 * time.Hour)
	h.adds(ana.ID, "ana@work.example", false)
	h.pass(30 * 24 * time.Hour)
	_, err := h.OpenSession(ctx, ana.ID, "", time.Hour)
	require.NoError(t, err)
	_, _, err = h.MakeToken(ctx, ana.ID, people.NewToken{Label: "bot", Scope: people.ScopePlay, Days: 9})
	require.NoError(t, err)

	added := h.adds(ana.ID, "eve@example.net", true)
	require.Equal(t, people.AddressMain, added.What)
	removed, err := h.RemoveAddress(ctx, ana.ID, "ana@example.org")
	require.NoError(t, err)
	_, err = h.RemoveAddress(ctx, ana.ID, "ana@work.example")
	require.NoError(t, err)
	for _, a := range []people.Address{"ana@example.org", "ana@work.example"} {
		link, told := backs(added, a)
		require.True(t, told && link != "", a)
	}
	_, told := backs(removed, "eve@example.net")
	require.True(t, told)
	link, _ := backs(removed, "eve@example.net")
	require.Empty(t, link, "the youngest has no say")

	require.True(t, removed.Removed)
	require.False(t, added.Removed)
	h.pass(6 * 24 * time.Hour)
	link, _ = backs(removed, "ana@example.org")
	_, err = h.UseLink(ctx, link)
	require.ErrorIs(t, err, people.ErrLink, "it is no sign-in")
	l, err := h.BackLink(ctx, link)
	require.NoError(t, err)
	require.EqualValues(t, "ana@example.org", l.Address)
	l, err = h.UseBackLink(ctx, link)
	require.NoError(t, err)
	require.Equal(t, ana.ID, l.Person)
	require.Equal(t, []people.Address{"ana@example.org", "ana@work.example"}, h.theirs(ana.ID))
	sessions, err := h.Sessions(ctx, ana.ID)
	require.NoError(t, err)
	require.Empty(t, sessions)
	tokens, err := h.Tokens(ctx, ana.ID)
	require.NoError(t, err)
	require.Empty(t, tokens)
	_, err = h.UseBackLink(ctx, link)
	require.ErrorIs(t, err, people.ErrLink, "once")
	require.NotEqual(t, ana.ID, h.confirmed("eve@example.net").ID)
}

// Given that Ana finds an address that is not hers, when she removes it, then it is gone at once, whatever its owner
// presses.
func TestAYoungerAddressHasNoSay(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	h.pass(24 * time.Hour)
	h.adds(ana.ID, "eve@example.net", true)
	c, err := h.SetMain(ctx, ana.ID, "ana@example.org")
	require.NoError(t, err)
	link, told := backs(c, "eve@example.net")
	require.True(t, told)
	require.Empty(t, link)
	c, err = h.RemoveAddress(ctx, ana.ID, "eve@example.net")
	require.NoError(t, err)
	link, told = backs(c, "eve@example.net")
	require.True(t, told, "it is told")
	require.Empty(t, link)
	require.Equal(t, []people.Address{"ana@example.org"}, h.theirs(ana.ID))
	require.NotEqual(t, ana.ID, h.confirmed("eve@example.net").ID)
}

func TestARemovedAddressTakesThatBackForAWeek(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	require.NoError(t, h.InviteOpener(ctx, "ana@example.org"))
	study := events.NewName()
	maker := h.confirmed("bo@example.org")
	require.NoError(t, h.ShareWithAddress(ctx, maker.ID, study, "ana@example.org"))
	h.pass(time.Hour)
	h.adds(ana.ID, "ana@new.example", true)
	mailed, send, err := h.AskSignIn(ctx, "ana@example.org", "192.0.2.1", "en")
	require.NoError(t, err)
	require.True(t, send)
	_, err = h.RemoveAddress(ctx, ana.ID, "ana@example.org")
	require.NoError(t, err)
	_, err = h.UseLink(ctx, mailed.Text())
	require.ErrorIs(t, err, people.ErrLink, "what was mailed there before signs in no longer")
	all, err := h.Addresses(ctx, ana.ID)
	require.NoError(t, err)
	require.Equal(t, h.clock().Add(people.BackLasts), all[1].Until)
	_, err = h.SetMain(ctx, ana.ID, "ana@example.org")
	refused(t, err, "address-gone")
	require.Equal(t, []people.Address{"ana@new.example"}, addressesOf(people.Stay(all)))
	mailed, send, err = h.AskSignIn(ctx, "ana@example.org", "192.0.2.1", "en")
	require.NoError(t, err)
	require.True(t, send)
	_, err = h.UseLink(ctx, mailed.Text())
	require.ErrorIs(t, err, people.ErrLink, "nor does a new one")
	h.pass(24 * time.Hour)
	c, send, err := h.AskBack(ctx, ana.ID, all[1])
	require.NoError(t, err)
	require.True(t, send)
	link, _ := backs(c, "ana@example.org")
	l, err := h.BackLink(ctx, link)
	require.NoError(t, err)
	require.Equal(t, all[1].Until, l.Expires, "whoever asks to sign in by it is told how to take that back until then")

	h.pass(people.BackLasts)
	require.Equal(t, []people.Address{"ana@new.example"}, h.theirs(ana.ID))
	_, err = h.UseBackLink(ctx, link)
	require.ErrorIs(t, err, people.ErrLink)
	require.NotEqual(t, ana.ID, h.confirmed("ana@example.org").ID, "now it is anybody's")
	may, err := h.Invited(ctx, ana.ID)
	require.NoError(t, err)
	require.True(t, may, "what she may is hers, not the address's")
	shared, err := h.IsSharedWith(ctx, study, ana.ID)
	require.NoError(t, err)
	require.True(t, shared)
}

func TestABannedPersonIsOutByEveryAddress(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	h.adds(ana.ID, "ana@work.example", false)
	require.NoError(t, h.Ban(ctx, ana.ID, nil))
	out := func(why string) {
		t.Helper()
		for _, a := range []people.Address{"ana@example.org", "Ana@work.example"} {
			_, send, err := h.AskSignIn(ctx, a, "192.0.2.1", "en")
			require.NoError(t, err)
			require.False(t, send, why)
		}
	}
	out("banned")
	require.NoError(t, h.Forget(ctx, ana.ID))
	out("forgotten")
	for _, a := range []people.Address{"ana@example.org", "ana@work.example"} {
		was, err := h.UnbanAddress(ctx, a)
		require.NoError(t, err)
		require.True(t, was)
	}
	bo := h.confirmed("bo@example.org")
	h.adds(bo.ID, "bo@work.example", false)
	require.NoError(t, h.Ban(ctx, bo.ID, nil))
	was, err := h.UnbanAddress(ctx, "bo@work.example")
	require.NoError(t, err)
	require.True(t, was)
	require.Equal(t, bo.ID, h.confirmed("bo@example.org").ID)
}

func TestForgettingErasesEveryAddress(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	h.adds(ana.ID, "ana@secret.example", false)
	h.adds(ana.ID, "ana@other.example", true)
	_, _, _, err := h.AskAddress(ctx, ana.ID, "ana@asked.example")
	require.NoError(t, err)
	require.NoError(t, h.Forget(ctx, ana.ID))
	for _, text := range []string{"example.org", "secret.example", "other.example", "asked.example"} {
		require.NotContains(t, string(h.files()), text)
	}
}

func TestMailsThatComeBackGoToAnotherAddress(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	c, err := h.FallBack(ctx, ana.ID)
	require.NoError(t, err)
	require.Empty(t, c.What, "there is no other")
	h.adds(ana.ID, "ana@work.example", false)
	c, err = h.FallBack(ctx, ana.ID)
	require.NoError(t, err)
	require.Equal(t, people.AddressFailed, c.What)
	_, told := backs(c, "ana@work.example")
	require.True(t, told, "the one that they go to now is told")
	require.Equal(t, []people.Address{"ana@work.example", "ana@example.org"}, h.theirs(ana.ID))
	c, err = h.FallBack(ctx, ana.ID)
	require.NoError(t, err)
	require.Empty(t, c.What, "not back where they came from")
	all, err := h.Addresses(ctx, ana.ID)
	require.NoError(t, err)
	require.False(t, all[1].Failed.IsZero())
	h.confirmed("ana@example.org")
	all, err = h.Addresses(ctx, ana.ID)
	require.NoError(t, err)
	require.True(t, all[1].Failed.IsZero(), "a mail has come")
}

// Whoever finds a browser signed in must not end the account of somebody else: while an older address may take back
// what was changed, nobody deletes it.
func TestNobodyIsForgottenWhileAChangeCanBeTakenBack(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana@example.org")
	h.pass(24 * time.Hour)
	token, to, send, err := h.AskForget(ctx, ana.ID)
	require.NoError(t, err)
	require.True(t, send)
	require.EqualValues(t, "ana@example.org", to)
	_, err = h.UseLink(ctx, token.Text())
	require.ErrorIs(t, err, people.ErrLink, "it is no sign-in")
	l, err := h.ForgetLink(ctx, token.Text())
	require.NoError(t, err)
	require.Equal(t, ana.ID, l.Person)
	h.pass(people.LinkLasts)
	_, err = h.ForgetLink(ctx, token.Text())
	require.ErrorIs(t, err, people.ErrLink)

	h.adds(ana.ID, "eve@example.net", true)
	_, _, _, err = h.AskForget(ctx, ana.ID)
	refused(t, err, "forget-later")
	h.pass(people.BackLasts)
	token, to, _, err = h.AskForget(ctx, ana.ID)
	require.NoError(t, err)
	require.EqualValues(t, "eve@example.net", to)
	require.NoError(t, h.Forget(ctx, ana.ID))
	_, err = h.ForgetLink(ctx, token.Text())
	require.ErrorIs(t, err, people.ErrLink, "it goes with its person")

	host, err := h.MakeHost(ctx, "host@example.org")
	require.NoError(t, err)
	_, _, _, err = h.AskForget(ctx, host.ID)
	refused(t, err, "forget-host")
}
