package imap_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"
	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/mail/imap"
)

// Given a mailbox with others' mails, then only those that bear an address of the house are fetched, handed over once
// and put away, whatever the server can do.
func TestOnlyMailsOfThisHouseAreTouched(t *testing.T) {
	for name, c := range map[string]struct {
		does    func(p *provider)
		query   string
		inbox   int
		handled int
	}{
		"a server that tells and moves": {func(*provider) {}, "", 2, 2},
		"it has no IDLE":                {func(p *provider) { p.noIdle = true }, "", 2, 2},
		"its IDLE tells nothing":        {func(p *provider) { p.silent = true }, "", 2, 2},
		"it has no MOVE": {func(p *provider) { delete(p.caps, goimap.CapMove) }, "?handled=Games%2FDone", 2,
			2},
		"it can neither move nor delete one mail alone": {func(p *provider) {
			delete(p.caps, goimap.CapMove)
			delete(p.caps, goimap.CapUIDPlus)
		}, "", 4, -1},
		"mails are to stay": {func(*provider) {}, "?handled=", 4, -1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t)
			c.does(p)
			p.comes(fmt.Sprintf(ordinary, 1))
			p.starts()
			r := p.up(p.reads("ours.", c.query, nil))
			p.comes(answer("ours.a", "1@x"))
			p.comes(fmt.Sprintf(ordinary, 2) + "To: ana+ours.a@example.org\r\n")
			p.comes(answer("ours.b", "2@x"))
			p.until("both are noted", func() bool { return r.marks.uid() == 4 })
			require.Equal(t, []string{"ana+ours.a@example.org 1@x bo@example.org",
				"ana+ours.b@example.org 2@x bo@example.org"}, r.house.taken())
			require.Equal(t, c.inbox, p.holds("INBOX"))
			folder := "Posthorn"
			if strings.Contains(c.query, "Games") {
				folder = "Games/Done"
			}
			require.Equal(t, c.handled, p.holds(folder))
			r.stop()
			require.Equal(t, []goimap.UID{2, 4}, p.bodies)
			require.Zero(t, p.marked, "no fetch marks a mail as seen")
			for _, uid := range p.touched {
				require.Contains(t, []goimap.UID{2, 4}, uid)
			}
			s := r.Standing()
			require.EqualValues(t, 2, s.Ours)
			require.EqualValues(t, 1, s.Others)
			require.Contains(t, r.log.String(), "the mails that lie in it already are left alone")
		})
	}
}

// Two houses with one mailbox take each their own mails.
func TestHousesShareAMailbox(t *testing.T) {
	p := newProvider(t)
	p.starts()
	a := p.up(p.reads("a.", "?handled=", nil))
	b := p.up(p.reads("b.", "?handled=Games", nil))
	p.comes(answer("a.1", "1@x"))
	p.comes(answer("b.1", "2@x"))
	p.comes(answer("a.2", "3@x"))
	p.until("all are taken", func() bool { return len(a.house.taken()) == 2 && len(b.house.taken()) == 1 })
	require.Equal(t, []string{"ana+a.1@example.org 1@x bo@example.org", "ana+a.2@example.org 3@x bo@example.org"},
		a.house.taken())
	require.Equal(t, []string{"ana+b.1@example.org 2@x bo@example.org"}, b.house.taken())
	p.until("its mail is put away", func() bool { return p.holds("Games") == 1 && p.holds("INBOX") == 2 })
}

// A lost connection and a server that starts again lose nothing, and nothing comes twice.
func TestALostConnectionLosesNothing(t *testing.T) {
	p := newProvider(t)
	p.starts()
	r := p.up(p.reads("ours.", "", nil))
	for i := range 5 {
		p.stops()
		p.until("it is away", func() bool { return !r.Standing().Up })
		p.comes(answer("ours.a", fmt.Sprint(i)))
		p.starts()
		p.until("it is taken", func() bool { return len(r.house.taken()) == i+1 && p.holds("INBOX") == 0 })
		p.up(r)
	}
	require.Equal(t, 5, r.house.times)
	require.Equal(t, 5, p.holds("Posthorn"))
	require.EqualValues(t, 5, strings.Count(r.log.String(), "is read again"))
}

