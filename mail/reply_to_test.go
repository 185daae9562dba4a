package mail_test

import (
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desktest"
	"posthorn/events/pass"
	"posthorn/mail"
	"posthorn/projections/turn"
)

func TestATurnMailIsAnsweredToItsDecision(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "pl")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	p := parts(t, h.compose(table, mail.KindTurn, bo))
	a, err := netmail.ParseAddress(p.Header.Get("Reply-To"))
	require.NoError(t, err)
	local, host, _ := strings.Cut(a.Address, "@")
	require.LessOrEqual(t, len(local), 64)
	require.Equal(t, "games.example.org", host)
	base, token, _ := strings.Cut(local, "+")
	require.Equal(t, "games", base)

	r, err := pass.New(h.keys).ReadReply(token)
	require.NoError(t, err)
	look := h.Sees(table)
	open := look.Line.Awaited()[1]
	rec, err := events.LoadOne(h.Ctx, h.Desk.Log(), look.LineName, open.Since)
	require.NoError(t, err)
	require.Equal(t, rec.Pos, r.Pos)
	require.True(t, r.At(rec.Hash) && r.Of(bo) && !r.Of(ana) && r.Asks(open.Decision) && r.Ahead == 0)
	require.Regexp(t, ` [ab] – wykonuje ten ruch`, p.Text)
	require.Regexp(t, `>[abc A]+</b></a>, .*<b>[abc A]+</b></a>.* – wykonuje ten ruch`, p.HTML, "whichever is best")
	require.NotContains(t, p.Text, token, "nobody reads it")
	links := regexp.MustCompile(`"mailto:games%2B` + token + `@games\.example\.org\?subject=`)
	require.NotEmpty(t, links.FindAllString(p.HTML, -1), "links begin an answer to where the reply goes")
	require.NotContains(t, links.ReplaceAllString(p.HTML, ""), token, "nobody reads it")

	h.play(table, 0, "keep")
	p = parts(t, h.compose(table, mail.KindTurn, bo))
	a, err = netmail.ParseAddress(p.Header.Get("Reply-To"))
	require.NoError(t, err)
	later, err := pass.New(h.keys).ReadReply(a.Address[len("games+"):strings.Index(a.Address, "@")])
	require.NoError(t, err)
	require.Equal(t, r.Pos, later.Pos, "it is the same decision")
	require.EqualValues(t, 1, later.Ahead, "and the choices are called as they stand since Ana has moved")

	p = parts(t, h.compose(h.open("tiny", ana, "", invited(ana, bo)...), mail.KindInvitation, bo))
	require.NotEmpty(t, p.Header.Get("Reply-To"))
	require.Regexp(t, `>tak</b></a> – zajmuje miejsce`, p.HTML)
	h.composer.ReplyTo = "fifteen.letters@games.example.org"
	p = parts(t, h.compose(table, mail.KindTurn, bo))
	a, err = netmail.ParseAddress(p.Header.Get("Reply-To"))
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Index(a.Address, "@"), 64)
	h.composer.ReplyTo = "a.name.for.which.there.is.no.room@games.example.org"
	p = parts(t, h.compose(table, mail.KindTurn, bo))
	require.Empty(t, p.Header.Get("Reply-To"), "servers may refuse it")
	h.composer.ReplyTo = ""
	p = parts(t, h.compose(table, mail.KindTurn, bo))
	require.Empty(t, p.Header.Get("Reply-To"), "nobody reads answers")
	require.NotContains(t, p.Text, "powiedz")
}

// The example in a mail is one of the moves that it lists, even if it lists only some.
func TestTheExampleOfATurnMailIsListedInIt(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		table := h.started(game, "", ana, bo)
		seat := h.awaited(table)
		p := parts(t, h.compose(table, mail.KindTurn, []domain.PersonID{ana, bo}[seat]))
		found := regexp.MustCompile(`\n - (\S+)(.*) – plays that move`).
			FindStringSubmatch(strings.ReplaceAll(p.Text, "\r", ""))
		require.NotNil(t, found, game)
		listed, _, _ := strings.Cut(p.Text, "Or reply to this email")
		require.Regexp(t, `(?m)^ *`+regexp.QuoteMeta(found[1]+found[2])+`[ \r\n]`, listed, game)
	}
}

func TestWhoPlaysAloneIsNotToldHowToTellOthers(t *testing.T) {
	h := newHouse(t)
	ana := h.person("Ana", "en")
	table := h.Starts("tiny", nil, desktest.Player(ana), desktest.Player(ana))
	h.Follows(table)
	p := parts(t, h.compose(table, mail.KindTurn, ana))
	require.Contains(t, p.Text, "– plays that move")
	require.NotContains(t, p.Text, "goes into the chat")
	require.NotContains(t, p.Text, "tells the others")
}

func TestTheExampleHasNoEnglishWordInAnotherLanguage(t *testing.T) {
	labels := []string{"Zbuduj: Kaplica", "nad osadą"}
	move := func(names ...string) (n turn.Named) {
		for i, name := range names {
			n.Path = append(n.Path, turn.Option{Name: name, Place: i > 0, Label: labels[i]})
		}
		n.Name = strings.Join(names, " ")
		return n
	}
	moves := []turn.Named{move("a", "0 above"), move("a", "1a"), move("b")}
	any := func(domain.Move) bool { return true }
	require.Equal(t, "a 0 above", mail.ExampleOf(moves, "en", any))
	require.Equal(t, "a 1a", mail.ExampleOf(moves, "pt-PT", any))
	require.Equal(t, "Zbuduj: Kaplica, nad osadą", mail.ExampleOf(moves[:1], "pl", any),
		"where there is no other it is spelled out")
	require.Empty(t, mail.ExampleOf(nil, "pl", any))
}

func TestWhichAddressesAnswersCanBeSentTo(t *testing.T) {
	for _, good := range []string{"games@example.org", "posthorn@localhost", "r@[127.0.0.1]",
		"fifteen.letters@example.org"} {
		require.NoError(t, mail.CheckReplyTo(good, 0), good)
	}
	require.NoError(t, mail.CheckReplyTo("fifteen.letters@example.org", 2_000_000))
	require.ErrorIs(t, mail.CheckReplyTo("fifteen.letters@example.org", 3_000_000), mail.ErrReplyTo,
		"its log has become too long")
	for _, bad := range []string{"", "games", "@example.org", "games+x@example.org", "sixteen.letters.@example.org",
		"Games <games@example.org>", `"a b"@example.org`, "a@b@c", "a@b\r\nBcc: x@example.org"} {
		require.ErrorIs(t, mail.CheckReplyTo(bad, 0), mail.ErrReplyTo, bad)
	}
}
