package mail_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/cryptotest"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/programtest"
	"posthorn/mail"
	"posthorn/projections/picture"
	"posthorn/projections/words"
)

func TestMailsOfBigBoardsStaySmall(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "pl"), h.person("Bo", "pt-BR")
	who := []domain.PersonID{ana, bo}
	small := func(name string, m mail.Message) {
		t.Helper()
		p := parts(t, m)
		require.Less(t, len(p.HTML), 60_000, name)
		require.Less(t, len(m.Raw), mostOfAMail, name)
		require.NotEmpty(t, p.Pictures, name)
		largest := 0
		for _, b := range p.Pictures {
			largest = max(largest, len(b))
		}
		require.Less(t, largest, 100_000, name)
		t.Logf("%s: HTML %d, largest picture %d, text %d, mail %d octets", name, len(p.HTML), largest, len(p.Text),
			len(m.Raw))
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

// left is what a missing text, or a missing argument, looks like.
var left = regexp.MustCompile(
	`\{[a-z_]*\}|\b(mail|table|status|house|tell|step|board|await|part|option|result|cause|label)(\.[a-z-]+)+\b|%!|<no value>`)

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
			h.do(who[1-seat], table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
			h.proposeEnd(ana, table)
			got = append(got, h.compose(table, mail.KindConsent, bo))
			h.agree(bo, table)
			got = append(got, h.compose(table, mail.KindOver, ana))
		}
		require.NoError(t, mail.Post{Outbox: h.outbox}.SignIn(h.Ctx, "ana@example.org", "the-token", lang, ""))
		got = append(got, h.compose(events.Name{}, mail.KindSignIn, ""))
		for _, m := range got {
			p := parts(t, m)
			for name, text := range map[string]string{"subject": p.Subject, "text": link.ReplaceAllString(p.Text, ""),
				"html": plain(t, p.HTML)} {
				require.NotRegexp(t, left, text, "%s: %s of %s", lang, name, p.Subject)
				require.NotEmpty(t, text)
			}
			require.Contains(t, p.HTML, `<html lang="`+lang+`"`)
		}
	}
}

func TestTurnMailsOfEveryGameAreWholeAndSmall(t *testing.T) {
	programtest.Long(t)
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
					require.Less(t, len(m.Raw), mostOfAMail)
					largest, most = max(largest, len(m.Raw)), max(most, len(p.HTML))
				}
				h.playRandom(table, seat, i)
			}
			t.Logf("largest mail %d octets, largest HTML %d", largest, most)
		})
	}
}

// mostOfAMail is the most octets of a mail with its pictures, as sent: base64 turns the pictures into 137,000, and the
// rest is text.
const (
	mostOfAMail    = 185_000
	mostOfPictures = 100_000
	mostWritten    = 48_000
)

// weighed checks a mail against these bounds: the size of its pictures, and of everything else.
func weighed(t *testing.T, m mail.Message, about string, args ...any) (written int) {
	t.Helper()
	pictures, lines := 0, 0
	for _, p := range parts(t, m).Pictures {
		pictures += len(p)
		lines += (len(p) + 56) / 57 // 76 characters and a line end each
	}
	written = len(m.Raw) - lines*78
	about = fmt.Sprintf(about, args...)
	require.LessOrEqual(t, pictures, mostOfPictures, about)
	require.LessOrEqual(t, written, mostWritten, about)
	require.LessOrEqual(t, len(m.Raw), mostOfAMail, about)
	return written
}

// Whole games, the same ones each time: the Rivals, whose mails are the largest, with luck that leaves much in sight.
// The long form plays every game, and twenty of the Rivals.
func TestMailsOfAWholeGameStaySmall(t *testing.T) {
	programtest.Long(t)
	long := os.Getenv("POSTHORN_LONG") == "1"
	for _, rb := range rulebooks.All() {
		seeds := []uint64{7}
		if rb.Name() == "rivals" && long {
			seeds = seeds[:0]
			for seed := range uint64(20) {
				seeds = append(seeds, seed+1)
			}
		}
		if rb.Name() != "rivals" && !long {
			continue // the other games' mails grow little
		}
		for _, seed := range seeds {
			mailsOfAGame(t, rb, seed)
		}
	}
}