// A password that was changed is told to the host once, and tried slowly; the new one works without a new start.
func TestAPasswordThatWasChangedIsTold(t *testing.T) {
	p := newProvider(t)
	p.starts()
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte(secret+"\n"), 0o600))
	a, err := imap.ReadAccount("imap://ana%40example.org@"+p.at, file)
	require.NoError(t, err)
	r := p.up(p.readsBy(a, "ours.", nil, quick))
	p.stops()
	p.password = "second secret"
	p.starts()
	p.until("it is refused", func() bool { return errors.Is(r.Standing().Trouble, imap.ErrLogin) })
	require.True(t, imap.Refuses(r.Standing().Trouble))
	p.comes(answer("ours.a", "1@x"))
	p.until("it was tried again", func() bool { return r.Standing().Faults > 3 })
	require.Equal(t, 1, strings.Count(r.log.String(), "level=ERROR"), r.log.String())
	require.Contains(t, r.log.String(), "refuses the user or the password")
	require.NotContains(t, r.log.String(), "secret")
	require.NoError(t, os.WriteFile(file, []byte("second secret\n"), 0o600))
	p.until("it is taken", func() bool { return len(r.house.taken()) == 1 })
}

// Who is refused does not try again soon, however often.
func TestARefusedLoginIsNotTriedAtOnce(t *testing.T) {
	p := newProvider(t)
	p.starts()
	p.password = "another"
	a, err := imap.ReadAccount("imap://ana%40example.org:first%20secret@"+p.at, "")
	require.NoError(t, err)
	pace := quick
	pace.Refused = imap.DefaultPace.Refused
	r := p.readsBy(a, "ours.", nil, pace)
	p.until("it is refused", func() bool { return r.Standing().Trouble != nil })
	r.stop()
	require.Equal(t, 1, p.logins)
	require.GreaterOrEqual(t, imap.DefaultPace.Refused, 5*time.Minute)
}

// A folder that was renamed is told; once it is back, its mails are taken.
func TestAFolderThatIsAwayIsTold(t *testing.T) {
	p := newProvider(t)
	p.starts()
	r := p.up(p.reads("ours.", "", nil))
	p.stops()
	require.NoError(t, p.user.Rename("INBOX", "Elsewhere", nil))
	p.starts()
	p.until("it is told", func() bool { return errors.Is(r.Standing().Trouble, imap.ErrFolder) })
	p.until("the host reads which", func() bool { return strings.Contains(r.log.String(), "(it is called INBOX)") })
	require.NoError(t, p.user.Rename("Elsewhere", "INBOX", nil))
	p.comes(answer("ours.a", "1@x"))
	p.until("it is taken", func() bool { return len(r.house.taken()) == 1 })
}

// A folder whose numbers are no longer valid is looked at again from the last look on: what came meanwhile is taken,
// old mails are left alone.
func TestAFolderNumberedAnewLosesNothing(t *testing.T) {
	p := newProvider(t)
	p.starts()
	kept := &marks{all: map[string]mail.Fetched{}}
	r := p.up(p.reads("ours.", "?handled=", kept))
	p.comes(answer("ours.a", "1@x"))
	p.until("it is noted", func() bool { return kept.uid() == 1 })
	r.stop()

	require.NoError(t, p.user.Delete("INBOX"))
	require.NoError(t, p.user.Create("INBOX", nil))
	p.cameAt(answer("ours.old", "0@x"), time.Now().AddDate(0, 0, -9)) // it was there before the house
	p.comes(answer("ours.a", "1@x"))
	p.comes(answer("ours.b", "2@x"))
	again := p.reads("ours.", "?handled=", kept)
	p.until("they are noted", func() bool { return kept.uid() == 3 })
	require.Equal(t, []string{"ana+ours.a@example.org 1@x bo@example.org", "ana+ours.b@example.org 2@x bo@example.org"},
		again.house.taken(), "the house knows the first by its Message-ID")
	require.Contains(t, again.log.String(), "numbers its mails anew")
}

