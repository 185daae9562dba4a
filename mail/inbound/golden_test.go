package inbound_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail/reply"
)

// golden is a mail with its outcome, in one file: settings, "-- outcome --", what happened, "-- mail --", and the mail,
// in which {{.To}}, {{.From}} and {{rep 3 "x"}} are filled in. POSTHORN_GOLDEN=write rewrites the outcomes.
type golden struct {
	path, outcome, mail string
	set                 map[string]string // what, game, sender, lang, order, times, later
}

const (
	beforeOutcome = "-- outcome --\n"
	beforeMail    = "-- mail --\n"
)

func goldens(t testing.TB) []golden {
	t.Helper()
	files, err := filepath.Glob("testdata/mails/*.txt")
	require.NoError(t, err)
	var out []golden
	for _, path := range files {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		head, rest, ok := strings.Cut(string(raw), beforeOutcome)
		require.True(t, ok, path)
		g := golden{path: path, set: map[string]string{}}
		g.outcome, g.mail, ok = strings.Cut(rest, beforeMail)
		require.True(t, ok, path)
		for line := range strings.Lines(head) {
			key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
			require.True(t, ok, "%s: %s", path, line)
			g.set[key] = value
		}
		require.NotEmpty(t, g.set["what"], path)
		out = append(out, g)
	}
	return out
}

// raw returns the mail as it arrives.
func (g golden) raw(t testing.TB, to, from string) []byte {
	t.Helper()
	tmpl, err := template.New("").
		Funcs(template.FuncMap{"rep": func(n int, s string) string { return strings.Repeat(s, n) }}).Parse(g.mail)
	require.NoError(t, err, g.path)
	var b bytes.Buffer
	require.NoError(t, tmpl.Execute(&b, map[string]string{"To": to, "From": from}))
	return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))
}

// table returns where the mail is played, and the seat that answers.
func (g golden) table(h *house) (events.Name, domain.Seat) {
	lang := "en"
	if g.set["lang"] != "" {
		lang = g.set["lang"]
	}
	ids := []domain.PersonID{h.person("Ana", "en"), h.person("Bo", lang), h.person("Cy", lang)}
	if g.set["game"] != "catan" {
		return h.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)}, ids[0],
			ids[1]), 1
	}
	for _, id := range ids {
		require.NoError(h.T, h.people.SetLanguage(h.Ctx, id, lang))
	}
	table := h.started(desk.NewTable{Rulebook: "catan", Choices: domain.Choices{"board": "beginner"}}, ids...)
	return table, h.Sees(table).Line.Awaited()[0].Seat
}

// comes delivers the mail, and returns what became of it.
func (g golden) comes(h *house) string {
	h.T.Helper()
	table, seat := g.table(h)
	to, at := h.address(table, seat), h.last()
	who, err := h.people.Person(h.Ctx, h.Sees(table).Table.Places[seat].Holders[0])
	require.NoError(h.T, err)
	switch g.set["later"] {
	case "played":
		h.play(table, seat, "swap")
		at = h.last()
	case "rewound":
		h.play(table, 0, "keep")
		to = h.address(table, seat)
		h.Does(h.Sees(table).Table.Places[0].Holders[0], table, desk.ProposeRewind{To: 1})
		h.Does(who.ID, table, desk.Agree{Since: h.Sees(table).Table.Proposal.Since})
		h.Follows(table)
		at = h.last()
	}
	if g.set["wrong"] != "" {
		to = strings.Replace(to, "@", "a@", 1)
	}
	sender := string(who.Address)
	if g.set["sender"] != "" {
		sender = strings.Trim(g.set["sender"], "-")
	}
	raw := g.raw(h.T, to, string(who.Address))
	var b strings.Builder
	for range max(1, len(g.set["times"])) {
		h.log.Reset()
		require.NoError(h.T, h.handle(to, sender, raw))
		b.WriteString(outcome(h.log.String()) + "\n")
	}
	for _, line := range h.story(table, at) {
		b.WriteString("event: " + strings.Replace(line, " "+seat.Letter()+" ", " ", 1) + "\n")
	}
	for _, a := range h.answers(table) {
		b.WriteString("answer: " + strings.ReplaceAll(a, "\n", "\n        ") + "\n")
	}
	return b.String()
}

func TestWhatBecomesOfHostileAndOddMails(t *testing.T) {
	all, h := goldens(t), newHouse(t)
	require.GreaterOrEqual(t, len(all), 40)
	for _, g := range all {
		t.Run(strings.TrimSuffix(filepath.Base(g.path), ".txt"), func(t *testing.T) {
			got := g.comes(h)
			if os.Getenv("POSTHORN_GOLDEN") == "write" {
				var b strings.Builder
				for _, key := range slices.Sorted(maps.Keys(g.set)) {
					fmt.Fprintf(&b, "%s: %s\n", key, g.set[key])
				}
				require.NoError(t, os.WriteFile(g.path, []byte(b.String()+beforeOutcome+got+beforeMail+g.mail), 0o644))
				return
			}
			require.Equal(t, g.outcome, got)
		})
	}
}

// parse reads a mail, and everything that follows from it alone.
func parse(raw []byte) int {
	h, err := reply.ReadHead(raw)
	if err != nil {
		return 0
	}
	_, _ = h.Automatic("x@example.org"), h.From()
	return len(reply.Sort(h.Lines()))
}

func TestNoMailTakesMuchMemory(t *testing.T) {
	for _, g := range goldens(t) {
		raw := g.raw(t, "games+x@games.example.org", bo)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		parse(raw)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20<<20), g.path)
	}
}

func BenchmarkReadMail(b *testing.B) {
	for _, g := range goldens(b) {
		raw := g.raw(b, "games+x@games.example.org", bo)
		b.Run(strings.TrimSuffix(filepath.Base(g.path), ".txt"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parse(raw)
			}
		})
	}
}
