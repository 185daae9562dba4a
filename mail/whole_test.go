package mail_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/mail"
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
