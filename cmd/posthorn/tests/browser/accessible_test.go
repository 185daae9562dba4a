package browser

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/projections/words"
)

// axe is axe-core (Mozilla Public License 2.0, see testdata/axe-core.LICENSE). It finds what keeps people from using a
// page.
func axe(t *testing.T) string {
	t.Helper()
	f, err := os.Open("testdata/axe-core-4.14.1.min.js.gz")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	packed, err := gzip.NewReader(f)
	require.NoError(t, err)
	script, err := io.ReadAll(packed)
	require.NoError(t, err)
	return string(script)
}

// found is one of axe's findings on a page.
type found struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML           string `json:"html"`
		FailureSummary string `json:"failureSummary"`
	} `json:"nodes"`
}

// everyRule makes axe check everything it knows; byColour only what may differ between a page in light and in dark.
const (
	everyRule = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	byColour  = `{type: "rule", values: ["color-contrast", "link-in-text-block"]}`
)

// axed makes axe check the open page against WCAG 2.2 AA and its best practices. A mail is part of a page of somebody's
// mail program and has no landmarks of its own. What the bar at the foot of the screen covers only at the current
// scroll position is not a finding; what stays covered at every position is.
//
// rules are the rules to check, as a list in JavaScript.
func (b *browser) axed(axe string, mail bool, rules string) []found {
	b.t.Helper()
	if !b.has("html[data-axe]") { // otherwise axe is already loaded
		b.script(axe + "; document.documentElement.dataset.axe = 1; null")
	}
	return b.violations(`(async () => {
		const found = (await axe.run(document, {resultTypes: ["violations"],
			runOnly: ` + rules + `,
			rules: {"label-content-name-mismatch": {enabled: true}, "landmark-one-main": {enabled: ` + strconv.FormatBool(!mail) + `}, "region": {enabled: ` + strconv.FormatBool(!mail) + `}}})).violations
		for (const f of found.filter(f => f.id == "target-size")) {
			const stay = []
			for (const n of f.nodes) {
				const target = document.querySelector(n.target[0])
				target.scrollIntoView({block: "center", behavior: "instant"})
				const again = (await axe.run({include: [n.target]}, {resultTypes: ["violations"], runOnly: {type: "rule", values: ["target-size"]}})).violations
				stay.push(...again.flatMap(a => a.nodes).filter(a => document.querySelector(a.target[0]) == target))
			}
			f.nodes = stay
		}
		return JSON.stringify(found.filter(f => f.nodes.length))
	})()`)
}

// violations runs a script that calls axe, and returns its findings.
func (b *browser) violations(script string) (all []found) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Minute) // for a large page on a busy machine
	defer cancel()
	said, err := chromedp.Run(ctx,
		chromedp.Evaluate[string](script, func(p *runtime.EvaluateParams) { yes := true; p.AwaitPromise = &yes }))
	require.NoError(b.t, err)
	require.NoError(b.t, json.Unmarshal([]byte(said), &all))
	return all
}

// reads shows a mail on a page of its own: the mailbox's page lets no script run, not even axe.
func (b *browser) reads(_ int, mail string) {
	b.t.Helper()
	b.open("about:blank")
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, page.GetFrameTree, cdp.Empty{})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, t, page.SetDocumentContent,
			page.SetDocumentContentParams{FrameID: tree.FrameTree.Frame.ID, HTML: mail})
		return err
	}))
}

// axe finds nothing wrong on any page or mail on a phone in light, or with its colours in dark. With POSTHORN_LONG=1
// the test also checks everything in dark, in every language and on a desktop. Then it chooses moves by words alone.
func TestEveryPageAndMailIsForEverybody(t *testing.T) {
	t.Parallel()
	only := regexp.MustCompile(os.Getenv("POSTHORN_SHOTS_ONLY"))
	langs, sizes, long := words.Languages[:1], [][2]int64{{390, 844}}, os.Getenv("POSTHORN_LONG") == "1"
	if long {
		langs, sizes = words.Languages, append(sizes, [2]int64{1280, 860})
	}
	script := axe(t)
	base := filepath.Join(t.TempDir(), "base")
	first := openStage(t, base)
	first.set(func(int, int, string) {})
	require.NoError(t, first.Close())
	for _, lang := range langs {
		first.t = t
		s := first.copied(base, filepath.Join(t.TempDir(), lang), lang)
		pages, sessions := s.shown(lang)
		s.everythingHasAPicture(t, pages, sessions)
		for _, size := range sizes {
			b := newBrowser(t, size[0], size[1])
			for _, p := range pages {
				if strings.HasSuffix(p.name, "-text") || !only.MatchString(p.name) {
					continue // a text mail is not a page
				}
				mail := strings.HasPrefix(p.name, "mail-")
				if mail || p.name == "mailbox-letter" { // they let no script run, not even axe
					b.reads(posthorntest.Fetched(t, http.DefaultClient, s.Config.PublicURL+p.path))
				} else {
					b.is(s.Config.PublicURL, lang, append(sessions, "")[(p.who+len(sessions)+1)%(len(sessions)+1)])
					b.open(s.Config.PublicURL + p.path)
					b.refuses(p)
				}
				for _, look := range []string{"light", "dark"} { // of the open page; its changes have no transitions
					b.looks(look)
					rules := everyRule
					if look == "dark" && !long {
						rules = byColour
					}
					for _, f := range b.axed(script, mail, rules) {
						for _, n := range f.Nodes {
							t.Errorf("%s, %s, %d px, %s: %s: %s\n%.300s\n%s", p.name, lang, size[0], look, f.ID, f.Help,
								n.HTML, strings.TrimSpace(fmt.Sprint(n.FailureSummary)))
						}
					}
				}
			}
		}
		if lang == words.Languages[0] { // only in this language does it know the names of moves
			t.Run("by words", func(t *testing.T) { s.movesByWords(t, lang, sessions[0]) })
		}
	}
}

