package walk

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
)

// fault is something that must not be, with how often it was seen and where first.
type fault struct {
	kind  string
	first string
	n     int
}

// wrong notes a fault. Faults of one kind about the same thing are one.
func (w *walk) wrong(kind, about, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	key := kind + ": " + about
	f := w.faults[key]
	if f == nil {
		f = &fault{kind: kind, first: fmt.Sprintf("step %d, %s: %s", w.step,
			time.Now().UTC().Format("2006-01-02 15:04:05"), text)}
		w.faults[key] = f
		w.t.Log(kind, f.first)
	}
	f.n++
}

// report lists the faults, the most frequent first.
func (w *walk) report() string {
	var list []*fault
	for _, f := range w.faults {
		list = append(list, f)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].kind+list[i].first < list[j].kind+list[j].first })
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s (%d times): %s\n", f.kind, f.n, f.first)
	}
	return b.String()
}

// raw is what a missing text, a missing argument or a value of the program looks like.
var raw = regexp.MustCompile(`\{[a-z_]+\}|%!|<no value>|\b(` + keys + `)(\.[a-z-]+){1,}\b|map\[|&\{|0x[0-9a-f]{8}|` +
	`\bdomain\.[A-Z]|\bevents\.[A-Z]|<nil>|\(\*|-0001-|0001-01-01`)

// keys are what the keys of texts begin with.
const keys = "mail|table|status|house|tell|step|board|await|part|option|result|cause|label|page|refuse|glance|order|" +
	"form|api"

// signs are in all that is raw: looking for them first is much quicker.
var signs = func() []string {
	out := []string{"{", "%!", "<n", "map[", "0x", "domain.", "events.", "(*", "0001-"}
	for _, k := range strings.Split(keys, "|") {
		out = append(out, k+".")
	}
	return out
}()

func rawIn(text string) []int {
	if !slices.ContainsFunc(signs, func(s string) bool { return strings.Contains(text, s) }) {
		return nil
	}
	return raw.FindStringIndex(text)
}

// harmless is what looks like it: addresses of hosts.
var harmless = regexp.MustCompile(
	`https?://\S+|\S+@\S+|\b[a-z]+\.example\b|mail\.example\.org|example\.org|page\.svg|\b(mail|people|views-[0-9]+|events)\.db\b`)

var eventType = regexp.MustCompile(`\b(table|line|seat|person|house|carcassonne|catan|rivals)\.[a-z-]+\.v[0-9]+`)

// judges looks at a page as its reader would.
func (w *walk) judges(b *browser, p *page) {
	if p.status >= 500 {
		w.wrong("5xx", p.method+p.route, "%s %s (%s) of %s: %d %s", p.method, p.route, p.path, b.who, p.status,
			clip(p.text))
	}
	if p.doc == nil {
		return
	}
	if p.status >= 400 && len(p.text) < 20 {
		w.wrong("says nothing", p.route, "%s %s: %d", p.method, p.path, p.status)
	}
	text := p.text
	if p.route == "/t/:table/audit" {
		text = eventType.ReplaceAllString(text, " ") // it names the types of events, for people who check them
	}
	w.rawness(p.route, b.who.lang, text)
}

// rawness judges whether what somebody reads has something raw in it that no person wrote.
func (w *walk) rawness(where, lang, text string) {
	if rawIn(text) == nil {
		return
	}
	text = harmless.ReplaceAllString(w.typed(text), " ")
	if at := rawIn(text); at != nil {
		w.wrong("raw text", where+" "+text[at[0]:at[1]], "%s in %s: …%s…", where, lang,
			text[max(0, at[0]-60):min(len(text), at[1]+60)])
	}
}

// letters judges the letters that have arrived since it last did, as their readers would.
func (w *walk) letters() {
	for _, p := range w.folk {
		box := w.house.box(p.address)
		for _, l := range box[w.judged[p]:] {
			html := &page{}
			html.read(l.HTML)
			for _, text := range []string{l.Subject, l.Text, html.text} {
				w.rawness("mail "+string(l.row.Kind), p.lang, strings.Join(strings.Fields(text), " "))
			}
		}
		w.judged[p] = len(box)
	}
}

// typed removes what people wrote themselves.
func (w *walk) typed(text string) string {
	for _, t := range w.wrote {
		if len(t) > 4 {
			text = strings.ReplaceAll(text, t, " ")
		}
	}
	return text
}

func clip(text string) string {
	if len(text) > 400 {
		return text[:400] + "…"
	}
	return text
}
