package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/pass"
	"posthorn/events/people"
)

// someone is a person at a seat, with a mailbox.
type someone struct{ name, address, lang string }

// friends hold the seats of the outer games, in this order.
var friends = []someone{
	{"Ana", "ana@example.org", "en"}, {"Bo", "bo@example.org", "pt-PT"},
	{"Cyryl", "cyryl@example.org", "pl"}, {"Dora", "dora@example.org", "pt-BR"},
}

// gather makes a house with a table whose first seats are held by people; the other places are as the table says.
func gather(t *testing.T, data string, table desk.NewTable, who ...someone) events.Name {
	t.Helper()
	ctx := context.Background()
	h, err := house.Open(ctx, house.Settings{Settings: folder.Settings{Data: data}, Listen: "127.0.0.1:0",
		From: "posthorn@localhost", Opening: "anyone"}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	var ids []domain.PersonID
	for i, w := range who {
		a, err := people.ParseAddress(w.address)
		require.NoError(t, err)
		p, err := h.People.Ensure(ctx, a, w.lang)
		require.NoError(t, err)
		require.NoError(t, h.People.SetName(ctx, p.ID, w.name))
		ids = append(ids, p.ID)
		table.Places[i] = domain.TablePlace{Kind: domain.SeatPlayer, Invited: []domain.PersonID{p.ID}}
	}
	ans, err := h.Desk.Open(ctx, events.Actor{Person: ids[0], Door: "host"}, events.NewCommandID(), table)
	require.NoError(t, err)
	for i, id := range ids {
		_, err = h.Desk.Do(ctx, events.Actor{Person: id, Door: "host"}, ans.Table, events.NewCommandID(),
			desk.Join{Seat: domain.Seat(i), Chance: []byte("sixteen bytes and more")})
		require.NoError(t, err)
	}
	return ans.Table
}

// byMail plays a game as its people do: through the links of the mails in the built-in mailbox, and the pages that
// follow. A player that sees the log, but only what the seat may know, chooses the moves; every press is a press in
// Chromium.
type byMail struct {
	*browser
	data    string
	p       *posthorntest.Running
	offline folder.Offline
	passes  *pass.Maker
	table   events.Name
	name    string                     // of its pictures
	shown   map[string]bool            // what already has a picture
	read    map[string]bool            // mails already read
	link    map[domain.Open]string     // the mail that asks for a decision
	person  map[string]domain.PersonID // the recipient of each mail
	at      domain.PersonID            // recipient of the last opened mail, whose seat the browser keeps after a press
	// ordered has the seats with standing orders, and the kind of decision that these answer.
	ordered map[domain.Seat]string
	moves   int
	mailed  int // decisions played from a mail, not from the page before
	// fill says, by notation, how to fill in the page's form for a move that is in no list.
	fill map[string]filling
	// later reports, among everything awaited, what to leave until nothing else is; nil leaves nothing.
	later func(open []domain.Open, o domain.Open) bool
	// choose picks the move for a decision; nil leaves it to the steady stand-in.
	choose func(*domain.Line, domain.Open) domain.Move
}

// playing starts the program on a house made by gather.
func playing(t *testing.T, name, data string, table events.Name, width, height int64) *byMail {
	t.Helper()
	m := &byMail{browser: newBrowser(t, width, height),
		p:    posthorntest.Start(t, posthorntest.Binary(t), "127.0.0.1:0", "serve", "--data", data, "--pause", "1ms"),
		data: data, name: name, shown: map[string]bool{}, table: table, read: map[string]bool{},
		link: map[domain.Open]string{}, person: map[string]domain.PersonID{}}
	var err error
	m.offline, err = folder.OpenOffline(context.Background(), data, false)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.offline.Log.Close()) })
	keys, err := folder.ServerKeys(data)
	require.NoError(t, err)
	m.passes = pass.New(keys)
	return m
}

// look returns the table as its log has it.
func (m *byMail) look() desk.Look {
	m.t.Helper()
	l, err := m.offline.Desk.Look(context.Background(), m.table)
	require.NoError(m.t, err)
	return l
}

// playUntil plays whatever is awaited until enough says so, or the table has ended. It fails after most moves, which no
// game needs.
func (m *byMail) playUntil(most int, enough func() bool) {
	m.t.Helper()
	for !enough() {
		open, ended := m.awaited()
		if ended {
			return
		}
		require.Less(m.t, m.moves, most, "the game does not end")
		m.play(open)
	}
}

