package people_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/people"
)

var ctx = context.Background()

// house is a store in a file, with a clock of its own.
type house struct {
	*people.Store
	t    *testing.T
	path string
	opt  people.Options
	now  atomic.Int64 // milliseconds
}

func open(t *testing.T) *house { return openWith(t, people.Options{}) }

func openWith(t *testing.T, opt people.Options) *house {
	h := &house{t: t, path: filepath.Join(t.TempDir(), "people.db"), opt: opt}
	h.opt.Now, h.opt.PostedKinds = h.clock, []string{"turn", "over"}
	h.now.Store(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixMilli())
	h.start()
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

func (h *house) start() {
	keys, err := events.NewKeys([32]byte{7})
	require.NoError(h.t, err)
	h.Store, err = people.Open(ctx, h.path, keys, h.opt)
	require.NoError(h.t, err)
}

func (h *house) restart() {
	require.NoError(h.t, h.Close())
	h.start()
}

func (h *house) clock() time.Time     { return time.UnixMilli(h.now.Load()).UTC() }
func (h *house) pass(d time.Duration) { h.now.Add(d.Milliseconds()) }

// confirmed returns a person who has signed in.
func (h *house) confirmed(a people.Address) people.Person {
	token, send, err := h.AskSignIn(ctx, a, "192.0.2.1", "pl")
	require.NoError(h.t, err)
	require.True(h.t, send)
	p, err := h.UseLink(ctx, token.Text())
	require.NoError(h.t, err)
	return p
}

func refused(t *testing.T, err error, code string) {
	t.Helper()
	r, ok := domain.AsRefusal(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, r.Code)
}

// files returns everything in the data folder, as bytes.
func (h *house) files() []byte {
	var all []byte
	for _, suffix := range []string{"", "-wal", "-shm"} {
		b, err := os.ReadFile(h.path + suffix)
		if !errors.Is(err, os.ErrNotExist) {
			require.NoError(h.t, err)
		}
		all = append(all, b...)
	}
	return all
}

func TestAPersonIsMadeOnceForAnAddress(t *testing.T) {
	h := open(t)
	p, err := h.Ensure(ctx, "Ana@example.org", "pt-BR")
	require.NoError(t, err)
	require.Regexp(t, `^[0-9a-f]{32}$`, string(p.ID))
	require.Equal(t, people.Person{ID: p.ID, Address: "Ana@example.org", Language: "pt-BR", Zone: "UTC",
		MailsOff: []string{}, Created: h.clock()}, p)

	again, err := h.Ensure(ctx, "ana@example.org", "en")
	require.NoError(t, err)
	require.Equal(t, p, again)
	h.restart()
	for _, a := range []people.Address{"Ana@example.org", "ANA@example.org"} {
		found, err := h.ByAddress(ctx, a)
		require.NoError(t, err)
		require.Equal(t, p, found)
	}
	found, err := h.Person(ctx, p.ID)
	require.NoError(t, err)
	require.Equal(t, p, found)
}

func TestManyAtOnceMakeOnePerson(t *testing.T) {
	h := open(t)
	ids := make([]domain.PersonID, 32)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			p, err := h.Ensure(ctx, "bo@example.org", "en")
			if err == nil {
				ids[i] = p.ID
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
		require.NotEmpty(t, id)
	}
}

func TestNobodyIsNobody(t *testing.T) {
	h := open(t)
	for _, id := range []domain.PersonID{"", "ana", "00112233445566778899aabbccddeeff"} {
		_, err := h.Person(ctx, id)
		require.ErrorIs(t, err, people.ErrNobody)
		require.ErrorIs(t, h.SetName(ctx, id, "Ana"), people.ErrNobody)
		require.ErrorIs(t, h.SetMails(ctx, id, "turn", false), people.ErrNobody)
		require.ErrorIs(t, h.WithdrawPasses(ctx, id, 1), people.ErrNobody)
		_, err = h.PassEpoch(ctx, id)
		require.ErrorIs(t, err, people.ErrNobody)
		_, err = h.Encrypt(ctx, id, []byte("x"))
		require.ErrorIs(t, err, people.ErrNobody)
		_, err = h.OpenSession(ctx, id, "", time.Hour)
		require.ErrorIs(t, err, people.ErrNobody)
		_, err = h.Invited(ctx, id)
		require.ErrorIs(t, err, people.ErrNobody)
		require.NoError(t, h.Forget(ctx, id))
	}
	_, err := h.ByAddress(ctx, "nobody@example.org")
	require.ErrorIs(t, err, people.ErrNobody)
}

func TestWhatAPersonSaysOfThemselvesIsKept(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	require.Equal(t, "pl", p.Language)
	require.Equal(t, h.clock(), p.Confirmed)
	require.NoError(t, h.SetName(ctx, p.ID, "  Łucja   Ñ  "))
	require.NoError(t, h.SetLanguage(ctx, p.ID, "pt-PT"))
	require.NoError(t, h.SetZone(ctx, p.ID, "Europe/Lisbon"))
	refused(t, h.SetName(ctx, p.ID, "www.example.org"), "name-link")
	refused(t, h.SetLanguage(ctx, p.ID, "tlh"), "language-unknown")
	for _, zone := range []string{"", "Local", "Mars/Base", "../etc/passwd"} {
		refused(t, h.SetZone(ctx, p.ID, zone), "zone-unknown")
	}
	h.restart()
	p, err := h.Person(ctx, p.ID)
	require.NoError(t, err)
	require.Equal(t, "Łucja Ñ", p.Name)
	require.Equal(t, "pt-PT", p.Language)
	require.Equal(t, "Europe/Lisbon", p.Location().String())
	list, err := h.People(ctx, p.ID, p.ID, "00112233445566778899aabbccddeeff")
	require.NoError(t, err)
	require.Equal(t, map[domain.PersonID]people.Person{p.ID: p}, list)
}

func TestMailsCanBeTurnedOffByKind(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	wants := func(kinds ...string) {
		t.Helper()
		q, err := h.Person(ctx, p.ID)
		require.NoError(t, err)
		for _, kind := range []string{"turn", "over", "reminder"} {
			require.Equal(t, strings.Contains(strings.Join(kinds, " "), kind), q.Wants(kind), kind)
		}
	}
	wants("turn", "over", "reminder")
	require.NoError(t, h.SetMails(ctx, p.ID, "over", false))
	require.NoError(t, h.SetMails(ctx, p.ID, "over", false))
	wants("turn", "reminder")
	require.NoError(t, h.SetMails(ctx, p.ID, people.AllMails, false))
	wants()
	require.NoError(t, h.SetMails(ctx, p.ID, people.AllMails, true))
	wants("turn", "over", "reminder")
	require.NoError(t, h.SetMails(ctx, p.ID, "turn", false))
	require.NoError(t, h.SetMails(ctx, p.ID, "turn", true))
	wants("turn", "over", "reminder")
	for _, kind := range []string{"", " ", "two words", " turn"} {
		require.Error(t, h.SetMails(ctx, p.ID, kind, false))
	}
}

func TestTextIsReadableWithThePersonsKeyAlone(t *testing.T) {
	h := open(t)
	ana, bo := h.confirmed("ana@example.org"), h.confirmed("bo@example.org")
	sealed, err := h.Encrypt(ctx, ana.ID, []byte("see you at noon"))
	require.NoError(t, err)
	again, err := h.Encrypt(ctx, ana.ID, []byte("see you at noon"))
	require.NoError(t, err)
	require.NotEqual(t, sealed, again)
	require.Len(t, sealed, len("see you at noon")+28)
	h.restart()
	text, err := h.Decrypt(ctx, ana.ID, sealed)
	require.NoError(t, err)
	require.Equal(t, "see you at noon", string(text))
	_, err = h.Decrypt(ctx, bo.ID, sealed)
	require.ErrorIs(t, err, people.ErrText)
	for i := range sealed {
		altered := bytes.Clone(sealed)
		altered[i] ^= 1
		_, err = h.Decrypt(ctx, ana.ID, altered)
		require.ErrorIs(t, err, people.ErrText)
	}
	_, err = h.Decrypt(ctx, ana.ID, sealed[:5])
	require.ErrorIs(t, err, people.ErrText)
}

func TestAForgottenPersonLeavesNothing(t *testing.T) {
	h := open(t)
	ana := h.confirmed("ana.to.forget@example.org")
	require.NoError(t, h.SetName(ctx, ana.ID, "Anastazja"))
	require.NoError(t, h.InviteOpener(ctx, ana.Address))
	sealed, err := h.Encrypt(ctx, ana.ID, []byte("hello"))
	require.NoError(t, err)
	cookie, err := h.OpenSession(ctx, ana.ID, "Fennec", time.Hour)
	require.NoError(t, err)
	link, _, err := h.AskSignIn(ctx, ana.Address, "192.0.2.1", "en")
	require.NoError(t, err)
	require.Contains(t, string(h.files()), "Anastazja")

	require.NoError(t, h.Forget(ctx, ana.ID))
	require.NoError(t, h.Forget(ctx, ana.ID), "again, as at every start")

	_, err = h.Person(ctx, ana.ID)
	require.ErrorIs(t, err, people.ErrNobody)
	_, err = h.Decrypt(ctx, ana.ID, sealed)
	require.ErrorIs(t, err, people.ErrNobody)
	_, err = h.Session(ctx, cookie.Text())
	require.ErrorIs(t, err, people.ErrSession)
	_, err = h.Link(ctx, link.Text())
	require.ErrorIs(t, err, people.ErrLink)
	for _, trace := range []string{"Anastazja", "ana.to.forget", "Fennec"} {
		require.NotContains(t, string(h.files()), trace)
	}
	id, err := events.ParseName(string(ana.ID))
	require.NoError(t, err)
	require.False(t, bytes.Contains(h.files(), id[:]))
}

func TestSweepingErasesOnlyWhomNoEventNames(t *testing.T) {
	h := open(t)
	confirmed := h.confirmed("ana@example.org")
	named, err := h.Ensure(ctx, "named@example.org", "en")
	require.NoError(t, err)
	orphan, err := h.Ensure(ctx, "orphan@example.org", "en")
	require.NoError(t, err)
	host, err := h.MakeHost(ctx, "host@example.org")
	require.NoError(t, err)
	h.pass(time.Hour)
	fresh, err := h.Ensure(ctx, "fresh@example.org", "en")
	require.NoError(t, err)

	n, err := h.Sweep(ctx, h.clock(), func(_ context.Context, id domain.PersonID) (bool, error) {
		return id == named.ID, nil
	})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	left, err := h.People(ctx, confirmed.ID, named.ID, orphan.ID, host.ID, fresh.ID)
	require.NoError(t, err)
	require.Len(t, left, 4)
	require.NotContains(t, left, orphan.ID)

	broken := errors.New("no log")
	_, err = h.Sweep(ctx, h.clock().Add(time.Hour), func(context.Context, domain.PersonID) (bool, error) {
		return false, broken
	})
	require.ErrorIs(t, err, broken)
}

func TestHostsAndThoseTheyInviteMayOpenTables(t *testing.T) {
	h := open(t)
	host, err := h.MakeHost(ctx, "Host@example.org")
	require.NoError(t, err)
	may := func(id domain.PersonID, want bool) {
		t.Helper()
		got, err := h.Invited(ctx, id)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	may(host.ID, false) // the address is not confirmed yet
	require.Equal(t, host.ID, h.confirmed("host@example.org").ID)
	may(host.ID, true)

	ana := h.confirmed("ana@example.org")
	may(ana.ID, false)
	require.NoError(t, h.InviteOpener(ctx, "ANA@example.org"))
	require.NoError(t, h.InviteOpener(ctx, "ana@example.org"))
	may(ana.ID, true)
	h.restart()
	list, err := h.Openers(ctx)
	require.NoError(t, err)
	require.Equal(t, []people.Address{"ana@example.org"}, list)
	hosts, err := h.Hosts(ctx)
	require.NoError(t, err)
	require.Len(t, hosts, 1)
	require.NoError(t, h.RemoveOpener(ctx, "ana@example.org"))
	may(ana.ID, false)
	require.NoError(t, h.RemoveHost(ctx, host.ID))
	may(host.ID, false)
}

func TestNobodyIsNamedLikeAHost(t *testing.T) {
	h := open(t)
	host, err := h.MakeHost(ctx, "host@example.org")
	require.NoError(t, err)
	eve, early := h.confirmed("eve@example.org"), h.confirmed("lena@example.org")
	require.NoError(t, h.SetName(ctx, early.ID, "Lena"))
	require.NoError(t, h.SetName(ctx, host.ID, "Lena"))
	asked, err := h.Ensure(ctx, "asked@example.org", "en")
	require.NoError(t, err)
	for _, name := range []string{"Lena", "LENA", "The Lena", "A nossa Lena", "Pani Lena", "L3na", "Lena 2",
		"Lena!", "Le na"} {
		refused(t, h.SetName(ctx, eve.ID, name), "name-reserved")
		refused(t, h.Call(ctx, asked.ID, name), "name-reserved")
	}
	for _, name := range []string{"Alena", "Olena", "Lena Nowak", "Helena", "Len"} {
		require.NoError(t, h.SetName(ctx, eve.ID, name), name)
	}
	require.NoError(t, h.SetName(ctx, early.ID, "Lena"), "who had the name before them keeps it")
	refused(t, h.SetName(ctx, early.ID, "The Lena"), "name-reserved")
	require.NoError(t, h.SetName(ctx, host.ID, "The Lena"))
}

func TestSettingsAreKept(t *testing.T) {
	h := open(t)
	for _, value := range []string{"invited", "anyone", "", "x"} {
		require.NoError(t, h.SetSetting(ctx, "opening", value))
		h.restart()
		got, err := h.Setting(ctx, "opening")
		require.NoError(t, err)
		require.Equal(t, value, got)
	}
}

func TestReadingWritesNothing(t *testing.T) {
	h := open(t)
	p := h.confirmed("ana@example.org")
	cookie, err := h.OpenSession(ctx, p.ID, "", time.Hour)
	require.NoError(t, err)
	token, _, err := h.AskSignIn(ctx, "bo@example.org", "192.0.2.1", "en")
	require.NoError(t, err)
	file := func() string {
		a, err := os.ReadFile(h.path)
		require.NoError(t, err)
		b, err := os.ReadFile(h.path + "-wal")
		require.NoError(t, err)
		return fmt.Sprintf("%x %x", a, b)
	}
	before := file()
	h.pass(24 * time.Hour) // even expired data stays until something is written
	_, _ = h.Session(ctx, cookie.Text())
	_, _ = h.Sessions(ctx, p.ID)
	_, _ = h.Link(ctx, token.Text())
	_, _ = h.Person(ctx, p.ID)
	_, _ = h.Suppressed(ctx, p.Address)
	_, _ = h.Invited(ctx, p.ID)
	require.Equal(t, before, file())
}
