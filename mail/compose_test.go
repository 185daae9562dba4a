package mail_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// called is what everybody is called, however nasty.
type called string

func (c called) DisplayName(context.Context, domain.PersonID) (string, error) { return string(c), nil }

// named makes everybody be called something.
func (h *house) callEverybody(name string) {
	n := called(name)
	h.composer.Maker = turn.NewMaker(h.Desk, h.composer.Book, n)
	h.composer.Directory = mail.PeopleDirectory{People: h.people, Names: n}
}

// headers are the names of a message's header fields, of all its parts, in their order.
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
			break // of the top alone: bodies may say anything
		}
	}
	return out
}

// shape is an HTML document without its texts: the tags and the names of their attributes.
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
	"Ana\r\nBcc: everybody@example.org", "Ana\nSubject: x", "Ana\r\n\r\n<script>alert(1)</script>", "\u202egro.elpmaxe\u202c", "Ana\x00",
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</title><script>alert(1)</script>`, `</div></td><!--`, `javascript:alert(1)`,
	`' onmouseover='alert(1)`, "{{.Footer}}", "{who}", "%0d%0aBcc: x@example.org", "=?utf-8?q?=0d=0aBcc:_x@example.org?=", strings.Repeat("Ł", 400), "--posthorn-a-t", ".", "",
}

func TestNamesChangeNothingButTheirOwnText(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	open := h.open("tiny", ana, "", invited(ana, bo)...)
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "peek B")
	h.play(table, 1, "keep")
	kinds := func() map[mail.Kind]mail.Message {
		return map[mail.Kind]mail.Message{mail.KindInvitation: h.compose(open, mail.KindInvitation, bo), mail.KindTurn: h.compose(table, mail.KindTurn, ana)}
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
			require.Equal(t, "\"Posthorn\" <posthorn@games.example.org>", b.Header.Get("From"), "a name is never in From")
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
		"To": "<bo@example.org>", "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "List-Id": "<" + table.String() + ".games.games.example.org>",
		"References": first.Get("References"), "In-Reply-To": first.Get("References"), "Date": "Sat, 21 Nov 2026 13:00:00 +0100", "Mime-Version": "1.0",
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

func TestATablesMailsKeepOneSubjectWhateverPeopleAreCalled(t *testing.T) {
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
	tag := " #" + table.String()[:6]
	require.Equal(t, []string{"Tiny: Ana, Bo" + tag, "Tiny: Ana, Bo" + tag}, subjects["bo@example.org"])
	require.Equal(t, []string{"Tiny: Ana, Bożena" + tag}, subjects["ana@example.org"])
	require.Zero(t, bytes.Count(h.onDisk(), []byte("Ana, Bo")), "names lie sealed")
	require.NoError(t, h.people.Forget(h.Ctx, ana))
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.do(bo, table, events.Resign{Seat: 1})
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

// flat is a text without its line breaks, so that what was wrapped can be found.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// plain is what an HTML document says, without its style.
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
	var say []string
	say = append(say, model.Sentence)
	for _, s := range model.Since {
		say = append(say, s.Sentences...)
	}
	say = append(say, model.Situation()...)
	for _, g := range model.Groups() {
		say = append(say, g.Name+" "+g.Text())
		for _, m := range g.Moves {
			if len(g.Moves) > 1 {
				say = append(say, m.Path[len(m.Path)-1].String())
			}
		}
	}
	for _, s := range say {
		require.Contains(t, text, flat(s))
		require.Contains(t, doc, flat(s))
	}
	require.Contains(t, p.Text, model.Receipt)
	require.Contains(t, p.HTML, model.Receipt)
	require.Subset(t, links(p.HTML), links(p.Text))
	require.NotContains(t, text, "Still in the bag", "the helps that may be left out are")
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
	_, board, _ := strings.Cut(p.Text, "The map")
	board, _, _ = strings.Cut(board, "# city")
	onBoard := regexp.MustCompile(`[ \n<](-?\d+,-?\d+)[ >\r]`).FindAllStringSubmatch(board, -1)
	listed := regexp.MustCompile(`(?m)^ *(-?\d+,-?\d+)  `).FindAllStringSubmatch(p.Text, -1)
	require.NotEmpty(t, listed)
	numbers := func(found [][]string) (out []string) {
		for _, f := range found {
			out = append(out, f[1])
		}
		slices.Sort(out)
		return out
	}
	require.Equal(t, numbers(listed), numbers(onBoard))
}

// constant replaces what is random about a mail: names of tables, hashes, passes, ids.
var constant = []*regexp.Regexp{
	regexp.MustCompile(`/(p|u)/[A-Za-z0-9_-]{40,}`), regexp.MustCompile(`posthorn-receipt-1:[0-9a-f:A-Za-z_-]+`),
	regexp.MustCompile(`[0-9a-f]{64}`), regexp.MustCompile(`[tg][.-][a-z2-7]{20,}`), regexp.MustCompile(`[0-9a-f]{32}`),
	regexp.MustCompile(`\b[a-z]+\.[0-9a-f]{12}\b`), regexp.MustCompile(`#[0-9a-f]{6}\b`),
}

