package provider

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/cmd/posthorn/internal/setup"
	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/porttest"
	"posthorn/http/pagetest"
	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
	"posthorn/mail/imap"
)

// guest is a house that has nothing but an account at a provider.
type guest struct {
	*posthorntest.Living
	*provider
	dns    *providertest.DNS
	people map[domain.PersonID]string
	sent   int
	before map[string][]string // the Message-IDs that somebody had when the last answer was sent
	asked  bool                // about the last answer
	signs  bool                // the provider signs what its people send
	waits  []time.Duration
}

func settles(t *testing.T, p *provider, authServ string) *guest {
	t.Helper()
	s := &guest{provider: p, dns: &providertest.DNS{}, people: map[domain.PersonID]string{},
		before: map[string][]string{}, signs: true}
	cfg := s.setUp()
	cfg.DNS, cfg.AuthServ = s.dns, authServ
	s.Living = posthorntest.Lives(t, cfg)
	p.until("the mailbox is read", func() bool { return s.Fetcher.Standing().Up })
	for _, name := range []string{"ana", "bob"} {
		s.people[s.Guest(name+"@provider.test").ID] = name
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the house said:\n%s\nthe provider:\n%s", s.Log, p.log())
		}
	})
	return s
}

// tried is how many mails setup sends through the mailbox before there is a house.
const tried = 1

// setUp returns the settings that "posthorn setup" writes for somebody who has the account and nothing else.
func (p *provider) setUp() house.Settings {
	p.t.Helper()
	cfg := posthorntest.Settings(filepath.Join(p.t.TempDir(), "house"))
	env := filepath.Join(p.t.TempDir(), "env")
	out, status := posthorntest.Command(p.t, posthorntest.Binary(p.t), "setup", "--no-start", "--env", env,
		"--data", cfg.Data, "--public-url", "http://"+porttest.Address(p.t), "--from", "games@provider.test",
		"--smtp", fmt.Sprintf("smtp://games%%40provider.test:secret@127.0.0.1:%d", p.submits),
		"--inbound", fmt.Sprintf("imap://127.0.0.1:%d", p.imap), "--host", "ana@provider.test", "--opening", "anyone")
	require.Zero(p.t, status, out)
	set, err := setup.ReadEnvironment(env)
	require.NoError(p.t, err)
	for name, to := range map[string]*string{"DATA": &cfg.Data, "LISTEN": &cfg.Listen, "PUBLIC_URL": &cfg.PublicURL,
		"FROM": &cfg.From, "SMTP": &cfg.SMTP, "INBOUND": &cfg.Inbound, "OPENING": &cfg.Opening} {
		*to = set.Get("POSTHORN_" + name)
	}
	require.Equal(p.t, "false", set.Get("POSTHORN_DKIM"), "the provider signs")
	cfg.Host = []string{set.Get("POSTHORN_HOST")}
	return cfg
}

// begins opens a table of both.
func (s *guest) begins(n desk.NewTable) events.Name {
	s.provider.t.Helper()
	h := s.Seated()
	n.Pace = "weekly"
	var ids []domain.PersonID
	for id := range s.people {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		n.Places = append(n.Places, desktest.Player(id))
	}
	ans, err := s.Desk.Open(s.Ctx, desktest.By(ids[0]), events.NewCommandID(), n)
	require.NoError(s.provider.t, err)
	for i, id := range ids {
		h.Does(id, ans.Table, desk.Join{Seat: domain.Seat(i), Chance: []byte("sixteen bytes at least")})
	}
	s.until("the game has begun", func() bool {
		look := h.Sees(ans.Table)
		return look.Table.Status == domain.TableStarted && look.Line != nil && len(look.Line.Awaited()) > 0
	})
	return ans.Table
}

// newest returns the last mail about a table in somebody's inbox that can be answered, beside those that were there
// before.
func (s *guest) newest(table events.Name, who string, before []string) (m mail.Parts) {
	s.provider.t.Helper()
	s.until("a mail comes to "+who, func() bool {
		found := false
		for _, one := range s.mails(who) {
			if one.Header.Get("Reply-To") != "" && !slices.Contains(before, one.Header.Get("Message-Id")) &&
				strings.HasPrefix(one.Header.Get("List-Id"), "<"+table.String()+".") {
				m, found = one, true
			}
		}
		return found
	})
	return m
}

