package mail_test

import (
	"bytes"
	"cmp"
	"context"
	"image/png"
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/projections/turn"
)

// called is the name that everybody has, however nasty.
type called string

func (c called) DisplayName(context.Context, domain.PersonID) (string, error) { return string(c), nil }

// callEverybody gives everybody the same name.
func (h *house) callEverybody(name string) {
	n := called(name)
	h.composer.Maker = turn.NewMaker(h.Desk, h.composer.Book, n)
	h.composer.Directory = mail.PeopleDirectory{People: h.people, Names: n}
}

// headers returns the names of a message's header fields, in all its parts, in order.
func headers(t testing.TB, raw []byte) []string {
	t.Helper()
	var out []string
	for line := range strings.SplitSeq(string(raw), "\r\n") {
		require.NotContains(t, line, "\r")
		require.NotContains(t, line, "\n")
		if name, _, ok := strings.Cut(line, ": "); ok && regexp.MustCompile(`^[A-Z][A-Za-z-]+$`).MatchString(name) {
			out = append(out, name)
		}
		if line == "" {
			break // only the top header: bodies may say anything
		}
	}
	return out
}

// shape returns an HTML document without its texts: the tags and the names of their attributes.
func shape(t testing.TB, doc string) string {
	t.Helper()
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(doc))
	for {
		switch typ := z.Next(); typ {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken, html.CommentToken:
			tok := z.Token()
			b.WriteString(typ.String() + " " + tok.Data)
			for _, a := range tok.Attr {
				b.WriteString(" " + a.Key)
			}
			b.WriteByte('\n')
		}
	}
}

var nasty = []string{
	"Ana\r\nBcc: everybody@example.org", "Ana\nSubject: x", "Ana\r\n\r\n<script>alert(1)</script>",
	"\u202egro.elpmaxe\u202c", "Ana\x00",
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</title><script>alert(1)</script>`,
	`</div></td><!--`, `javascript:alert(1)`,
	`' onmouseover='alert(1)`, "{{.Footer}}", "{who}", "%0d%0aBcc: x@example.org",
	"=?utf-8?q?=0d=0aBcc:_x@example.org?=", strings.Repeat("Ł", 400), "--posthorn-a-t", ".", "",
}

func TestNamesChangeNothingButTheirOwnText(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	open := h.open("tiny", ana, "", invited(ana, bo)...)
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "peek B")
	h.play(table, 1, "keep")
	kinds := func() map[mail.Kind]mail.Message {
		return map[mail.Kind]mail.Message{mail.KindInvitation: h.compose(open, mail.KindInvitation, bo),
			mail.KindTurn: h.compose(table, mail.KindTurn, ana)}
	}
	h.callEverybody("Benign")
	want := kinds()
	for _, name := range nasty {
		h.callEverybody(name)
		for kind, got := range kinds() {
			require.Equal(t, headers(t, want[kind].Raw), headers(t, got.Raw), "%q", name)
			a, b := parts(t, want[kind]), parts(t, got)
			require.Equal(t, shape(t, a.HTML), shape(t, b.HTML), "%q", name)
			require.Len(t, b.Pictures, len(a.Pictures))
			for line := range strings.SplitSeq(b.Text, "\n") {
				require.NotRegexp(t, `^(Bcc|Subject):`, line, "%q", name)
			}
			require.NotContains(t, b.Subject, "\n")
			from, err := netmail.ParseAddress(b.Header.Get("From"))
			require.NoError(t, err, "%q", name)
			require.Equal(t, "posthorn@games.example.org", from.Address)
			require.NotContains(t, b.Header.Get("From")+b.Header.Get("To"), "\n")
			require.Contains(t, []string{"Posthorn", "Posthorn · your turn"}, from.Name,
				"a sender is not called what nobody here may be called: %q", name)
			to, err := netmail.ParseAddress(b.Header.Get("To"))
			require.NoError(t, err, "%q", name)
			require.Empty(t, to.Name, "%q", name)
		}
	}
}

func TestAMailsHeader(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	require.NoError(t, h.people.SetZone(h.Ctx, bo, "Europe/Warsaw"))
	table := h.open("tiny", ana, `{"roller":"A"}`, invited(ana, bo)...)
	first := parts(t, h.compose(table, mail.KindInvitation, bo)).Header
	h.join(ana, table)
	h.join(bo, table)
	m := h.compose(table, mail.KindTurn, bo)
	head := parts(t, m).Header
	for name, want := range map[string]string{
		"To": "\"Bo\" <bo@example.org>", "Feedback-ID": "turn:posthorn", "Auto-Submitted": "auto-generated",
		"X-Auto-Response-Suppress": "All",
		"List-Unsubscribe-Post":    "List-Unsubscribe=One-Click",
		"List-Id":                  "<" + table.String() + ".games.games.example.org>",
		"References":               first.Get("References"), "In-Reply-To": first.Get("References"),
		"Date": "Sat, 21 Nov 2026 13:00:00 +0100", "Mime-Version": "1.0",
	} {
		require.Equal(t, want, head.Get(name), name)
	}
	require.Regexp(t, `^<https://games\.example\.org/u/[A-Za-z0-9_-]+>$`, head.Get("List-Unsubscribe"))
	require.Regexp(t, `^<g\.[a-z2-7]+@games\.example\.org>$`, head.Get("References"))
	require.Regexp(t, `^<t\.[a-z2-7]+@games\.example\.org>$`, head.Get("Message-Id"))
	require.Equal(t, head.Get("Message-Id"), "<"+m.ID+">")
	require.NotEqual(t, first.Get("Message-Id"), head.Get("Message-Id"))
	for _, absent := range []string{"List-Post", "Precedence", "Bcc", "Cc", "Received"} {
		require.Empty(t, head.Get(absent))
	}
	other := parts(t, h.compose(table, mail.KindTurn, ana)).Header
	require.NotEqual(t, head.Get("Message-Id"), other.Get("Message-Id"))
	require.NotEqual(t, head.Get("References"), other.Get("References"))
	for line := range strings.SplitSeq(string(m.Raw), "\r\n") {
		require.LessOrEqual(t, len(line), 998)
	}
	_, err := netmail.ReadMessage(bytes.NewReader(m.Raw))
	require.NoError(t, err, "another library reads it too")
}