func TestALettersPictureHoldsNothingButThePicture(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", "", ana, bo)
	p := parts(t, h.compose(table, mail.KindTurn, ana))
	require.Len(t, p.Pictures, 1)
	for id, b := range p.Pictures {
		require.Contains(t, p.HTML, `src="cid:`+id+`"`)
		_, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		for _, chunk := range []string{"tEXt", "iTXt", "zTXt", "tIME", "eXIf"} {
			require.NotContains(t, string(b), chunk)
		}
	}
}

func TestALetterWhosePictureCannotBePaintedIsNotWrittenWithoutIt(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("smudged", `{"roller":"A"}`, ana, bo)
	h.notify()
	_, err := h.composer.Compose(h.Ctx, h.letter(table, mail.KindTurn, ana))
	require.ErrorContains(t, err, "picture: ")
}

func TestMailsOfBigBoardsStaySmall(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "pl"), h.person("Bo", "pt-BR")
	who := []domain.PersonID{ana, bo}
	small := func(name string, m mail.Message) {
		t.Helper()
		p := parts(t, m)
		require.Less(t, len(p.HTML), 60_000, name)
		require.Less(t, len(m.Raw), 200_000, name)
		require.NotEmpty(t, p.Pictures, name)
		largest := 0
		for _, b := range p.Pictures {
			largest = max(largest, len(b))
		}
		require.Less(t, largest, 100_000, name)
		t.Logf("%s: HTML %d, largest picture %d, text %d, mail %d octets", name, len(p.HTML), largest, len(p.Text), len(m.Raw))
	}
	table := h.started("carcassonne", "", ana, bo)
	for i := 0; len(h.Sees(table).Line.Awaited()) > 0; i++ {
		if i == 20 || i == 40 || i == 60 {
			small(fmt.Sprintf("%d tiles", i), h.compose(table, mail.KindTurn, who[h.awaited(table)]))
		}
		h.playRandom(table, h.awaited(table), i*i)
	}
	small("the finished board", h.compose(table, mail.KindOver, ana))
}

// left is what a text that was not found, or an argument that was not given, looks like.
var left = regexp.MustCompile(`\{[a-z_]*\}|\b(mail|table|status|house|tell|step|board|await|part|option|result|cause|label)(\.[a-z-]+)+\b|%!|<no value>`)

func TestEveryMailIsWholeInEveryLanguage(t *testing.T) {
	for _, lang := range words.Languages {
		h := newHouse(t)
		ana, bo := h.person("Ana", lang), h.person("Bo", lang)
		var got []mail.Message
		for _, game := range []string{"tiny", "carcassonne"} {
			open := h.open(game, ana, "", append(invited(ana, bo), domain.TablePlace{Kind: domain.SeatOpen})...)
			got = append(got, h.compose(open, mail.KindInvitation, bo))
			table := h.started(game, "", ana, bo)
			who := []domain.PersonID{ana, bo}
			seat := h.awaited(table)
			got = append(got, h.compose(table, mail.KindTurn, who[seat]))
			version := h.Sees(table).Line.Version
			h.playRandom(table, seat, 2)
			h.proposeRewind(who[seat], table, version)
			got = append(got, h.compose(table, mail.KindConsent, who[1-seat]))
			h.do(who[1-seat], table, events.Refuse{Since: h.Sees(table).Table.Proposal.Since})
			h.proposeEnd(ana, table)
			got = append(got, h.compose(table, mail.KindConsent, bo))
			h.agree(bo, table)
			got = append(got, h.compose(table, mail.KindOver, ana))
		}
		require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "ana@example.org", "the-token", lang))
		got = append(got, h.compose(events.Name{}, mail.KindSignIn, ""))
		for _, m := range got {
			p := parts(t, m)
			for name, text := range map[string]string{"subject": p.Subject, "text": link.ReplaceAllString(p.Text, ""), "html": plain(t, p.HTML)} {
				require.NotRegexp(t, left, text, "%s: %s of %s", lang, name, p.Subject)
				require.NotEmpty(t, text)
			}
			require.Contains(t, p.HTML, `<html lang="`+lang+`"`)
		}
	}
}

