package mail_test

import (
	netmail "net/mail"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/mail"
)

// listed returns a mail as a list of mails shows it: who sent it, and its subject. On a phone both are whole.
func listed(t testing.TB, p mail.Parts) (sender, subject string) {
	t.Helper()
	from, err := netmail.ParseAddress(p.Header.Get("From"))
	require.NoError(t, err)
	require.Equal(t, "posthorn@games.example.org", from.Address, "whoever it is called")
	require.LessOrEqual(t, utf8.RuneCountInString(p.Subject), 39, p.Subject)
	return from.Name, p.Subject
}

// Given a game of Catan in which things are offered and answered, then each mail says who did what, and the turns
// between have one subject.
func TestAnOffersMailSaysWhoOffersWhat(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"Posthorn · your turn", "Catan with Bo and Cid", "Ana, by Posthorn", "Ana offers you 2 wool for 1 ore",
			"Bo, by Posthorn", "Bo took your offer: you get 1 ore"},
		"pt-BR": {"Posthorn · sua vez", "Catan com Bo e Cid", "Ana, pelo Posthorn", "Ana oferece 2 lãs por 1 minério",
			"Bo, pelo Posthorn", "Bo aceitou a oferta: 1 minério"},
		"pt-PT": {"Posthorn · é a sua vez", "Catan com Bo e Cid", "Ana, pelo Posthorn",
			"Ana oferece 2 lãs por 1 minério", "Bo, pelo Posthorn", "Bo aceitou a oferta: 1 minério"},
		"pl": {"Posthorn · twoja kolej", "Catan: Bo i Cid", "Ana, przez Posthorn", "Ana daje: 2 wełny, chce: 1 ruda",
			"Bo, przez Posthorn", "Bo przyjmuje ofertę: 1 ruda"},
	} {
		t.Run(lang, func(t *testing.T) {
			h := newHouse(t)
			ana, bo, cid := h.person("Ana", lang), h.person("Bo", lang), h.person("Cid", lang)
			table := h.started("catan", traders, ana, bo, cid)
			var got []string
			says := func(to domain.PersonID) {
				sender, subject := listed(t, parts(t, h.compose(table, mail.KindTurn, to)))
				got = append(got, sender, subject)
			}
			says(ana)
			h.play(table, 0, "offer 2 wool for ore to B")
			says(bo)
			h.play(table, 1, "accept")
			says(ana)
			require.Equal(t, want, got)
		})
	}
}

// Every mail about a table that is no turn says who does what, below one root with the turns.
func TestEveryOtherMailSaysWhoDoesWhat(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	h.KeepTime(h.people.Calendars)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	root := ""
	says := func(table events.Name, kind mail.Kind, to domain.PersonID, want ...string) {
		t.Helper()
		p := parts(t, h.compose(table, kind, to))
		sender, subject := listed(t, p)
		require.Equal(t, want, []string{sender, subject})
		if root == "" {
			root = p.Header.Get("References")
		}
		require.Equal(t, root, p.Header.Get("References"))
	}
	n := desk.NewTable{Rulebook: "tiny", Pace: "daily", Clock: domain.ClockOf("daily", domain.TimeOutRemind),
		Given: []byte(`{"roller":"A"}`), Places: invited(ana, bo)}
	ans, err := h.Open(h.Ctx, desktest.By(ana), events.NewCommandID(), n)
	require.NoError(t, err)
	table := ans.Table
	says(table, mail.KindInvitation, bo, "Ana, by Posthorn", "Ana invites you to Tiny")
	h.join(ana, table)
	h.join(bo, table)
	says(table, mail.KindNews, bo, "Posthorn", "It begins: Tiny with Ana")
	h.play(table, 0, "keep")
	h.play(table, 1, "peek A")
	h.do(ana, table, desk.ProposeRewind{To: 1})
	says(table, mail.KindConsent, bo, "Ana, by Posthorn", "Ana asks to take 2 moves back")
	h.agree(bo, table)
	h.notify()
	root = ""
	says(table, mail.KindNews, ana, "Posthorn", "Taken back to move 1")
	root = ""
	h.do(ana, table, desk.ProposePause{Until: calendar.DayOf(noon, time.UTC) + 3})
	says(table, mail.KindConsent, bo, "Ana, by Posthorn", "Ana proposes a pause")
	h.do(bo, table, desk.Refuse{Since: h.Sees(table).Table.Proposal.Since})
	h.proposeEnd(ana, table)
	says(table, mail.KindConsent, bo, "Ana, by Posthorn", "Ana proposes to end the game")
}