// had lists the Message-IDs of the mails in somebody's inbox.
func (s *guest) had(who string) (out []string) {
	for _, m := range s.mails(who) {
		out = append(out, m.Header.Get("Message-Id"))
	}
	return out
}

// settled waits until all mails have come that are due.
func (s *guest) settled() {
	s.provider.t.Helper()
	s.CaughtUp()
	s.until("all mails are sent", func() bool {
		standing, err := s.Outbox.Standing(s.Ctx)
		return err == nil && standing.Letters == 0
	})
	s.quiet()
}

// answers has somebody answer a mail, as a mail program does, through their provider.
func (s *guest) answers(who string, m mail.Parts, lines ...string) {
	t := s.provider.t
	t.Helper()
	to, err := netmail.ParseAddress(m.Header.Get("Reply-To"))
	require.NoError(t, err)
	s.sent++
	from := who + "@provider.test"
	quoted := "> " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(m.Text), "\r\n", "\n"), "\n", "\r\n> ")
	raw := []byte(fmt.Sprintf("From: %s\r\nTo: <%s>\r\nDate: %s\r\nSubject: Re: %s\r\nMessage-ID: <%d@provider.test>"+
		"\r\nIn-Reply-To: %s\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"+
		"Content-Transfer-Encoding: 8bit\r\n\r\n%s\r\n\r\nOn a day, Posthorn wrote:\r\n%s\r\n", from, to.Address,
		time.Now().Format(time.RFC1123Z), m.Subject, s.sent, m.Header.Get("Message-Id"),
		strings.Join(lines, "\r\n"), quoted))
	if s.signs {
		raw = providertest.Sign(raw, "provider.test")
	}
	s.submitted(from, to.Address, raw)
}

// submitted sends a mail through the provider.
func (s *guest) submitted(from, to string, raw []byte) {
	t := s.provider.t
	t.Helper()
	c, err := smtp.Dial(fmt.Sprintf("127.0.0.1:%d", s.submits))
	require.NoError(t, err)
	user, _, _ := strings.Cut(from, "@")
	require.NoError(t, c.Auth(sasl.NewPlainClient("", user, "secret")))
	require.NoError(t, c.Mail(from, &smtp.MailOptions{Body: smtp.Body8BitMIME}))
	require.NoError(t, c.Rcpt(to, nil))
	w, err := c.Data()
	require.NoError(t, err)
	_, err = w.Write(raw)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, c.Quit())
}

// turn returns a whole turn of a seat as the steady stand-in plays it, in notation.
func (s *guest) turn(look desk.Look, seat domain.Seat) (lines []string) {
	s.provider.t.Helper()
	line := look.Line.Clone()
	for line.Awaits(seat) && len(lines) < 12 {
		seed := fnv.New64a()
		_, _ = seed.Write(look.Name[:])
		m, ok := standin.Steady{}.Choose(standin.Look(line.Rulebook, line.State, seat, seed.Sum64()+line.Version))
		require.True(s.provider.t, ok)
		e, _, err := line.Decide(seat, m)
		require.NoError(s.provider.t, err)
		line.Apply(&e)
		lines = append(lines, look.Rulebook.FormatMove(m, nil))
	}
	return lines
}

// plays answers mails until the game is over, or until enough of them.
func (s *guest) plays(table events.Name, enough int) (mails, moves int) {
	t, h := s.provider.t, s.Seated()
	t.Helper()
	for {
		s.settled()
		look := h.Sees(table)
		open := look.Line.Awaited()
		if len(open) == 0 || enough > 0 && mails >= enough {
			break
		}
		who := s.people[look.Table.Places[open[0].Seat].Holders[0]]
		m := s.newest(table, who, s.before[who])
		all := [2][]string{s.had("ana"), s.had("bob")}
		s.before["ana"], s.before["bob"] = all[0], all[1]
		began := time.Now()
		lines := s.turn(look, open[0].Seat)
		if s.asked { // a whole turn may be ambiguous
			lines = lines[:1]
		}
		handled := s.Fetcher.Standing().Ours
		s.answers(who, m, lines...)
		mails++
		s.until("it is handled", func() bool { return s.Fetcher.Standing().Ours > handled })
		s.until("a mail comes after the answer", func() bool {
			return len(s.files("ana", "")) > len(all[0]) || len(s.files("bob", "")) > len(all[1])
		})
		s.waits = append(s.waits, time.Since(began))
		after := h.Sees(table)
		s.asked = after.Line.Version == look.Line.Version && len(lines) > 1
		require.True(t, s.asked || after.Line.Version > look.Line.Version, "it was played")
		moves += int(after.Line.Version - look.Line.Version)
	}
	return mails, moves
}