// A mail that cannot be taken now comes again, also after a new start, and keeps no other back.
func TestAMailThatIsPutOffComesAgain(t *testing.T) {
	p := newProvider(t)
	p.starts()
	kept := &marks{all: map[string]mail.Fetched{}}
	r := p.up(p.reads("ours.", "", kept))
	r.house.mu.Lock()
	r.house.puts["1@x"] = errors.New("DNS does not answer")
	r.house.mu.Unlock()
	p.comes(answer("ours.a", "1@x"))
	p.comes(answer("ours.b", "2@x"))
	p.until("the other is taken", func() bool { return len(r.house.taken()) == 1 && r.Standing().Waiting == 1 })
	require.Zero(t, kept.uid())
	r.stop()
	again := p.reads("ours.", "", kept)
	p.until("it is taken", func() bool { return kept.uid() == 1 })
	require.Equal(t, []string{"ana+ours.a@example.org 1@x bo@example.org"}, again.house.taken())
	require.Zero(t, p.holds("INBOX"))
}

// Given a house that stops between taking a mail and noting it, then the mail is handed over again, which the house
// knows; while nothing can be noted, nothing is put off for ever.
func TestAMailThatWasNotNotedComesAgain(t *testing.T) {
	p := newProvider(t)
	p.starts()
	kept := &marks{all: map[string]mail.Fetched{}}
	r := p.up(p.reads("ours.", "?handled=", kept))
	p.until("it began", kept.begun)
	kept.mu.Lock()
	kept.full = true
	kept.mu.Unlock()
	p.comes(answer("ours.a", "1@x"))
	p.until("it is handed over again", func() bool {
		r.house.mu.Lock()
		defer r.house.mu.Unlock()
		return r.house.times > 2
	})
	require.Len(t, r.house.taken(), 1)
	require.Contains(t, r.log.String(), "the disk is full")
	kept.mu.Lock()
	kept.full = false
	kept.mu.Unlock()
	p.until("it is noted", func() bool { return kept.uid() == 1 })
}

// A huge mail is fetched up to a bound, like by the other doors.
func TestAHugeMailIsFetchedInPart(t *testing.T) {
	p := newProvider(t)
	p.starts()
	r := p.up(p.reads("ours.", "", nil))
	p.comes(answer("ours.a", "1@x") + strings.Repeat(strings.Repeat("x", 998)+"\r\n", 3000))
	p.until("it is taken", func() bool { return len(r.house.taken()) == 1 })
	require.Len(t, r.house.raw, 1<<20)
}

// A mailbox of 50,000 others' mails costs what one of none does: each look asks only for what is new.
func TestALargeMailboxIsCheap(t *testing.T) {
	p := newProvider(t)
	const others = 50_000
	for i := range others {
		p.comes(fmt.Sprintf(ordinary, i))
	}
	p.starts()
	r := p.up(p.reads("ours.", "", nil))
	p.until("it is noted", func() bool { return r.marks.uid() == others })
	began := time.Now()
	p.comes(answer("ours.a", "1@x"))
	p.until("it is taken", func() bool { return len(r.house.taken()) == 1 && p.holds("Posthorn") == 1 })
	t.Logf("an answer beside %d mails of others was taken after %s", others, time.Since(began))
	require.Equal(t, others, p.holds("INBOX"))
	r.stop()
	require.Equal(t, []goimap.UID{others + 1}, p.bodies)
	require.EqualValues(t, 0, r.Standing().Others, "no header of an old mail is fetched")
}

// Others' mails that came by thousands while the house was away are looked at by their headers alone.
func TestThousandsOfNewMailsArePassedOver(t *testing.T) {
	p := newProvider(t)
	p.starts()
	kept := &marks{all: map[string]mail.Fetched{}}
	r := p.up(p.reads("ours.", "", kept))
	p.until("it began", kept.begun)
	r.stop()
	const others = 3000
	for i := range others {
		if i == others/2 {
			p.comes(answer("ours.a", "1@x"))
		}
		p.comes(fmt.Sprintf(ordinary, i))
	}
	again := p.reads("ours.", "", kept)
	p.until("all are noted", func() bool { return kept.uid() == others+1 })
	require.Len(t, again.house.taken(), 1)
	require.EqualValues(t, others, again.Standing().Others)
	require.Len(t, p.bodies, 1)
}