// A reminder says how much time is left for what, as of when it goes out.
func TestAReminderSaysHowMuchTimeIsLeft(t *testing.T) {
	c := &clock{t: noon}
	h := open(t, c.now)
	h.KeepTime(h.people.Calendars)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "pl")
	table := h.timed("daily", domain.TimeOutRemind, ana, bo)
	out := &post{}
	h.notify()
	require.NoError(t, h.send(out))
	h.passes(c, out, 23)
	subjects := map[string][]string{}
	for _, s := range out.taken() {
		_, subject := listed(t, parts(t, mail.Message{Raw: []byte(s.message)}))
		subjects[s.to] = append(subjects[s.to], subject)
	}
	require.Equal(t, []string{"Tiny: Ana", "Zostało 12 godzin na ruch: Tiny", "Zostały 2 godziny na ruch: Tiny"},
		subjects["bo@example.org"])
	h.do(ana, table, desk.Nudge{Seat: 1})
	p := parts(t, h.compose(table, mail.KindNudge, bo))
	sender, subject := listed(t, p)
	require.Equal(t, "Ana, przez Posthorn: Ana przypomina: Tiny", sender+": "+subject)
}

// The end says who won, and what everybody has; chat after it says who wrote what.
func TestTheEndSaysWhoWon(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.curious("Ana", "en"), h.curious("Bo", "en")
	table := h.started("tiny", `{"roller":"A","scores":[80,0]}`, ana, bo) // whatever comes, she wins
	for n := 0; h.Sees(table).Table.Status == domain.TableStarted; n++ {
		h.playRandom(table, h.awaited(table), n)
		h.Follows(table)
	}
	h.notify()
	_, won := listed(t, parts(t, h.compose(table, mail.KindOver, ana)))
	_, lost := listed(t, parts(t, h.compose(table, mail.KindOver, bo)))
	require.Regexp(t, `^You won Tiny: \d+, -?\d+$`, strings.ReplaceAll(won, "−", "-"))
	require.Regexp(t, `^Ana won Tiny: `, lost)
	h.do(ana, table, desk.Say{Written: desk.Written{Text: []byte("sealed Who builds a road there, of all places?!")}})
	h.notify()
	sender, subject := listed(t, parts(t, h.compose(table, mail.KindNews, bo)))
	require.Equal(t, "Ana, by Posthorn", sender)
	require.Equal(t, "Ana: “Who builds a road there, of all…”", subject)
}

// Given two games with the same people, then their turns have two subjects: some programs go by nothing else.
func TestTwoGamesOfTheSamePeopleAreToldApart(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	out := &post{}
	subjects := map[string]int{}
	for range 3 {
		table := h.started("tiny", `{"roller":"A"}`, ana, bo)
		h.play(table, 0, "keep")
		h.notify()
		require.NoError(t, h.send(out))
	}
	for _, s := range out.taken() {
		if p := parts(t, mail.Message{Raw: []byte(s.message)}); s.to == "bo@example.org" &&
			strings.HasPrefix(p.Header.Get("Feedback-Id"), "turn:") {
			subjects[p.Subject]++
		}
	}
	require.Equal(t, map[string]int{"Tiny with Ana": 1, "Tiny with Ana #2": 1, "Tiny with Ana #3": 1}, subjects)
}