// A house with nothing but a provider's account plays a game of each rulebook by replies: a few mails of each, and
// whole games with POSTHORN_LONG=1. Nothing of others' mails in its mailbox is touched.
func TestAGameOfEachByAProvidersMailbox(t *testing.T) {
	games := []desk.NewTable{{Rulebook: "carcassonne"}, {Rulebook: "catan"},
		{Rulebook: "rivals", Choices: domain.Choices{"play": "intro"}}}
	for name, enough := range map[string]int{"with IDLE": 6, "without": 2} {
		t.Run(name, func(t *testing.T) {
			idle := name == "with IDLE"
			if idle && os.Getenv("POSTHORN_LONG") == "1" {
				enough = 0
			}
			s := settles(t, starts(t, idle, false), "")
			s.submitted("ana@provider.test", "games@provider.test", []byte("From: ana@provider.test\r\n"+
				"To: games@provider.test\r\nSubject: Lunch\r\nMessage-ID: <lunch@provider.test>\r\n\r\nTomorrow?\r\n"))
			for _, game := range games {
				table := s.begins(game)
				mails, moves := s.plays(table, enough)
				if enough == 0 {
					require.Equal(t, domain.TableEnded, s.Seated().Sees(table).Table.Status)
				}
				t.Logf("%s: %d moves in %d mails", game.Rulebook, moves, mails)
			}
			slices.Sort(s.waits)
			t.Logf("from an answer to the next mail: median %s, longest %s of %d", s.waits[len(s.waits)/2],
				s.waits[len(s.waits)-1], len(s.waits))
			s.until("all answers are put away", func() bool {
				return len(s.files("games", ".Posthorn")) == tried+s.sent
			})
			left := s.files("games", "")
			require.Len(t, left, 1, "the mail that is another's")
			require.NotContains(t, filepath.Base(left[0]), ":2,S", "it is unread")
			require.NotContains(t, s.log(), "status=bounced")
		})
	}
}

// What the provider finds is believed where the host names it, although its own delivery stands above.
func TestAProvidersResultsAreBelieved(t *testing.T) {
	s := settles(t, starts(t, true, true), "mx.provider.test")
	s.dns.Down.Store(true) // nobody can look a key up
	table := s.begins(desk.NewTable{Rulebook: "carcassonne"})
	mails, moves := s.plays(table, 2)
	require.Equal(t, 2, mails)
	require.Equal(t, 2, moves)
}

// confirmLink finds the link of a mail that asks whether an answer is its reader's.
var confirmLink = regexp.MustCompile(`/a/[A-Za-z0-9_-]{20,}`)

// About an answer that nobody signed its person is asked, by a mail that comes at once; a press of theirs plays it.
func TestAnUnsignedAnswerIsAskedAbout(t *testing.T) {
	s := settles(t, starts(t, true, false), "")
	s.signs = false
	table := s.begins(desk.NewTable{Rulebook: "carcassonne"})
	look := s.Seated().Sees(table)
	seat := look.Line.Awaited()[0].Seat
	who := s.people[look.Table.Places[seat].Holders[0]]
	m := s.newest(table, who, nil)
	before := len(s.files(who, ""))
	s.answers(who, m, s.turn(look, seat)...)
	s.until("the question comes", func() bool { return len(s.files(who, "")) > before })
	require.Equal(t, look.Line.Version, s.Seated().Sees(table).Line.Version)
	require.Contains(t, s.Log.String(), "outcome=held")
	s.until("it is put away", func() bool { return len(s.files("games", ".Posthorn")) == tried+1 })
	link := ""
	for _, m := range s.mails(who) {
		link = cmp.Or(confirmLink.FindString(m.Text), link)
	}
	status, page := s.Get(link, posthorntest.Guest{}, "en")
	require.Equal(t, 200, status)
	form := pagetest.Of(t, page, "") // it goes where the page is
	status, _ = s.Post(link, posthorntest.Guest{}, form.Press(form.Buttons[0]))
	require.Less(t, status, 400)
	require.Greater(t, s.Seated().Sees(table).Line.Version, look.Line.Version)
}