func mailsOfAGame(t *testing.T, rb domain.Rulebook, seed uint64) {
	t.Helper()
	cryptotest.SetGlobalRandom(t, seed) // the table's luck
	h := newHouse(t)
	defer h.shut()
	who := []domain.PersonID{h.person("Ana", "pt-BR"), h.person("Bo", "pl")}
	table := h.started(rb.Name(), "", who...)
	largest, written, sum, mails := 0, 0, 0, 0
	for i := 0; ; i++ {
		look := h.Sees(table)
		if len(look.Line.Awaited()) == 0 {
			break
		}
		o := look.Line.Awaited()[0]
		if i%12 == 0 {
			m := h.compose(table, mail.KindTurn, who[o.Seat])
			written = max(written, weighed(t, m, "%s with luck %d after %d moves", rb.Name(), seed, i))
			largest, sum, mails = max(largest, len(m.Raw)), sum+len(m.Raw), mails+1
		}
		m, ok := standin.Steady{}.Choose(standin.Look(rb, look.Line.State, o.Seat, look.Line.Version))
		require.True(t, ok)
		h.play(table, o.Seat, rb.FormatMove(m, nil))
	}
	m := h.compose(table, mail.KindOver, who[0])
	weighed(t, m, "%s with luck %d at the end", rb.Name(), seed)
	t.Logf("%s with luck %d: %d mails of %d octets, the largest %d, the most written %d; at the end %d", rb.Name(),
		seed, mails, sum/mails, largest, written, len(m.Raw))
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
	text := strings.ReplaceAll(p.Text, "\r", "")
	require.Contains(t, text, "Final scores\n 1. ")
	for seat, name := range []string{"Ana", "Bo"} {
		require.Contains(t, text, fmt.Sprintf("\n %d. %s: %d\n", standing.Ranks[seat], name, standing.Final[seat]))
	}
	require.NotContains(t, p.Text, "brackets")
	require.Contains(t, text, "https://games.example.org/t/"+table.String()+"/story\n")
	require.Contains(t, p.HTML, `href="https://games.example.org/t/`+table.String()+`/story"`)
}

func TestScoresBelowZeroAreOrdinary(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A","round":3,"scores":[-26,-39],"peeked":[true,true],"hands":[3,9]}`, ana, bo)
	says := func(kind mail.Kind, text, shown string) {
		p := parts(t, h.compose(table, kind, ana))
		require.Contains(t, strings.ReplaceAll(p.Text, "\r", ""), text)
		require.Contains(t, p.HTML, shown)
	}
	says(mail.KindTurn, "A: Ana (you) −26, B: Bo −39.", "A: Ana (you) −26, B: Bo −39.")
	h.play(table, 0, "keep")
	h.play(table, 1, "keep")
	h.play(table, 0, "roll")
	says(mail.KindOver, "\n 1. Ana: −26\n 2. Bo: −3", "<b>−26</b>")
}

// Given a game whose end counts points, when it is over, then the last mail ranks everybody, and says where each
// entry's points come from.
func TestTheLastMailRanksAndSaysWhereEveryPointIsFrom(t *testing.T) {
	h := newHouse(t)
	ana, bo, jo := h.person("Ana", "en"), h.person("Bo", "en"), h.person("Jo", "en")
	table := h.started("carcassonne", "", ana, bo, jo)
	for i := 0; len(h.Sees(table).Line.Awaited()) > 0; i++ {
		h.playRandom(table, h.awaited(table), i*i)
	}
	text := strings.ReplaceAll(parts(t, h.compose(table, mail.KindOver, ana)).Text, "\r", "")
	_, text, _ = strings.Cut(text, "Final scores\n")
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.ReplaceAll(text, "\n      ", " ") + "\n" // a source that was broken across lines
	standing := h.Sees(table).Rulebook.Standing(h.Sees(table).Line.State, domain.Referee)
	places, last := regexp.MustCompile(`(?m)^ (\d)\. (\w+): (\d+)\n((?:    - .*\n?)*)`).FindAllStringSubmatch(text, -1),
		1
	require.Len(t, places, 3, text)
	for _, p := range places {
		seat := slices.Index([]string{"Ana", "Bo", "Jo"}, p[2])
		require.Equal(t, strconv.Itoa(standing.Final[seat]), p[3])
		require.Equal(t, strconv.Itoa(standing.Ranks[seat]), p[1])
		require.LessOrEqual(t, last, standing.Ranks[seat], text)
		last = standing.Ranks[seat]
		sum := 0
		for _, points := range regexp.MustCompile(`(\d+) points?(?: during the game)?\n?`).
			FindAllStringSubmatch(p[4], -1) {
			n, err := strconv.Atoi(points[1])
			require.NoError(t, err)
			sum += n
		}
		if len(standing.Causes[seat]) > 0 { // whom the end brought nothing has all points from the game
			require.Equal(t, standing.Final[seat], sum, text)
		}
	}
}

