package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/rulebooktest/tiny"
	"posthorn/events"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/projections/turn"
)

// asked is a random table of which mails, lists, pages, the API and links must say the same.
type asked struct {
	*twinHouse
	cast  *cast
	rnd   *rand.Rand
	table events.Name
	past  []mail.Notice // whatever anybody was ever written to about
	seen  map[events.AskKind]int
	moot  map[events.Moot]int
	kinds map[string]int // of tables and of how people sit there
	lines []events.Name  // tables that were played at, to be branched
}

func TestMailsListsPagesAndLinksAgreeAboutWhatIsAskedOfWhom(t *testing.T) {
	c := newCast(t)
	h := c.houseOf(t, append(rulebooks.All(), tiny.Rulebook))
	a := &asked{twinHouse: h, cast: c, rnd: rand.New(rand.NewPCG(10, 1)), seen: map[events.AskKind]int{}, moot: map[events.Moot]int{}, kinds: map[string]int{}}
	for range 40 {
		a.opens()
		for range 30 {
			a.happens()
			a.agrees()
		}
	}
	for _, kind := range []events.AskKind{events.AskTurn, events.AskConsent, events.AskInvitation, events.AskOver} {
		require.NotZero(t, a.seen[kind], "something of kind %s was asked", kind)
	}
	for _, why := range []events.Moot{events.MootPlayed, events.MootAnswered, events.MootLapsed, events.MootRewound, events.MootBegan, events.MootEnded} {
		require.NotZero(t, a.moot[why], "something was not asked any more because it was %s", why)
	}
	for _, kind := range []string{"study", "game", "of several", "of one at several seats", "with an order"} {
		require.NotZero(t, a.kinds[kind], "there was a table %s", kind)
	}
}

// opens opens a table with seats of every kind.
func (a *asked) opens() {
	a.t.Helper()
	n := events.NewTable{Rulebook: "tiny", Pace: "weekly"} // its tables come to every state there is in a few moves
	if games := []string{"carcassonne", "catan", "rivals"}; a.rnd.IntN(5) == 0 {
		n.Rulebook = games[a.rnd.IntN(len(games))]
	}
	who := a.cast.players()
	if len(a.lines) > 0 && a.rnd.IntN(3) == 0 {
		n.Branch, n.Rulebook = a.branch()
	}
	alone := a.rnd.IntN(3) == 0
	for i := range 2 {
		if alone {
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{who[0].id}})
			continue
		}
		switch a.rnd.IntN(6) {
		case 0:
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatTeam, Invited: []domain.PersonID{who[i].id, who[2+i].id}})
		case 1:
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatOpen})
		case 2:
			if i > 0 {
				n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "random"})
				continue
			}
			fallthrough
		default:
			n.Places = append(n.Places, domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{who[a.rnd.IntN(len(who))].id}})
		}
	}
	ans, err := a.desk.Open(a.ctx, events.Actor{Person: who[0].id, Door: "page"}, events.NewCommandID(), n)
	require.NoError(a.t, err)
	a.table, a.past = ans.Table, nil
	a.server, err = http.New(a.pages) // which has counted nobody's questions yet: the clock stands still
	require.NoError(a.t, err)
	if n.Branch != nil {
		a.kinds[n.Branch.Kind]++
	}
}

// branch is some moment of a table that was played at, and its game.
func (a *asked) branch() (*domain.Branch, string) {
	from, err := a.desk.Look(a.ctx, a.lines[a.rnd.IntN(len(a.lines))])
	require.NoError(a.t, err)
	return &domain.Branch{Table: from.Name.String(), Line: from.LineName.String(), Version: uint64(1 + a.rnd.IntN(int(from.LineHead.Version))),
		Kind: []string{"study", "game"}[a.rnd.IntN(2)]}, from.Table.Rulebook
}

// happens does something at the table, by whoever may or may not; what is refused did not happen.
func (a *asked) happens() {
	a.t.Helper()
	look := a.look()
	who := a.cast.players()[a.rnd.IntN(len(a.cast.players()))].id
	other := a.cast.players()[a.rnd.IntN(len(a.cast.players()))].id
	seat := domain.Seat(a.rnd.IntN(len(look.Table.Places)))
	switch look.Table.Status {
	case domain.TableOpen:
		a.gathers(look, who, other, seat)
	case domain.TableStarted:
		a.plays(look, who, seat)
	default:
		a.does(who, events.Say{Text: []byte("cipher")})
	}
	if a.rnd.IntN(4) > 0 { // or the runner is late
		_, err := a.desk.Chores(a.ctx, a.table)
		require.NoError(a.t, err)
	}
}