// A server that starts again loses nothing; a password that is changed is told to the host.
func TestAProviderThatIsAwayLosesNothing(t *testing.T) {
	p := starts(t, true, false)
	s := settles(t, p, "")
	table := s.begins(desk.NewTable{Rulebook: "carcassonne"})
	s.plays(table, 1)
	s.stopDovecot()
	s.until("it is away", func() bool { return !s.Fetcher.Standing().Up })
	s.dovecot()
	s.until("it is read again", func() bool { return s.Fetcher.Standing().Up })
	s.plays(table, 1)
	require.Contains(t, s.Log.String(), "answers by mail wait in it")
	s.stopDovecot()
	p.password("another")
	p.dovecot()
	s.until("it is told", func() bool { return errors.Is(s.Fetcher.Standing().Trouble, imap.ErrLogin) })
	s.until("the host reads why", func() bool {
		return strings.Contains(s.Log.String(), "refuses the user or the password")
	})
}

// In a mailbox of 50,000 mails of others an answer is found without reading any of them, and none of them is touched.
func TestAnAnswerAmongFiftyThousandMails(t *testing.T) {
	if os.Getenv("POSTHORN_LONG") != "1" {
		t.Skip("with POSTHORN_LONG=1")
	}
	p := starts(t, true, false)
	const others = 50_000
	box := filepath.Join(p.dir, "dovecot", "people", "games")
	for _, sub := range []string{"cur", "new", "tmp"} {
		require.NoError(t, os.MkdirAll(filepath.Join(box, "mail", sub), 0o700))
	}
	for i := range others {
		raw := fmt.Appendf(nil, "From: ana@provider.test\r\nTo: games@provider.test\r\nSubject: Lunch\r\n"+
			"Message-ID: <lunch-%d@provider.test>\r\n\r\nTomorrow?\r\n", i)
		name := filepath.Join(box, "mail", "cur", fmt.Sprintf("%d.M%dP1.mx:2,", 1700000000+i, i))
		require.NoError(t, os.WriteFile(name, raw, 0o600))
	}
	require.NoError(t, filepath.WalkDir(box, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, 65534, 65534))
	}))
	began := time.Now()
	s := settles(t, p, "")
	t.Logf("the mailbox was read after %s", time.Since(began))
	mails, _ := s.plays(s.begins(desk.NewTable{Rulebook: "carcassonne"}), 4)
	t.Logf("%d answers; from each to the next mail: %s", mails, s.waits)
	s.until("they are put away", func() bool { return len(s.files("games", ".Posthorn")) == tried+s.sent })
	left := s.files("games", "")
	require.Len(t, left, others)
	for _, f := range left {
		require.True(t, strings.HasSuffix(f, ":2,"), "%s bears no flag", f)
	}
	require.Zero(t, s.Fetcher.Standing().Others, "no header of theirs was read")
}

// The doctor signs in, sends a mail to an address that answers go to, and says that it came in.
func TestTheDoctorTriesAProvidersMailbox(t *testing.T) {
	s := settles(t, starts(t, true, false), "")
	bin := posthorntest.Binary(t)
	s.until("the house notes that it is up", func() bool {
		_, err := os.Stat(s.Path("alive"))
		return err == nil
	})
	out, status := posthorntest.Command(t, bin, "doctor", "--data", s.Config.Data, "--smtp", s.Config.SMTP,
		"--inbound", s.Config.Inbound, "--from", s.Config.From, "--public-url", s.Config.PublicURL)
	require.Zero(t, status, out)
	require.Contains(t, out, "mails can come in by the folder INBOX of games@provider.test; its server tells of new")
	require.Regexp(t, `an answer came in after \d\S+, and its move was played at a table in\s+memory|`+
		`an answer came in after \d\S+, signed, and its move was played`, out)
	require.NotContains(t, out, "secret")
	s.until("it is put away", func() bool { return len(s.files("games", ".Posthorn")) == tried+1 })
}