func TestATablesMailsKeepOneSubjectWhateverTheNames(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "pl")
	table := h.open("tiny", ana, `{"roller":"A"}`, invited(ana, bo)...)
	h.notify()
	out := &post{}
	require.NoError(t, h.send(out))
	h.join(ana, table)
	h.join(bo, table)
	require.NoError(t, h.people.SetName(h.Ctx, bo, "Bożena"))
	require.NoError(t, h.people.SetLanguage(h.Ctx, bo, "pt-PT"))
	h.notify()
	require.NoError(t, h.send(out))
	subjects := map[string][]string{}
	for _, s := range out.taken() {
		subjects[s.to] = append(subjects[s.to], parts(t, mail.Message{Raw: []byte(s.message)}).Subject)
	}
	require.Equal(t, []string{"Ana zaprasza do gry: Tiny", "Tiny: Ana"}, subjects["bo@example.org"],
		"a thread keeps the subject with which it began")
	require.Equal(t, []string{"Tiny with Bożena"}, subjects["ana@example.org"])
	require.Zero(t, bytes.Count(h.onDisk(), []byte("with Bo")), "names lie sealed")
	require.NoError(t, h.people.Forget(h.Ctx, ana))
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.do(bo, table, desk.Resign{Seat: 1})
	h.notify()
	require.NoError(t, h.send(out))
	got := out.taken()
	last := parts(t, mail.Message{Raw: []byte(got[len(got)-1].message)})
	require.NotContains(t, last.Subject, "Ana", "who was forgotten is not named any more")
}

var link = regexp.MustCompile(`https://games\.example\.org/[a-z-]+/[^\s"<>]+`)

func links(text string) []string {
	all := link.FindAllString(html.UnescapeString(text), -1)
	slices.Sort(all)
	return slices.Compact(all)
}

// flat joins a text's lines, so that tests can find wrapped sentences.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// plain returns an HTML document's text, without its style.
func plain(t testing.TB, doc string) string {
	t.Helper()
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(doc))
	skip := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return flat(b.String())
		case html.StartTagToken, html.EndTagToken:
			name, _ := z.TagName()
			skip = string(name) == "style" && !skip
		case html.TextToken:
			if !skip {
				b.WriteString(" " + string(z.Text()))
			}
		}
	}
}

func TestTextAndHTMLSayTheSame(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("carcassonne", "", ana, bo)
	who := []domain.PersonID{ana, bo}
	h.playRandom(table, h.awaited(table), 3)
	h.playRandom(table, h.awaited(table), 5)
	to := who[h.awaited(table)]
	p := parts(t, h.compose(table, mail.KindTurn, to))
	model, err := h.composer.Maker.Turn(h.Ctx, table, turn.Asker{Person: to, Seat: h.awaited(table), Lang: "en"})
	require.NoError(t, err)
	text, doc := flat(p.Text), html.UnescapeString(plain(t, p.HTML))
	say := []string{model.Sentence, model.Since[len(model.Since)-1].Sentences[0]}
	say = append(say, model.Brief()...)
	top, of := model.Top(3)
	require.Less(t, 3, of)
	for _, m := range top {
		say = append(say, cmp.Or(m.Short, m.Name), m.Path[len(m.Path)-1].Label, m.Path[0].Where)
	}
	for _, s := range say {
		require.Contains(t, text, flat(s))
		require.Contains(t, doc, flat(s))
	}
	require.Contains(t, p.Text, model.Receipt)
	require.Contains(t, p.HTML, model.Receipt)
	require.Subset(t, links(p.HTML), links(p.Text))
	require.NotContains(t, doc, "# city", "what the letters mean is for those who see them")
	require.Contains(t, p.HTML, html.EscapeString(model.Alt))
	for line := range strings.SplitSeq(p.Text, "\n") {
		if !strings.Contains(line, "https://") && !strings.HasPrefix(line, "posthorn-receipt") {
			require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\r"))), 72, line)
		}
	}
}

