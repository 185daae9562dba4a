package inbound_test

import (
	"cmp"
	netmail "net/mail"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
)

// friends are two people, each with a mailbox and a browser.
type friends struct {
	*real
	ids    []domain.PersonID
	names  map[domain.PersonID]string
	phones map[domain.PersonID]*browser
	linked int // moves that mails linked, each tried
}

func newFriends(r *real) *friends {
	ana, bo := r.person("Ana", "en"), r.person("Bo", "pl")
	r.which = `=b "?c="` // lists moves: what else there is to answer asks for none
	return &friends{real: r, ids: []domain.PersonID{ana, bo}, names: map[domain.PersonID]string{ana: "ana", bo: "bo"},
		phones: map[domain.PersonID]*browser{ana: r.browser(), bo: r.browser()}}
}

// replies plays a turn by answering the mail about it.
func (f *friends) replies(table events.Name, who domain.PersonID, lines []string, first string) {
	f.T.Helper()
	before := f.Sees(table).Line.Version
	f.answers(f.names[who], lines...)
	if f.Sees(table).Line.Version == before { // a whole turn may be ambiguous
		require.Equal(f.T, "outcome: asked", outcome(f.log.String()), "%v", lines)
		f.deliver(table)
		f.answers(f.names[who], first)
	}
}

// presses plays a turn by the link, in the mail about it, that leads furthest towards the first move. It makes the
// remaining choices on the page, and plays whatever else the turn asks where the button leads. Before that, every move
// that the mail links is opened: its page has the button that plays it.
func (f *friends) presses(table events.Name, who domain.PersonID, lines []string, first string) {
	f.T.Helper()
	look, phone := f.Sees(table), f.phones[who]
	seat := look.Line.Awaited()[0].Seat
	links := f.asking(who, look)
	for _, l := range links {
		move := f.leadsTo(look, seat, l)
		if move == "" {
			require.False(f.T, l.Query().Has("c"), "%s leads to no move", l)
			continue // to the board
		}
		phone.open(l.String())
		form, _ := phone.playing(move)
		require.NotNil(f.T, form, "%s does not play %s", l, move)
		f.linked++
	}
	link, far := furthest(links, f.keys(look, first))
	require.NotNil(f.T, link)
	phone.open(link.String())
	if far == 0 {
		phone.types("m", first)
	}
	phone.chooses(f.keys(look, first), first)
	require.Equal(f.T, look.Line.Version, f.Sees(table).Line.Version, "looking plays nothing")
	phone.plays(first)
	require.Equal(f.T, "/t/"+table.String(), phone.at.Path, "the address holds no capability any more")
	require.Equal(f.T, look.Line.Version+1, f.Sees(table).Line.Version, "a pressed button plays")
	for _, line := range lines[1:] {
		if !f.Sees(table).Line.Awaits(seat) {
			break
		}
		phone.types("m", line)
		phone.plays(line)
	}
}

// asking lists the links of the mail that asks somebody what a table asks now: they say so.
func (f *friends) asking(who domain.PersonID, look desk.Look) []*url.URL {
	f.T.Helper()
	for _, p := range f.mailbox(f.names[who]) {
		links := linksOf(f.T, p.HTML)
		now := func(u *url.URL) bool {
			return u.Query().Get("asked") == strconv.FormatUint(look.Line.Version, 10)
		}
		if strings.HasPrefix(p.Header.Get("List-Id"), "<"+look.Name.String()+".") && slices.ContainsFunc(links, now) {
			return links
		}
	}
	require.Fail(f.T, "no mail asks this", "%v", look.Line.Awaited())
	return nil
}

// leadsTo returns the one legal move whose choices a link has made; "" if it has made none, or not all of them.
func (f *friends) leadsTo(look desk.Look, seat domain.Seat, link *url.URL) string {
	f.T.Helper()
	made := link.Query()["c"]
	for m := range look.Rulebook.Legal(look.Line.State, seat) {
		if text := look.Rulebook.FormatMove(m, nil); len(made) > 0 && slices.Equal(f.keys(look, text), made) {
			return text
		}
	}
	return ""
}