func TestWhoeverHasAsManyPointsHasTheSamePlace(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("rivals", `{"phase":"act","turn":81,"since":41,"seats":[{"hand":["abbey"]},{"hand":["scout"]}]}`,
		ana, bo)
	h.play(table, h.awaited(table), "close")
	standing := h.Sees(table).Rulebook.Standing(h.Sees(table).Line.State, domain.Referee)
	require.Equal(t, []int{1, 1}, standing.Ranks, "%v", standing)
	text := strings.ReplaceAll(parts(t, h.compose(table, mail.KindOver, bo)).Text, "\r", "")
	require.Contains(t, text, fmt.Sprintf("\n 1. Ana: %d\n", standing.Final[0]))
	require.Contains(t, text, fmt.Sprintf("\n 1. Bo: %d\n", standing.Final[1]))
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

// What a mail looks like. POSTHORN_GOLDEN=write rewrites it; read it before keeping it.
func TestAMailAsItIs(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A","hands":[17,23],"scores":[4,1]}`, ana, bo)
	h.play(table, 0, "keep")
	p := parts(t, h.compose(table, mail.KindTurn, bo))
	got := constants([]byte("Subject: " + p.Subject + "\n\n" + strings.ReplaceAll(p.Text, "\r", "") + "\n" +
		strings.ReplaceAll(p.HTML, "\r", "")))
	path := filepath.Join("testdata", "turn.golden")
	if os.Getenv("POSTHORN_GOLDEN") == "write" {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// Somebody who asked for a first game reads which game the link opens; the subject is that of every sign-in.
func TestASignInMailForAFirstGameNamesAndOpensIt(t *testing.T) {
	for _, lang := range words.Languages {
		h := newHouse(t)
		post := mail.Post{Outbox: h.outbox}
		require.NoError(t, post.SignIn(h.Ctx, "ana@example.org", "the-token", lang, ""))
		plain := parts(t, h.compose(events.Name{}, mail.KindSignIn, ""))
		require.NoError(t, post.SignIn(h.Ctx, "ana@example.org", "another-token", lang, "carcassonne"))
		p := parts(t, h.compose(events.Name{}, mail.KindSignIn, ""))
		require.Equal(t, plain.Subject, p.Subject)
		require.NotContains(t, plain.Text, "Carcassonne")
		for _, text := range []string{p.Text, p.HTML} {
			require.GreaterOrEqual(t, strings.Count(text, "Carcassonne"), 3,
				"headline, what happens, and the button: %s", text)
			require.Contains(t, text, "/sign-in/another-token?game=carcassonne")
		}
	}
}

func BenchmarkCompose(b *testing.B) {
	for _, rb := range rulebooks.All() {
		b.Run(rb.Name(), func(b *testing.B) {
			h := newHouse(b)
			who := []domain.PersonID{h.person("Ana", "en"), h.person("Bo", "en")}
			table := h.started(rb.Name(), "", who...)
			for i := range 60 {
				h.playRandom(table, h.awaited(table), i)
			}
			h.notify()
			l := h.letter(table, mail.KindTurn, who[h.awaited(table)])
			b.ReportAllocs()
			for b.Loop() {
				_, err := h.composer.Compose(h.Ctx, l)
				require.NoError(b, err)
				picture.Rest() // each mail is written once
			}
		})
	}
}