// awaited waits until a person's decision is awaited and returns it, or returns true once the table has ended.
func (m *byMail) awaited() (domain.Open, bool) {
	m.t.Helper()
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(5 * time.Millisecond) {
		look := m.look()
		if look.Table.Status == domain.TableEnded {
			return domain.Open{}, true
		}
		if look.Line == nil {
			continue
		}
		open := slices.Clone(look.Line.Awaited())
		open = slices.DeleteFunc(open, func(o domain.Open) bool {
			return !look.Table.Places[o.Seat].Humans() || m.ordered[o.Seat] == o.Kind
		})
		if all := slices.Clone(open); m.later != nil {
			open = slices.DeleteFunc(open, func(o domain.Open) bool { return m.later(all, o) })
		}
		slices.SortStableFunc(open, func(a, b domain.Open) int { // somebody asked in the middle of a turn answers first
			return cmp.Compare(b.Since, a.Since)
		})
		if slices.ContainsFunc(open, func(o domain.Open) bool { return m.forced(look, o) }) {
			continue // the house is about to make that move, and asks nobody
		}
		if i := slices.IndexFunc(open, m.asked); i >= 0 { // but nobody leaves a page that asks for something
			return open[i], false
		}
		if len(open) > 0 {
			return open[0], false
		}
	}
	m.t.Fatalf("nothing is awaited: %s", m.p.Log)
	return domain.Open{}, false
}

// forced reports whether a decision has, visibly to everybody, only one move, and follows from something that can no
// longer be taken back.
func (m *byMail) forced(look desk.Look, o domain.Open) bool {
	m.t.Helper()
	forced := look.Rulebook.Extras().Forced
	if forced == nil {
		return false
	}
	if _, ok := forced(look.Rulebook.View(look.Line.State, domain.Spectator), o.Decision); !ok {
		return false
	}
	rec, err := events.LoadOne(context.Background(), m.offline.Log, look.LineName, look.Line.Version)
	require.NoError(m.t, err)
	e, ok, err := events.DecodePlay(look.Rulebook, &rec, nil, domain.Spectator)
	require.NoError(m.t, err)
	return ok && e.Move != "" && (len(rec.Parts) > 0 || len(e.Draws) > 0 || e.Seat != o.Seat)
}

// play makes the move for a decision: on the page, if that asks for it already, or from its mail.
func (m *byMail) play(o domain.Open) {
	m.t.Helper()
	look := m.look()
	move := m.decide(look.Line, o)
	if !m.asked(o) {
		m.openMail(o)
		m.mailed++
	}
	m.shotOf(o)
	if form, ok := m.fill[look.Rulebook.FormatMove(move, nil)]; ok {
		m.fillIn(form)
	} else {
		m.steps(look, o, move)
	}
	m.once("confirm-" + o.Kind)
	m.press(m.plays(look.Rulebook.FormatMove(move, nil)))
	m.moves++
	after := m.look()
	require.Greater(m.t, after.Line.Version, look.Line.Version, "pressing played %s\n%s",
		look.Rulebook.FormatMove(move, nil), m.text("main"))
	m.once("played-" + o.Kind)
}

// shotOf saves a picture of the mail or page that asks for a decision, if it is the first of its kind, and one from the
// middle of the game.
func (m *byMail) shotOf(o domain.Open) {
	m.t.Helper()
	what := o.Kind
	if m.moves >= 60 {
		what = "late-" + what
	}
	if strings.Contains(m.url(), "/mailbox/") {
		what = "mail-" + what
	}
	m.once(what)
}

// once saves the first picture of something.
func (m *byMail) once(what string) {
	m.t.Helper()
	if !m.shown[what] {
		m.shown[what] = true
		m.shot(m.name + "-" + what)
	}
}

func (m *byMail) decide(line *domain.Line, o domain.Open) domain.Move {
	m.t.Helper()
	if m.choose != nil {
		if move := m.choose(line, o); move != nil {
			return move
		}
	}
	seed := fnv.New64()
	_, _ = seed.Write([]byte(m.table.String()))
	move, ok := standin.Steady{}.Choose(standin.Look(line.Rulebook, line.State, o.Seat, seed.Sum64()+line.Version))
	require.True(m.t, ok, "%v has no move", o)
	return move
}

// steps presses what leads to a move until it can be confirmed: its link in the mail, and then, level by level, what
// the page lists.
func (m *byMail) steps(look desk.Look, o domain.Open, move domain.Move) {
	m.t.Helper()
	notation := look.Rulebook.FormatMove(move, nil)
	var keys []string
	for _, s := range look.Rulebook.Steps(look.Line.State, move) {
		keys = append(keys, s.Key)
	}
	for range len(keys) + 2 {
		if m.plays(notation) != "" {
			return
		}
		m.pressTowards(keys)
	}
	require.NotEmpty(m.t, m.plays(notation), "%+v: %q leads elsewhere", o, keys)
}

