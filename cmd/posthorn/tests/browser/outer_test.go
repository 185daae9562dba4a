package browser

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/domain"
	"posthorn/events/desk"
)

// turnsBefore is how many turns are played before the rewind.
const turnsBefore = 6

// A whole game by mail, as a person plays it: only through the links in the mails of the built-in mailbox, with one
// move taken back, to the final scoring. Then it is looked back at, branched, exported and proved.
func TestAGameByMailFromTheFirstTileToTheProof(t *testing.T) {
	t.Parallel()
	bin := posthorntest.Binary(t)
	data := t.TempDir()
	p := posthorntest.Start(t, bin, "127.0.0.1:0", "run", "--data", data, "--pause", "1ms",
		"--patience", "1ms")
	b := newBrowser(t, 390, 844)

	known, rewound, last := 0, false, ""
	for turn := 0; ; turn++ {
		require.Less(t, turn, 80, "the game does not end")
		id := p.NextMail(known)
		known, last = len(p.Mails()), id
		b.open(p.Base + "/mailbox/" + id + "/html")
		if turn == 1 {
			b.shot("mail-turn")
		}
		if !b.has(`table a[href*="c="]`) {
			break // the last mail lists no moves: the game is over
		}
		if turn == 2 {
			b.scan(p, bin, data, id)
			b.open(p.Base + "/mailbox/" + id + "/html")
		}
		if turn == turnsBefore && !rewound {
			rewound = true
			b.signIn(p, "you@example.org")
			known = len(p.Mails())
			b.takeBack(p)
			continue
		}
		b.playFromMail(turn)
	}
	require.True(t, rewound)
	require.Contains(t, b.text("body"), "The game is over")
	b.shot("mail-over")
	b.press(`a[href*="/p/"]`)
	b.shot("game-over")
	table := b.home()

	b.open(p.Base + "/t/" + table)
	require.Contains(t, b.text("body"), "The game is over")
	b.pastesReceipts(p, last, table)
	newBrowser(t, 390, 844).pastesReceipts(p, last, table) // as somebody else, to whom the mail was forwarded
	b.open(p.Base + "/t/" + table)
	b.lookBack()
	branch := b.branchHere(p, table)
	require.NotEqual(t, table, branch)

	file := filepath.Join(t.TempDir(), "game.jsonl")
	out, status := posthorntest.Command(t, bin, "export", "--data", data, "-o", file, table)
	require.Zero(t, status, out)
	proved(t, bin, file)
	p.Stop()
	out, status = posthorntest.Command(t, bin, "verify", "--data", data)
	require.Zero(t, status, out)
}

var (
	listID  = regexp.MustCompile(`(?i)List-Id: <([0-9a-f]{32})\.`)
	anyLink = regexp.MustCompile(`https?://[^\s"<>]+`)
)

// scan opens every link of a mail as a mail scanner does: with GET and HEAD, and in a browser that runs the page's
// script. Nothing must come of it. The rest of the game shows that the links still work and that mails still come.
func (b *browser) scan(p *posthorntest.Running, bin, data, id string) {
	b.t.Helper()
	table := listID.FindStringSubmatch(p.Get("/mailbox/" + id + "/source"))
	require.NotNil(b.t, table)
	history := func() []string {
		out, status := posthorntest.Command(b.t, bin, "export", "--data", data, table[1])
		require.Zero(b.t, status, out)
		return posthorntest.HistoryIn(out)
	}
	before, known := history(), len(p.Mails())
	links := map[string]bool{}
	for _, l := range anyLink.FindAllString(p.Get("/mailbox/"+id+"/html"), -1) {
		links[strings.ReplaceAll(l, "&amp;", "&")] = true
	}
	require.Greater(b.t, len(links), 4)
	for l := range links {
		for _, method := range []string{http.MethodHead, http.MethodGet} {
			req, err := http.NewRequest(method, l, nil)
			require.NoError(b.t, err)
			resp, err := http.DefaultClient.Do(req)
			require.NoError(b.t, err)
			require.NoError(b.t, resp.Body.Close())
			require.Empty(b.t, resp.Cookies(), "a scanner is given no session")
		}
		b.open(l)
	}
	time.Sleep(time.Second) // for whatever a page's script might do unprompted
	require.Equal(b.t, before, history())
	require.Len(b.t, p.Mails(), known)
}

// playFromMail plays from the open mail: on even turns a whole move listed there, on odd turns a place, with the rest
// chosen on the page; then it presses the button.
func (b *browser) playFromMail(turn int) {
	b.t.Helper()
	const whole = `table span a[href*="c="]`
	if turn%2 == 0 && b.has(whole) {
		b.pressOneOf(whole, turn)
	} else {
		b.pressOneOf(`table a[href*="c="]`, turn)
	}
	for step := 0; step < 6 && !b.has("form.confirm button.go"); step++ {
		b.script(`document.querySelectorAll("#turn details").forEach(d => d.open = true); null`)
		b.pressOneOf(`#turn a.option[data-name]`, turn)
	}
	if turn == 3 {
		b.shot("confirm")
	}
	b.press("form.confirm button.go")
	if turn == 3 {
		b.shot("played")
	}
}

// playTheHint asks the page for a sound move, as people who play alone may, and plays it.
func (b *browser) playTheHint() {
	b.t.Helper()
	b.press(`a[href*="/p/"]:not([href*="c="])`)
	b.press(`a[href*="hint=1"]`)
	b.shot("solo-hint")
	b.press("form.confirm button.go")
}