func (a *asked) gathers(look events.Look, who, other domain.PersonID, seat domain.Seat) {
	if s, ok := look.Table.InvitedTo(who); ok {
		seat = s
	}
	switch k := a.rnd.IntN(10); {
	case k < 6:
		a.does(who, events.Join{Seat: seat, Chance: []byte("sixteen bytes or more")})
	case k < 7:
		a.does(who, events.Decline{Seat: seat, Person: who})
	case k < 9:
		a.does(look.Table.Opener, events.Invite{Seat: seat, Person: other})
	default:
		a.does(who, events.Say{Text: []byte("cipher")})
	}
}

func (a *asked) plays(look events.Look, who domain.PersonID, seat domain.Seat) {
	since := uint64(0)
	if p := look.Table.Proposal; p != nil {
		since = p.Since
	}
	switch k := a.rnd.IntN(43); {
	case k < 22:
		a.moves(look)
	case k >= 40:
		a.orders(look, who, seat)
	case k < 27 && look.Line != nil:
		to := uint64(1 + a.rnd.IntN(int(look.Line.Version)+1))
		a.does(who, events.ProposeRewind{To: to, Fresh: a.rnd.IntN(2) == 0})
	case k < 28:
		a.does(who, events.ProposeEnd{})
	case k < 37:
		a.does(who, events.Agree{Since: since})
	case k < 39:
		a.does(who, events.Refuse{Since: since})
	default:
		a.does(who, events.Resign{Seat: seat})
	}
}

// orders has a seat keep or swap beforehand, or takes back what it ordered.
func (a *asked) orders(look events.Look, who domain.PersonID, seat domain.Seat) {
	now, err := a.desk.Orders(a.ctx, a.table, seat, who)
	if a.noError(err); err != nil {
		return
	}
	list := [][]string{{"keep"}, {"roll"}, nil}[a.rnd.IntN(3)]
	_, err = a.desk.SetOrders(a.ctx, events.Actor{Person: who, Door: "page"}, a.table, seat, events.NewCommandID(), now.Version, list, nil)
	if a.noError(err); err == nil && list != nil {
		a.kinds["with an order"]++
	}
}

// moves makes a random move for somebody who is awaited.
func (a *asked) moves(look events.Look) {
	if look.Line == nil || look.Table.Due != "" || len(look.Line.Awaited()) == 0 {
		return
	}
	o := look.Line.Awaited()[a.rnd.IntN(len(look.Line.Awaited()))]
	place := look.Table.Places[o.Seat]
	actor := events.House
	if place.Humans() {
		actor = events.Actor{Person: place.Holders[a.rnd.IntN(len(place.Holders))], Door: "page"}
	} else if look.Table.Proposal != nil {
		return
	}
	var mv domain.Move
	n := 0
	for m := range look.Rulebook.Legal(look.Line.State, o.Seat) {
		if n++; a.rnd.IntN(n) == 0 {
			mv = m
		}
		if n == 50 {
			break
		}
	}
	_, err := a.desk.Play(a.ctx, actor, events.Move{ID: events.NewCommandID(), Table: a.table, Line: look.LineName, Seat: o.Seat, Decision: o, Move: mv})
	a.noError(err)
}

func (a *asked) does(who domain.PersonID, c events.Command) {
	_, err := a.desk.Do(a.ctx, events.Actor{Person: who, Door: "page"}, a.table, events.NewCommandID(), c)
	a.noError(err)
}

func (a *asked) noError(err error) {
	a.t.Helper()
	if _, refused := domain.AsRefusal(err); !refused {
		require.NoError(a.t, err)
	}
}

func (a *asked) look() events.Look {
	look, err := a.desk.Look(a.ctx, a.table)
	require.NoError(a.t, err)
	return look
}

// agrees holds every teller against the asks of the table as it stands.
func (a *asked) agrees() {
	a.t.Helper()
	look := a.look()
	asks, err := a.desk.Asks(a.ctx, look)
	require.NoError(a.t, err)
	last, err := a.log.Last(a.ctx)
	require.NoError(a.t, err)
	require.NoError(a.t, a.lists.Await(a.ctx, last))
	a.mails(look, asks)
	for _, who := range a.cast.who {
		var mine []events.Ask
		for _, x := range asks {
			if x.Person == who.id {
				a.seen[x.Kind]++
				mine = append(mine, x)
			}
		}
		a.list(who, mine)
		a.page(who, mine)
		a.seated(look, who)
	}
	who := a.cast.who[a.rnd.IntN(len(a.cast.who))]
	mine := slices.DeleteFunc(slices.Clone(asks), func(x events.Ask) bool { return x.Person != who.id })
	a.api(look, who, mine)
	a.browser(look, who, mine)
	a.links(look)
	if look.Line != nil && !slices.Contains(a.lines, a.table) {
		a.lines = append(a.lines, a.table)
	}
}