// plays returns the element that plays a move when pressed: the confirming button or the move's own, or "" if there is
// none.
func (m *byMail) plays(notation string) string {
	m.t.Helper()
	if m.attribute(`form.confirm input[name=move]`, "value") == notation {
		return "form.confirm button.go"
	}
	if own := `.game button[name=move]:not([hidden], .scriptless *)[value="` + notation + `"]`; m.has(own) {
		m.script(`for (let d = document.querySelector(` + quote(own) +
			`).closest("details"); d; d = d.parentElement.closest("details")) d.open = true; null`)
		return own
	}
	return ""
}

// pressTowards presses the link that goes furthest along the given keys.
func (m *byMail) pressTowards(keys []string) {
	m.t.Helper()
	list, err := json.Marshal(keys)
	require.NoError(m.t, err)
	found, err := chromedp.Run(m.ctx, chromedp.Evaluate[bool](`(keys => {
		const spent = new URL(location.href).searchParams.has("asked") && document.querySelector(".notice:not([id])");
		const now = spent ? [] : new URL(location.href).searchParams.getAll("c"); // what a spent link chose is forgotten
		const on = c => c.length <= keys.length && c.every((k, i) => k === keys[i]);
		let best = null, far = on(now) ? now.length : 0;
		for (const a of document.querySelectorAll('a[href*="/p/"][href*="c="], a[href*="/t/"][href*="c="]')) {
			const c = new URL(a.href.baseVal || a.href, location.href).searchParams.getAll("c");
			const listed = best && c.length === far && best.closest("svg") && !a.closest("svg"); // what is listed is pressed there
			if (on(c) && (c.length > far || listed)) { best = a; far = c.length; }
		}
		if (!best) best = document.querySelector("#turn a.trades"); // the bank's stand where a trade begins
		if (!best) return false;
		for (let d = best.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
		document.querySelectorAll("#pressed").forEach(e => e.removeAttribute("id"));
		best.id = "pressed";
		return true;
	})(`+string(list)+`)`))
	require.NoError(m.t, err)
	if !found { // the mail has no room for it: its button leads to the page that does
		require.Contains(m.t, m.url(), "/mailbox/", "no link leads to %q\n%s", keys, m.text("main"))
		m.press(`a[href*="/p/"]:not([href*="c="])`)
		return
	}
	m.press("#pressed")
}

// over waits for the mail that tells someone how a game ended, and opens it. Whoever sees the end on the table's page
// is not mailed it meanwhile.
func (m *byMail) over(who someone) {
	m.t.Helper()
	m.open(m.p.Base + "/mailbox")
	for deadline := time.Now().Add(posthorntest.Patient); time.Now().
		Before(deadline); time.Sleep(20 * time.Millisecond) {
		ids := posthorntest.MailLinks.FindAllStringSubmatch(m.p.Get("/mailbox?to="+url.QueryEscape(who.address)), -1)
		if len(ids) == 0 || m.read[ids[0][1]] {
			continue
		}
		if html := m.p.Get("/mailbox/" + ids[0][1] + "/html"); !strings.Contains(html, "?c=") {
			m.open(m.p.Base + "/mailbox/" + ids[0][1] + "/html")
			return
		}
	}
	m.t.Fatalf("no mail tells %s how it ended: %s", who.name, m.p.Log)
}

// filling is a form of the page that is filled in from cards, and how often each is pressed.
type filling struct {
	key   string
	cards map[string]int
}

// fillIn fills in a form on the page of a decision until its move can be confirmed.
func (m *byMail) fillIn(f filling) {
	m.t.Helper()
	if !m.has(`#turn`) {
		m.press(`a[href*="/p/"]:not([href*="c="])`)
	}
	m.press(`a[href*="form=` + f.key + `"]`)
	for card, n := range f.cards {
		for range n {
			m.press(`a[data-more="` + card + `"]`)
		}
	}
	m.once("form-" + f.key)
}

// signIn requests a sign-in link by mail and uses it.
func (b *browser) signIn(p *posthorntest.Running, address string) {
	b.t.Helper()
	known := len(p.Mails())
	b.open(p.Base + "/sign-in")
	b.do(chromedp.SetValue(`main input[name=address]`, address))
	b.press("main form button.go")
	const link = `a[href*="/sign-in/"]`
	for deadline := time.Now().Add(posthorntest.Patient); !b.has(link) && time.Now().Before(deadline); {
		// a turn's mail may come first
		p.NextMail(known)
		ids := p.Mails()
		for _, id := range ids[:len(ids)-known] {
			if b.open(p.Base + "/mailbox/" + id + "/html"); b.has(link) {
				break
			}
		}
	}
	b.press(link)
	b.press("main form button.go")
	b.shot("inbox")
}