// keys returns the choices that make a move.
func (f *friends) keys(look desk.Look, notation string) (keys []string) {
	f.T.Helper()
	m, err := look.Rulebook.ParseMove(notation, nil)
	require.NoError(f.T, err)
	for _, s := range look.Rulebook.Steps(look.Line.State, m) {
		keys = append(keys, s.Key)
	}
	return keys
}

// play plays a table for a number of turns, or to its end. A mail comes about each turn, in the table's thread.
func (f *friends) play(table events.Name, most int, how func(events.Name, domain.PersonID, []string, string)) {
	f.T.Helper()
	f.deliver(table)
	had := map[domain.PersonID]int{}
	for n := 0; n < most && len(f.Sees(table).Line.Awaited()) > 0; n++ {
		look := f.Sees(table)
		seat := look.Line.Awaited()[0].Seat
		who := look.Table.Places[seat].Holders[0]
		if f.thread(table, who) == had[who] {
			f.deliver(table) // what somebody's own move brought up waits for them to play it
		}
		require.Greater(f.T, f.thread(table, who), had[who], "no mail about what is awaited")
		lines, first := f.lines(table, seat, who)
		for _, id := range f.ids {
			had[id] = f.thread(table, id)
		}
		how(table, who, lines, first)
		require.Greater(f.T, f.Sees(table).Line.Version, look.Line.Version, "%v: %s\n%s", lines, f.log.String(),
			f.server.log())
		f.deliver(table)
	}
	f.deliver(table)
}

// thread returns how many mails somebody has about a table. They must form one thread: all under one root, which no
// other table shares, those that say whose turn it is with one subject, each below the root or below the mail of theirs
// that it answers.
func (f *friends) thread(table events.Name, who domain.PersonID) (n int) {
	f.T.Helper()
	lists, roots, turns := map[string]string{}, map[string]string{}, map[string]string{}
	for _, p := range f.mailbox(f.names[who]) {
		references := strings.Fields(p.Header.Get("References"))
		require.NotEmpty(f.T, references, p.Subject)
		require.Equal(f.T, references[len(references)-1], p.Header.Get("In-Reply-To"))
		list, root := p.Header.Get("List-Id"), references[0]
		require.NotEmpty(f.T, list)
		require.Equal(f.T, list, cmp.Or(lists[root], list))
		require.Equal(f.T, root, cmp.Or(roots[list], root))
		lists[root], roots[list] = list, root
		if saysWhoseTurn(f.T, p) {
			require.Equal(f.T, p.Subject, cmp.Or(turns[root], p.Subject))
			turns[root] = p.Subject
		}
		if strings.HasPrefix(list, "<"+table.String()+".") {
			n++
		}
	}
	return n
}

// saysWhoseTurn reports whether a mail's sender is called so, and not by who has offered or answered something.
func saysWhoseTurn(t testing.TB, p mail.Parts) bool {
	t.Helper()
	from, err := netmail.ParseAddress(p.Header.Get("From"))
	require.NoError(t, err)
	return strings.HasPrefix(from.Name, "Posthorn · ")
}

// Two games of each rulebook, one played by answering mails and one by their links: to the end with POSTHORN_LONG=1,
// otherwise for a few mails.
func TestPeoplePlayByMailProgramThroughARealMailServer(t *testing.T) {
	long := os.Getenv("POSTHORN_LONG") == "1"
	games := []desk.NewTable{{Rulebook: "carcassonne"}, {Rulebook: "catan"},
		{Rulebook: "rivals", Choices: domain.Choices{"play": "intro"}}}
	onEachServer(t, func(t *testing.T, r *real) {
		r.serves(t)
		f := newFriends(r)
		most := 2
		if long {
			most = 1000
		} else if r.server.name == "opensmtpd" {
			games = games[:1]
		}
		for _, game := range games {
			for how, play := range []func(events.Name, domain.PersonID, []string, string){f.replies, f.presses} {
				table := r.started(game, f.ids...)
				f.play(table, most, play)
				t.Logf("%s %s: %d moves", game.Rulebook, []string{"by reply", "by links"}[how],
					r.Sees(table).Line.Version-1)
				require.True(t, !long || r.Sees(table).Table.Status == domain.TableEnded)
			}
		}
		require.Positive(t, f.linked)
		require.NotContains(t, r.server.log(), "status=bounced")
	})
}