// mails asks for a mail about each ask, but for the seat that the opener keeps for themselves.
func (a *asked) mails(look events.Look, asks []events.Ask) {
	a.t.Helper()
	notices, err := a.notifier.Wanted(a.ctx, a.table)
	require.NoError(a.t, err)
	var want, got []string
	for _, x := range asks {
		if x.Kind != events.AskInvitation || x.Person != look.Table.Opener {
			want = append(want, fmt.Sprint(x.Kind, x.Person, x.Stream, x.Open))
		}
	}
	for _, n := range notices {
		got = append(got, fmt.Sprint(n.Kind, n.Person, n.Stream, n.Open))
		require.NoError(a.t, a.composer.StillNeeded(a.ctx, n))
	}
	require.ElementsMatch(a.t, want, got, "the mails are about what is asked")
	a.past = append(a.past, notices...)
}

func (a *asked) list(who somebody, mine []events.Ask) {
	a.t.Helper()
	items, err := a.lists.Inbox(a.ctx, who.id)
	require.NoError(a.t, err)
	want, got := []string{}, []string{}
	for _, x := range mine {
		if x.Kind != events.AskOver {
			want = append(want, fmt.Sprint(x.Open))
		}
	}
	for _, it := range items {
		for _, w := range it.Awaited {
			if it.Table == a.table {
				got = append(got, fmt.Sprint(w.Open))
			}
		}
	}
	require.ElementsMatch(a.t, want, got, "%s's list has what is asked, since the same moment", who.name)
}

func (a *asked) page(who somebody, mine []events.Ask) {
	a.t.Helper()
	m, err := a.composer.Maker.Turn(a.ctx, a.table, turn.Asker{Person: who.id, Seat: domain.Nobody, Lang: "en"})
	require.NoError(a.t, err)
	turns, consents := []domain.Open{}, 0
	for _, x := range mine {
		switch x.Kind {
		case events.AskTurn:
			turns = append(turns, x.Open)
		case events.AskConsent:
			consents++
		}
	}
	if m.Decision == nil {
		require.Empty(a.t, turns, "%s's page asks", who.name)
	} else {
		require.Contains(a.t, turns, *m.Decision, "%s's page asks for a decision that is asked of them", who.name)
	}
	require.Equal(a.t, consents > 0, m.Proposal != nil && m.Proposal.MayAgree, "%s's page asks for consent", who.name)
}

// seated notes how somebody sits at the table.
func (a *asked) seated(look events.Look, who somebody) {
	seats := look.Table.SeatsOf(who.id)
	if len(seats) > 1 {
		a.kinds["of one at several seats"]++
	}
	for _, s := range seats {
		if len(look.Table.Places[s].Holders) > 1 {
			a.kinds["of several"]++
		}
	}
}

// asksOf is what a table says to a program of somebody, or to their browser, of what is asked.
type asksOf struct {
	Decision *struct {
		Seat   domain.Seat
		Kind   string
		Serial int
		Since  uint64
	}
	Proposal *struct {
		Since    uint64
		MayAgree bool `json:"may_agree"`
	}
	Seats []struct {
		Letter  string
		Invited []struct{ Name string }
	}
}