func TestTheNamesOnTheBoardAreThoseOfTheMoves(t *testing.T) {
	h := newHouse(t)
	ana := h.person("Ana", "en")
	table := h.open("carcassonne", ana, "", append(invited(ana), standIn)...)
	h.join(ana, table)
	for h.awaited(table) != 0 {
		h.playRandom(table, h.awaited(table), 1)
	}
	p := parts(t, h.compose(table, mail.KindTurn, ana))
	board, _, _ := strings.Cut(p.Text, "# city")
	_, board, _ = strings.Cut(board, "https://")
	listed := regexp.MustCompile(`(?m)^ *(-?\d+,-?\d+)(?: [a-z])*  `).FindAllStringSubmatch(p.Text, -1)
	require.NotEmpty(t, listed)
	numbers := func(found [][]string) (out []string) {
		for _, f := range found {
			out = append(out, f[1])
		}
		slices.Sort(out)
		return out
	}
	require.Subset(t, namesOn(board), numbers(listed))
}

// namesOn returns the names of the open places on a board in characters: whole, or split into two lines, "-1," and "12"
// below it.
func namesOn(board string) (names []string) {
	drawn := strings.Split(strings.Map(func(r rune) rune {
		if r > '~' {
			return '.'
		}
		return r
	}, board), "\n")
	number := regexp.MustCompile(`-?\d+`)
	for i, line := range drawn {
		for _, at := range regexp.MustCompile(`(-?\d+),(-?\d+)?`).FindAllStringSubmatchIndex(line, -1) {
			if at[4] >= 0 {
				names = append(names, line[at[0]:at[1]])
				continue
			}
			for _, below := range number.FindAllStringIndex(drawn[i+1], -1) {
				if below[0]-at[0] >= -2 && below[0]-at[0] <= 2 {
					names = append(names, line[at[0]:at[1]]+drawn[i+1][below[0]:below[1]])
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// constant replaces a mail's random parts: table names, hashes, passes, ids.
var constant = []*regexp.Regexp{
	regexp.MustCompile(`/(p|u)/[A-Za-z0-9_-]{40,}`), regexp.MustCompile(`posthorn-receipt-1:[0-9a-f:A-Za-z_-]+`),
	regexp.MustCompile(`[0-9a-f]{64}`), regexp.MustCompile(`[tg][.-][a-z2-7]{20,}`), regexp.MustCompile(`[0-9a-f]{32}`),
	regexp.MustCompile(`\b[a-z]+\.[0-9a-f]{12}\b`), regexp.MustCompile(`#[0-9a-f]{6}\b`),
	regexp.MustCompile(`[+][a-z2-7]{43,55}@`), regexp.MustCompile(`\b[bcdfghjklmnpqrst]{12}\b`),
}

func TestALettersPictureHoldsNothingButThePicture(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", "", ana, bo)
	p := parts(t, h.compose(table, mail.KindTurn, ana))
	require.Len(t, p.Pictures, 2, "the table, and the one move that it shows")
	for id, b := range p.Pictures {
		require.Contains(t, p.HTML, `src="cid:`+id+`"`)
		_, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		for _, chunk := range []string{"tEXt", "iTXt", "zTXt", "tIME", "eXIf"} {
			require.NotContains(t, string(b), chunk)
		}
	}
}

func TestALetterIsNotWrittenWithoutItsPicture(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("smudged", `{"roller":"A"}`, ana, bo)
	h.notify()
	_, err := h.composer.Compose(h.Ctx, h.letter(table, mail.KindTurn, ana))
	require.ErrorContains(t, err, "picture: ")
}

func TestAThreadThatBeganWithAGuestIsRenamedOnce(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.notify()
	l := h.letter(table, mail.KindTurn, ana)
	l.Subject = "Tiny: Ana, " + people.Guest(bo) + " #123456"
	w, err := h.composer.Compose(h.Ctx, l)
	require.NoError(t, err)
	require.Equal(t, "Tiny with Bo", w.Subject)
	l.Subject = "Tiny: Ana, Bolek #123456"
	w, err = h.composer.Compose(h.Ctx, l)
	require.NoError(t, err)
	require.Equal(t, l.Subject, w.Subject, "and otherwise never")
}