// pressOneOf presses one of several elements, a different one each turn, so that the game looks like a game.
func (b *browser) pressOneOf(selector string, turn int) {
	b.t.Helper()
	b.script(`{ const all = document.querySelectorAll(` + quote(selector) + `); all[(` + strconv.Itoa(turn) +
		` * 5 + 2) % all.length].id = "pressed"; null }`)
	b.press("#pressed")
}

// The other ways to play Carcassonne, each by mail to its end.
func TestEveryVariantOfCarcassonneByMail(t *testing.T) {
	t.Parallel()
	standIn := domain.TablePlace{Kind: domain.SeatStandIn, StandIn: "steady"}
	for _, c := range []struct {
		name    string
		choices domain.Choices
		places  []domain.TablePlace
	}{
		{"river-abbot", domain.Choices{"river": "on", "abbot": "on"},
			[]domain.TablePlace{{}, standIn, standIn, standIn}},
		{"solo", domain.Choices{"solo": "on"}, []domain.TablePlace{{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			posthorntest.Seed(t, data, desk.NewTable{Rulebook: "carcassonne", Choices: c.choices, Pace: "weekly",
				Places: c.places}, "you@example.org")
			p := posthorntest.Start(t, posthorntest.Binary(t), "127.0.0.1:0", "serve", "--data", data, "--pause", "1ms",
				"--patience", "1ms")
			b := newBrowser(t, 390, 844)
			known := 0
			for turn := 0; ; turn++ {
				require.Less(t, turn, 120, "the game does not end")
				id := p.NextMail(known)
				known = len(p.Mails())
				b.open(p.Base + "/mailbox/" + id + "/html")
				if !b.has(`table a[href*="c="]`) {
					if strings.Contains(b.text("body"), "The game is over") {
						break
					}
					continue // it says that the game has begun; the stand-ins take a while to reach our turn
				}
				if turn == 12 {
					b.shot(c.name + "-mail")
				}
				if c.name == "solo" && turn == 1 {
					b.playTheHint()
					continue
				}
				b.playFromMail(turn)
				if turn == 12 {
					b.shot(c.name + "-played")
				}
			}
			require.Contains(t, b.text("body"), "The game is over")
			b.shot(c.name + "-mail-over")
			b.press(`a[href*="/p/"]`)
			b.shot(c.name + "-over")
			require.Contains(t, b.text("main"), "The game is over")
		})
	}
}

// takeBack rewinds the only game in the inbox.
func (b *browser) takeBack(p *posthorntest.Running) {
	b.t.Helper()
	b.open(p.Base + "/")
	b.press(`main a[href^="/t/"]`)
	b.press(`a[href$="/rewind"]`)
	b.do(chromedp.SetValue(`input[name=to]`, "5"))
	b.press(`form[method=get] button`)
	b.shot("rewind")
	require.Contains(b.t, b.attribute(`input[type=hidden][name=to]`, "value"), "5")
	b.press(`form[method=post][action$="/rewind"] button.go`)
}

var tableIn = regexp.MustCompile(`/t/([0-9a-f]{32})`)

// home returns the table that the page is about.
func (b *browser) home() string {
	b.t.Helper()
	m := tableIn.FindStringSubmatch(b.attribute(`a[href$="/audit"]`, "href"))
	require.NotNil(b.t, m, "no table at %s", b.url())
	return m[1]
}

// lookBack walks through the history: the first moment, the next one, and one in the middle.
func (b *browser) lookBack() {
	b.t.Helper()
	b.press(`nav.more a[href*="/line/"]`)
	last := b.url()
	require.Regexp(b.t, `/line/[0-9a-f]{32}/\d+$`, last)
	cut := strings.LastIndex(last, "/")
	b.open(last[:cut] + "/1")
	require.NotEmpty(b.t, b.text("main"))
	b.open(last[:cut] + "/20")
	require.True(b.t, b.has("svg"))
	b.shot("history")
	b.press(`main a[href*="/branch"]`)
}

// branchHere makes a game from the moment shown, and waits for its first mail.
func (b *browser) branchHere(p *posthorntest.Running, table string) string {
	b.t.Helper()
	known := len(p.Mails())
	b.shot("branch")
	b.do(chromedp.SetValue(`select[name="seat.0"]`, "me"), chromedp.SetValue(`select[name="seat.1"]`, "steady"))
	b.press(`form button.go.big`)
	b.shot("gathering")
	branch := tableIn.FindStringSubmatch(b.url())
	require.NotNil(b.t, branch)
	b.press(`form[action$="/join"] button.go`)
	require.NotEqual(b.t, table, branch[1])
	b.open(p.Base + "/mailbox/" + p.NextMail(known) + "/html")
	require.True(b.t, b.has(`table a[href*="c="]`), "the branch is played by mail like any game")
	b.playFromMail(0)
	return branch[1]
}

// proved verifies a record, and checks that any flipped byte is found.
func proved(t *testing.T, bin, file string) {
	t.Helper()
	out, status := posthorntest.Command(t, bin, "verify", file)
	require.Zero(t, status, out)
	require.Contains(t, out, "draws computed again")
	require.NotContains(t, out, "not checked")
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, at := range []int{10, len(whole) / 3, len(whole) / 2, len(whole) - 20} {
		bad := bytes.Clone(whole)
		bad[at] ^= 4
		require.NoError(t, os.WriteFile(file, bad, 0o600))
		out, status = posthorntest.Command(t, bin, "verify", file)
		require.Equal(t, 1, status, "byte %d: %s", at, out)
		require.Contains(t, out, "line ")
	}
}