// api asks a program's address of the table, by every seat of its person, and now and then its
// inbox.
func (a *asked) api(look events.Look, who somebody, mine []events.Ask) {
	a.t.Helper()
	if !look.Table.SeenBy(who.id) {
		code, _ := a.asks("GET", "/api/v1/tables/"+a.table.String(), nil, calling(who))
		require.Equal(a.t, nethttp.StatusNotFound, code)
		require.Empty(a.t, mine)
		return
	}
	for seat := range look.Table.Places {
		var says asksOf
		a.reads(fmt.Sprintf("/api/v1/tables/%s?seat=%d", a.table, seat), who, &says)
		var turns, others []domain.Open // of this seat and, where it is not asked, of others of theirs
		consent, invited := uint64(0), false
		for _, x := range mine {
			switch {
			case x.Kind == events.AskTurn && int(x.Open.Seat) == seat:
				turns = append(turns, x.Open)
			case x.Kind == events.AskTurn:
				others = append(others, x.Open)
			case x.Kind == events.AskConsent:
				consent = x.Open.Since
			case x.Kind == events.AskInvitation && int(x.Open.Seat) == seat:
				invited = true
			}
		}
		if len(turns) == 0 {
			turns = others
		}
		if d := says.Decision; d == nil {
			require.Empty(a.t, turns, "%s's program is asked for seat %d", who.name, seat)
		} else {
			require.Contains(a.t, turns, domain.Open{Decision: domain.Decision{Seat: d.Seat, Kind: d.Kind, Serial: d.Serial}, Since: d.Since})
		}
		if says.Proposal == nil || !says.Proposal.MayAgree {
			require.Zero(a.t, consent, "%s's program is asked for consent", who.name)
		} else {
			require.Equal(a.t, consent, says.Proposal.Since)
		}
		named := slices.ContainsFunc(says.Seats[seat].Invited, func(p struct{ Name string }) bool { return p.Name == who.name })
		require.Equal(a.t, invited, named && look.Table.Status == domain.TableOpen, "%s's program is invited", who.name)
	}
	if a.rnd.IntN(8) > 0 {
		return
	}
	var inbox struct {
		Tables []struct{ Table, State string }
	}
	a.reads("/api/v1/inbox", who, &inbox)
	state := ""
	for _, row := range inbox.Tables {
		if row.Table == a.table.String() {
			state = row.State
		}
	}
	require.Equal(a.t, a.has(mine, events.AskTurn, events.AskConsent), state == "awaits", "%s's inbox has the table among those that are %s", who.name, state)
	require.Equal(a.t, a.has(mine, events.AskInvitation), state == "invited")
}

func (a *asked) has(mine []events.Ask, kinds ...events.AskKind) bool {
	return slices.ContainsFunc(mine, func(x events.Ask) bool { return slices.Contains(kinds, x.Kind) })
}

func (a *asked) reads(path string, who somebody, into any) {
	a.t.Helper()
	code, answer := a.asks("GET", path, nil, calling(who))
	require.Equal(a.t, nethttp.StatusOK, code, "%s: %s", path, answer)
	_, body, _ := bytes.Cut(answer, []byte("\n\n"))
	require.NoError(a.t, json.Unmarshal(body, into), "%s", body)
}

// browser opens the table's page as it is served: its heading, its buttons, and what they name.
func (a *asked) browser(look events.Look, who somebody, mine []events.Ask) {
	a.t.Helper()
	code, page := a.asks("GET", "/t/"+a.table.String(), nil, browsing(who))
	if !look.Table.SeenBy(who.id) {
		require.Equal(a.t, nethttp.StatusNotFound, code)
		return
	}
	require.Equal(a.t, nethttp.StatusOK, code)
	text := string(page)
	if look.Line != nil && look.Table.Status != domain.TableOpen {
		require.Equal(a.t, a.has(mine, events.AskTurn), strings.Contains(text, `class="status mine"`), "%s's page says that it is their turn", who.name)
	}
	require.Equal(a.t, a.has(mine, events.AskConsent), strings.Contains(text, `/agree">`), "%s's page has a button to agree", who.name)
	for _, x := range mine {
		switch x.Kind {
		case events.AskConsent:
			require.Contains(a.t, text, fmt.Sprintf(`name="since" value="%d"`, x.Open.Since))
		case events.AskInvitation:
			require.Contains(a.t, text, `/join"`, "%s's page has a button to join", who.name)
		}
	}
}

// links opens the link of a mail that was wanted once: it is good as long as its ask.
func (a *asked) links(look events.Look) {
	a.t.Helper()
	if len(a.past) == 0 {
		return
	}
	n := a.past[a.rnd.IntN(len(a.past))]
	moot := look.Moot(events.Ask{Kind: events.AskKind(n.Kind), Person: n.Person, Table: n.Table, Stream: n.Stream, Open: n.Open})
	a.moot[moot]++
	err := a.composer.StillNeeded(a.ctx, n)
	require.Equal(a.t, moot == events.MootNot, err == nil, "the mail is dropped when it is %s: %v", moot, err)
	if n.Kind == mail.KindInvitation && look.Table.Status == domain.TableOpen || n.Kind == mail.KindOver {
		return // the page of the seats, or of the result, is there to be seen
	}
	token, err := a.composer.Passes.Act(a.ctx, n)
	require.NoError(a.t, err)
	code, page := a.asks("GET", "/p/"+token, nil)
	want := nethttp.StatusOK
	if moot != events.MootNot {
		want = nethttp.StatusGone
	}
	require.Equal(a.t, want, code, "the link of %v is %q: %s", n.Open, moot, page)
}