func TestTurnMailsOfEveryGameAreWholeAndSmall(t *testing.T) {
	for _, rb := range games {
		t.Run(rb.Name(), func(t *testing.T) {
			h := newHouse(t)
			choices, err := domain.Complete(rb, nil)
			require.NoError(t, err)
			least, _ := rb.Seats(choices)
			var who []domain.PersonID
			for i := range least {
				who = append(who, h.person([]string{"Ana", "Bo", "Jo", "Lu"}[i], words.Languages[i]))
			}
			table := h.started(rb.Name(), "", who...)
			largest, most := 0, 0
			for i := range 100 {
				if len(h.Sees(table).Line.Awaited()) == 0 {
					break
				}
				seat := h.awaited(table)
				if i < 4 || i%24 == 0 {
					m := h.compose(table, mail.KindTurn, who[seat])
					p := parts(t, m)
					require.NotRegexp(t, left, link.ReplaceAllString(p.Text, ""))
					require.NotRegexp(t, left, plain(t, p.HTML))
					require.Less(t, len(p.HTML), 60_000)
					require.Less(t, len(m.Raw), 200_000)
					largest, most = max(largest, len(m.Raw)), max(most, len(p.HTML))
				}
				h.playRandom(table, seat, i)
			}
			t.Logf("largest mail %d octets, largest HTML %d", largest, most)
		})
	}
}

func TestAfterTheEndTheScoresAreTheLastOnes(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A","round":3,"hands":[3,9],"scores":[6,1]}`, ana, bo)
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.play(table, 0, "roll")
	final := h.Sees(table).Line
	standing := h.Sees(table).Rulebook.Standing(final.State, domain.Referee)
	p := parts(t, h.compose(table, mail.KindOver, bo))
	require.Contains(t, strings.ReplaceAll(p.Text, "\r", ""), fmt.Sprintf("Final scores\n Ana: %d\n Bo: %d\n", standing.Final[0], standing.Final[1]))
	require.NotContains(t, p.Text, "brackets")
}

func TestThePreheaderSaysWhatIsNew(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	p := parts(t, h.compose(table, mail.KindTurn, ana))
	pre := regexp.MustCompile(`overflow:hidden">([^<]*)<`).FindStringSubmatch(p.HTML)
	require.NotNil(t, pre)
	require.True(t, strings.HasPrefix(p.Text, "Your turn"), "and so does the first line")
	require.Contains(t, html.UnescapeString(pre[1]), "Bo kept", pre[1])
}

// What a mail looks like. POSTHORN_GOLDEN=write writes it anew, to be read before it is kept.
func TestAMailAsItIs(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A","hands":[17,23],"scores":[4,1]}`, ana, bo)
	h.play(table, 0, "keep")
	p := parts(t, h.compose(table, mail.KindTurn, bo))
	got := constants([]byte("Subject: " + p.Subject + "\n\n" + strings.ReplaceAll(p.Text, "\r", "") + "\n" + strings.ReplaceAll(p.HTML, "\r", "")))
	path := filepath.Join("testdata", "turn.golden")
	if os.Getenv("POSTHORN_GOLDEN") == "write" {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func BenchmarkCompose(b *testing.B) {
	h := newHouse(b)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("carcassonne", "", ana, bo)
	who := []domain.PersonID{ana, bo}
	for i := range 60 {
		h.playRandom(table, h.awaited(table), i)
	}
	h.notify()
	l := h.letter(table, mail.KindTurn, who[h.awaited(table)])
	b.ReportAllocs()
	for b.Loop() {
		_, err := h.composer.Compose(h.Ctx, l)
		require.NoError(b, err)
	}
}