// movesByWords chooses a tile's place, a settlement and a card from what a screen reader reads out.
// The next page says what was played and offers the way back.
func (s *stage) movesByWords(t *testing.T, lang, session string) {
	b := newBrowser(t, 390, 844)
	b.is(s.Config.PublicURL, lang, session)
	for _, c := range []struct {
		table string
		steps []string
	}{
		{"catan-begin", []string{`^intersection \d+: between .*(forest|hills|fields|pasture|mountains)[ \x{a0}]\d+`,
			`^road \d+`, `^Play`}},
		{"carcassonne", []string{`^place -?\d+,-?\d+: beside .*(city|road|field)`, `?turned`, `?no follower$`, `^Play`}},
		{"rivals-begin", []string{`(look through|stack) \d`, `^Play`, `^(\S )?Take [A-Z]`, `^(\S )?Take [A-Z]`,
			`^(\S )?Take [A-Z]`, `^Play`}},
	} {
		table := s.tables[c.table]
		before, err := s.Desk.Look(t.Context(), table)
		require.NoError(t, err)
		b.open(s.Config.PublicURL + "/t/" + table.String())
		moved := func() bool {
			after, err := s.Desk.Look(t.Context(), table)
			require.NoError(t, err)
			return after.Line.Version > before.Line.Version
		}
		for _, step := range c.steps {
			perhaps := strings.HasPrefix(step, "?") // only some tiles and turns ask for it
			name, ok := b.byWords(regexp.MustCompile(strings.TrimPrefix(step, "?")))
			require.True(t, ok || perhaps, "%s: nothing is called %s; there are %s", c.table, step, name)
		}
		require.Eventually(t, moved, posthorntest.Patient, 10*time.Millisecond, c.table)
		require.Regexp(t, `\n(Ana|Computer B) [a-z]+ .*\.\n`, b.hears(), "%s: what was played, or what followed", c.table)
		b.byWords(regexp.MustCompile(`^More$`)) // if their turn goes on
		said := b.hears()
		// depending on whether a stand-in has moved since
		require.Regexp(t, `\n(What your move did|Since your last turn)\n`, said, c.table)
		require.Regexp(t, `\n(Take back|Ask to take back)\n`, said, c.table)
	}
}

// hears returns everything that a screen reader reads out, one name a line.
func (b *browser) hears() string {
	b.t.Helper()
	said := "\n"
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return err
		}
		for _, n := range tree.Nodes {
			if n.Ignored || n.Name == nil {
				continue
			}
			var name string
			if err := json.Unmarshal(n.Name.Value, &name); err != nil {
				return err
			}
			said += name + "\n"
		}
		return nil
	}))
	return said
}

// byWords presses the first link or button whose name, as a screen reader reads it, matches. If there is none, it
// returns the names on the page.
func (b *browser) byWords(name *regexp.Regexp) (names string, ok bool) {
	b.t.Helper()
	opens := false // it opens a list on the same page
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return err
		}
		for _, n := range tree.Nodes {
			if n.Ignored || n.Role == nil || n.Name == nil ||
				!slices.Contains([]string{`"link"`, `"button"`, `"DisclosureTriangle"`}, string(n.Role.Value)) {
				continue
			}
			opens = string(n.Role.Value) == `"DisclosureTriangle"`
			var said string
			if err := json.Unmarshal(n.Name.Value, &said); err != nil {
				return err
			}
			names += "\n" + said
			if !name.MatchString(said) {
				continue
			}
			node, err := cdp.Call(ctx, t, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: n.BackendDOMNodeID})
			if err != nil {
				return err
			}
			yes := true
			r, err := cdp.Call(ctx, t, runtime.CallFunctionOn,
				runtime.CallFunctionOnParams{ObjectID: node.Object.ObjectID, ReturnByValue: &yes,
					FunctionDeclaration: `function() {
					if (this.matches("summary")) this.click()
					document.getElementById("by-words")?.removeAttribute("id")
					this.id = "by-words"
					return true
				}`})
			if err != nil {
				return err
			}
			if ok = string(r.Result.Value) == "true"; ok {
				return nil
			}
		}
		return nil
	}))
	if ok && !opens {
		b.leads(name.String(), func() {
			b.script(`document.getElementById("by-words").dispatchEvent(new MouseEvent("click",
				{bubbles: true, cancelable: true, view: window})); null`)
		})
	}
	return names, ok
}
