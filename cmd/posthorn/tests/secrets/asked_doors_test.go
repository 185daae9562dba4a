package secrets

import (
	"bytes"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/projections/turn"
)

// agrees compares everything that tells people what is asked with the table's asks.
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
		var mine []desk.Ask
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
	mine := slices.DeleteFunc(slices.Clone(asks), func(x desk.Ask) bool { return x.Person != who.id })
	a.api(look, who, mine)
	a.browser(look, who, mine)
	a.links(look)
	if look.Line != nil && !slices.Contains(a.lines, a.table) {
		a.lines = append(a.lines, a.table)
	}
}

// mails checks that there is a mail about each ask, except for the seat that the opener keeps for themselves, until it
// is the last one open; what a seat is asked at once has one.
func (a *asked) mails(look desk.Look, asks []desk.Ask) {
	a.t.Helper()
	notices, err := a.notifier.Wanted(a.ctx, a.table)
	require.NoError(a.t, err)
	var want, got []string
	for i, x := range asks {
		kept := x.Kind == desk.AskInvitation && x.Person == look.Table.Opener && x.Again == 0
		if !kept && !slices.ContainsFunc(asks[:i], x.Beside) {
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

func (a *asked) list(who somebody, mine []desk.Ask) {
	a.t.Helper()
	items, err := a.lists.Inbox(a.ctx, who.id)
	require.NoError(a.t, err)
	want, got := []string{}, []string{}
	for _, x := range mine {
		if x.Kind != desk.AskOver {
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

func (a *asked) page(who somebody, mine []desk.Ask) {
	a.t.Helper()
	m, err := a.composer.Maker.Turn(a.ctx, a.table, turn.Asker{Person: who.id, Seat: domain.Nobody, Lang: "en"})
	require.NoError(a.t, err)
	turns, consents := []domain.Open{}, 0
	for _, x := range mine {
		switch x.Kind {
		case desk.AskTurn:
			turns = append(turns, x.Open)
		case desk.AskConsent:
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

// seated records how somebody sits at the table.
func (a *asked) seated(look desk.Look, who somebody) {
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

// asksOf is what a table tells a person's program or browser about what is asked.
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

// api requests the table from the API, for every seat of the person, and now and then their inbox.
func (a *asked) api(look desk.Look, who somebody, mine []desk.Ask) {
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
		var turns, others []domain.Open // of this seat and, where it is not asked, of their other seats
		consent, invited := uint64(0), false
		for _, x := range mine {
			switch {
			case x.Kind == desk.AskTurn && int(x.Open.Seat) == seat:
				turns = append(turns, x.Open)
			case x.Kind == desk.AskTurn:
				others = append(others, x.Open)
			case x.Kind == desk.AskConsent:
				consent = x.Open.Since
			case x.Kind == desk.AskInvitation && int(x.Open.Seat) == seat:
				invited = true
			}
		}
		if len(turns) == 0 {
			turns = others
		}
		if d := says.Decision; d == nil {
			require.Empty(a.t, turns, "%s's program is asked for seat %d", who.name, seat)
		} else {
			require.Contains(a.t, turns, domain.Open{
				Decision: domain.Decision{Seat: d.Seat, Kind: d.Kind, Serial: d.Serial}, Since: d.Since})
		}
		if says.Proposal == nil || !says.Proposal.MayAgree {
			require.Zero(a.t, consent, "%s's program is asked for consent", who.name)
		} else {
			require.Equal(a.t, consent, says.Proposal.Since)
		}
		named := slices.ContainsFunc(says.Seats[seat].Invited, func(p struct{ Name string }) bool {
			return p.Name == who.name
		})
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
	require.Equal(a.t, a.has(mine, desk.AskTurn, desk.AskConsent), state == "awaits",
		"%s's inbox has the table among those that are %s", who.name, state)
	require.Equal(a.t, a.has(mine, desk.AskInvitation), state == "invited")
}

func (a *asked) has(mine []desk.Ask, kinds ...desk.AskKind) bool {
	return slices.ContainsFunc(mine, func(x desk.Ask) bool { return slices.Contains(kinds, x.Kind) })
}

func (a *asked) reads(path string, who somebody, into any) {
	a.t.Helper()
	code, answer := a.asks("GET", path, nil, calling(who))
	require.Equal(a.t, nethttp.StatusOK, code, "%s: %s", path, answer)
	_, body, _ := bytes.Cut(answer, []byte("\n\n"))
	require.NoError(a.t, json.Unmarshal(body, into), "%s", body)
}

// browser opens the table's page as served: its heading, its buttons, and what they name.
func (a *asked) browser(look desk.Look, who somebody, mine []desk.Ask) {
	a.t.Helper()
	code, page := a.asks("GET", "/t/"+a.table.String(), nil, browsing(who))
	if !look.Table.SeenBy(who.id) {
		require.Equal(a.t, nethttp.StatusNotFound, code)
		return
	}
	require.Equal(a.t, nethttp.StatusOK, code)
	text := string(page)
	if look.Line != nil && look.Table.Status != domain.TableOpen {
		require.Equal(a.t, a.has(mine, desk.AskTurn), strings.Contains(text, `class="status mine"`),
			"%s's page says that it is their turn", who.name)
	}
	require.Equal(a.t, a.has(mine, desk.AskConsent), strings.Contains(text, `/agree">`),
		"%s's page has a button to agree", who.name)
	for _, x := range mine {
		switch x.Kind {
		case desk.AskConsent:
			require.Contains(a.t, text, fmt.Sprintf(`name="since" value="%d"`, x.Open.Since))
		case desk.AskInvitation:
			require.Contains(a.t, text, `/join"`, "%s's page has a button to join", who.name)
		}
	}
}

// links opens the link of a mail that was wanted at some time: it is good as long as its ask.
func (a *asked) links(look desk.Look) {
	a.t.Helper()
	if len(a.past) == 0 {
		return
	}
	n := a.past[a.rnd.IntN(len(a.past))]
	ask := desk.Ask{Kind: desk.AskKind(n.Kind), Person: n.Person, Table: n.Table, Stream: n.Stream, Open: n.Open}
	stale := look.Stale(ask)
	a.stale[stale]++
	needed := stale == desk.StillAsked
	if needed && n.Kind == mail.KindInvitation && n.Again { // the invitation stands, but is theirs still the last seat?
		rec, err := events.LoadOne(a.ctx, a.desk.Log(), n.Stream, max(1, look.Again(ask)))
		require.NoError(a.t, err)
		needed = look.Again(ask) > 0 && rec.Hash == n.Head
	}
	err := a.composer.StillNeeded(a.ctx, n)
	require.Equal(a.t, needed, err == nil, "the mail is dropped when it is %s: %v", stale, err)
	if n.Kind == mail.KindInvitation && look.Table.Status == domain.TableOpen || n.Kind == mail.KindOver {
		return // the page of the seats, or of the result, may be seen
	}
	token, err := a.composer.Passes.Act(a.ctx, n)
	require.NoError(a.t, err)
	code, page := a.asks("GET", "/p/"+token, nil)
	if stale == desk.StillAsked {
		require.Equal(a.t, nethttp.StatusOK, code, "the link of %v: %s", n.Open, page)
		return
	}
	if !look.Table.SeenBy(n.Person) { // a study, of which people who declined see nothing
		require.Equal(a.t, nethttp.StatusGone, code, "the link of %v is %q: %s", n.Open, stale, page)
		return
	}
	require.Equal(a.t, nethttp.StatusSeeOther, code, "the link of %v is %q: %s", n.Open, stale, page)
	code, page = a.asks("GET", "/t/"+look.Name.String()+"?link="+token, nil)
	require.Equal(a.t, nethttp.StatusGone, code, "the link of %v is %q, and leads nobody else on: %s", n.Open, stale,
		page)
}
