package inbound_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/record"
)

// keepsSeats opens a table at which somebody keeps a seat for each of these people, themselves first.
func (p *post) keepsSeats(ids ...domain.PersonID) events.Name {
	p.T.Helper()
	n := desk.NewTable{Rulebook: "tiny", Pace: "weekly"}
	for _, id := range ids {
		n.Places = append(n.Places, desktest.Player(id))
	}
	ans, err := p.Desk.Open(p.Ctx, desktest.By(ids[0]), events.NewCommandID(), n)
	require.NoError(p.T, err)
	return ans.Table
}

// invites opens a table of Ana's, who has sat down, with a seat for each of the others, and delivers the invitations.
func (p *post) invites(ids ...domain.PersonID) events.Name {
	p.T.Helper()
	table := p.keepsSeats(ids...)
	p.Joins(ids[0], table, 0)
	p.deliver(table)
	return table
}

// becomes answers the newest mail of somebody, and returns what became of the answer.
func (p *post) becomes(from string, lines ...string) string {
	p.T.Helper()
	p.answer(from, lines...)
	return outcome(p.log.String())
}

// flat returns a text in one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestAnInvitationIsAnsweredByReply(t *testing.T) {
	for lang, says := range map[string]struct{ yes, no string }{
		"en": {"yes, I would love to!", "no thanks"}, "pl": {"tak, chętnie", "Niestety nie mogę."},
		"pt-BR": {"sim", "Não, obrigado"}, "pt-PT": {"Claro que sim!", "desta vez não"},
	} {
		p := newPost(t)
		people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", lang)}
		table := p.invites(people...)
		require.Equal(t, "outcome: answered", p.becomes(bo, says.no), lang)
		require.Equal(t, domain.SeatOpen, p.Sees(table).Table.Places[1].Kind, "Bo has declined")

		table = p.invites(people...)
		require.Equal(t, "outcome: answered", p.becomes(bo, says.yes), lang)
		p.deliver(table)
		require.Equal(t, domain.TableStarted, p.Sees(table).Table.Status, "everybody sits, so the game begins")
		require.Equal(t, "outcome: played", p.becomes(bo, "keep"), "the answer asks for the first move")
	}
}

// What an answer says besides its yes goes to nobody, and its writer hears so.
func TestWhatStandsBesidesAYesIsNotPassedOnInSilence(t *testing.T) {
	p := newPost(t)
	table := p.invites(p.person("Ana", "en"), p.person("Bo", "pt-PT"))
	require.Equal(t, "outcome: answered", p.becomes(bo, "Sim, com todo o gosto! Quem começa?"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text), "Não foi transmitido a ninguém: «")
}

// A seat taken by mail adds something to the table's luck that was not made here, and that its writer can check.
func TestASeatTakenByMailAddsItsMessageIDToTheLuck(t *testing.T) {
	p := newPost(t)
	table := p.invites(p.person("Ana", "en"), p.person("Bo", "en"))
	p.becomes(bo, "yes")
	sum := sha256.Sum256([]byte("1@example.org"))
	given := p.Sees(table).Table.Contributions
	require.Equal(t, hex.EncodeToString(sum[:]), string(given[len(given)-1].Bytes))
	p.deliver(table)
	require.Contains(t, p.newest(bo).Text, "Message-ID")
}

func TestAnUnclearAnswerToAnInvitationIsAskedAbout(t *testing.T) {
	p := newPost(t)
	table := p.invites(p.person("Ana", "en"), p.person("Bo", "en"))
	for _, text := range []string{"maybe", "yes, if Ana begins", "Who is playing?", "yes and no"} {
		require.Equal(t, "outcome: asked", p.becomes(bo, text), text)
		p.deliver(table)
		require.Contains(t, flat(p.newest(bo).Text), "Reply with one word: yes or no.")
	}
	require.Equal(t, "outcome: said", p.becomes(bo, "say who is playing?"), "what is only said is no answer")
	p.deliver(table)
	require.Equal(t, "outcome: answered", p.becomes(bo, "Yes."), "the question itself can be answered")
	p.deliver(table)
	require.Equal(t, domain.TableStarted, p.Sees(table).Table.Status)
}

// Who comes too late is told so, and by whom they are still seen.
func TestALateAnswerToAnInvitationIsToldWhy(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.invites(people...)
	first := p.newest(bo)
	require.Equal(t, "outcome: answered", p.becomes(bo, "yes"))
	p.answerTo(bo, first, "yes")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))
	p.deliver(table)
	require.Contains(t, p.newest(bo).Text, "You already have seat B.")
	require.Equal(t, "outcome: said", p.becomes(bo, "Good. See you there!"), "nothing is asked, so that is chat")

	p.Does(people[0], table, desk.Decline{Seat: 2, Person: people[2]})
	require.Equal(t, "outcome: stale", p.becomes("cid@example.org", "yes"), "the opener has taken it back")
	p.deliver(table)
	require.Contains(t, p.newest("cid@example.org").Text, "The seat is no longer kept for you.")
}

func TestSomebodyWithoutANameGetsTheOneThatTheySign(t *testing.T) {
	p := newPost(t)
	ana := p.person("Ana", "en")
	nameless, err := p.people.Ensure(p.Ctx, "cy@example.org", "en")
	require.NoError(t, err)
	p.invites(ana, nameless.ID)
	p.answerTo("Cyril <cy@example.org>", p.newest("cy@example.org"), "yes")
	require.Equal(t, "outcome: answered", outcome(p.log.String()))
	cy, err := p.people.Person(p.Ctx, nameless.ID)
	require.NoError(t, err)
	require.Equal(t, "Cyril", cy.Name)
}

func TestAProposalIsAnsweredByReply(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "pl")}
	table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)}, people...)
	p.play(table, 0, "keep")
	p.Does(people[0], table, desk.ProposeRewind{To: 1})
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text), "tak – wyraża zgodę")
	first := p.newest(bo)
	require.Equal(t, "outcome: asked", p.becomes(bo, "keep"), "no move is asked there")
	p.deliver(table)
	require.Equal(t, "outcome: answered", p.becomes(bo, "nie, dziękuję"))
	require.Nil(t, p.Sees(table).Table.Proposal)
	p.answerTo(bo, first, "tak")
	require.Equal(t, "outcome: stale", outcome(p.log.String()))

	p.Does(people[0], table, desk.ProposeRewind{To: 1})
	p.deliver(table)
	require.Equal(t, "outcome: answered", p.becomes(bo, "Zgoda!"))
	require.Len(t, p.Sees(table).Table.Lines, 2, "the table has gone back")
}

func TestASeatIsTakenOverByReply(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	table := p.started(desk.NewTable{Rulebook: "tiny"}, people[:2]...)
	p.Does(people[0], table, desk.OfferSeat{Seat: 0, Person: people[2]})
	p.deliver(table)
	p.door.AnyFrom = true
	p.answerTo("eve@example.org", p.newest("cid@example.org"), "yes")
	require.Equal(t, "outcome: foreign", outcome(p.log.String()), "whoever takes a seat over sees its hand")
	require.Equal(t, "outcome: answered", p.becomes("cid@example.org", "sure"))
	require.Equal(t, people[2:], p.Sees(table).Table.Places[0].Holders)
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes("cid@example.org", "keep"))
}

// Whoever gave the seat away is told who has it now, and the mail's own name is that.
func TestAGiverIsToldThatTheirSeatWasTaken(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en")}
	const address = "fred@example.org"
	fred, err := p.people.Ensure(p.Ctx, address, "en")
	require.NoError(t, err)
	table := p.started(desk.NewTable{Rulebook: "tiny"}, people...)
	p.Does(people[0], table, desk.OfferSeat{Seat: 0, Person: fred.ID})
	p.deliver(table)
	before := p.got(ana)
	p.answerTo("Fred Fox <"+address+">", p.newest(address), "yes")
	require.Equal(t, "outcome: answered", outcome(p.log.String()))
	p.deliver(table)
	require.Contains(t, flat(p.newest(address).Text), "Fred Fox")
	p.deliver(table) // news waits a minute
	for _, who := range []string{ana, bo} {
		require.Contains(t, flat(p.newest(who).Text), "Fred Fox takes over seat A.")
	}
	require.Equal(t, before+1, p.got(ana))
	require.NotContains(t, p.newest(ana).Text, "Fred Fox (you)")
	require.Contains(t, p.newest(ana).Text, "A: Fred Fox")
}

// What asks for nothing takes words, which the others read.
func TestABeginningAndAnEndTakeWords(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en")}
	table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)}, people...)
	p.play(table, 0, "keep")
	p.play(table, 1, "keep")
	p.Random(table, rand.New(rand.NewPCG(1, 2)), 100)
	p.Follows(table)
	require.Equal(t, domain.TableEnded, p.Sees(table).Table.Status)
	p.deliver(table)
	at := p.last()
	require.Contains(t, flat(p.newest(bo).Text), "goes into the table")
	require.Equal(t, "outcome: said", p.becomes(bo, "Well played, everybody!", "", "Shall we have another?"))
	require.Equal(t, []string{"reply: said Well played, everybody! Shall we have another?"}, p.story(table, at))
	p.deliver(table)
	require.Equal(t, "outcome: said", p.becomes(bo, "say bye"))
	p.deliver(table)
	require.Equal(t, "outcome: refused", p.becomes(bo, "away until Sunday"), "nobody waits")
}

func TestNewsTakesWordsAndSaysThatItAsksForNoMove(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en")}
	table := p.invites(people...)
	p.becomes(bo, "no")
	p.deliver(table)
	p.deliver(table) // once the news has waited for a mail that tells it, too
	require.Contains(t, p.newest(ana).Text, "Bo will not play at seat B.")
	require.Equal(t, "outcome: said", p.becomes(ana, "What a pity."))
	p.deliver(table)
	require.Equal(t, "outcome: stale", p.becomes(ana, "keep"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "asks for no move")
}

// Who declines a study may no longer see it: the answer shows nothing of it.
func TestWhoDeclinesAStudyIsShownNothingOfIt(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	source := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)},
		people[:2]...)
	p.play(source, 0, "keep")
	n := desk.NewTable{Rulebook: "tiny", Branch: p.BranchOf(source, 1, domain.BranchStudy), Pace: "weekly",
		Places: []domain.TablePlace{desktest.Player(people[0]), desktest.Player(people[2])}}
	ans, err := p.Desk.Open(p.Ctx, desktest.By(people[0]), events.NewCommandID(), n)
	require.NoError(t, err)
	p.Joins(people[0], ans.Table, 0)
	p.deliver(ans.Table)
	require.Equal(t, "outcome: answered", p.becomes("cid@example.org", "no thanks"))
	p.Does(people[0], ans.Table, desk.Fill{Seat: 1, StandIn: "steady"})
	p.deliver(ans.Table)
	got := flat(p.newest("cid@example.org").Text)
	require.Contains(t, got, "You have declined the seat.")
	require.NotContains(t, got, "A: Ana")
	require.NotContains(t, got, "Waiting")
}

// Somebody who answers the wrong mail of a thread is shown what they can play; their move is no chat.
func TestAMoveInAnswerToNewsIsNeitherPlayedNorSaid(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en")}
	table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)}, people...)
	p.play(table, 1, "keep")
	p.Does(people[0], table, desk.ProposeRewind{To: 1})
	p.deliver(table)
	require.Equal(t, "outcome: answered", p.becomes(bo, "no"))
	p.deliver(table)
	p.deliver(table)
	news := p.newest(ana)
	require.Contains(t, flat(news.Text), "goes into the table")
	at := p.last()
	for _, text := range []string{"a", "keep", "Keep"} {
		p.answerTo(ana, news, text)
		require.Equal(t, "outcome: stale", outcome(p.log.String()), text)
	}
	require.Empty(t, p.story(table, at))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "asks for no move")
	require.Equal(t, "outcome: played", p.becomes(ana, "keep"))
}

// What replies decided stands in the log as what pages decide does.
func TestALogOfReplyDecisionsIsVerified(t *testing.T) {
	p := newPost(t)
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	p.invites(people[:2]...)
	p.becomes(bo, "no")
	table := p.invites(people[:2]...)
	p.becomes(bo, "yes")
	p.deliver(table)
	p.play(table, 0, "keep")
	p.Does(people[0], table, desk.ProposeRewind{To: 1})
	p.deliver(table)
	p.becomes(bo, "yes")
	p.Follows(table)
	p.Does(people[0], table, desk.OfferSeat{Seat: 0, Person: people[2]})
	p.deliver(table)
	p.becomes("cid@example.org", "yes")
	doors := map[string]string{}
	recs, err := p.Desk.Log().Read(p.Ctx, 0, 1000)
	require.NoError(t, err)
	for i := range recs {
		meta, err := events.ReadMeta(&recs[i])
		require.NoError(t, err)
		doors[meta.Door+" "+recs[i].Type] = meta.Reply
	}
	for _, kind := range []string{"declined", "joined", "agreed", "substituted"} {
		require.Regexp(t, `^[0-9a-f]{16}$`, doors["reply table."+kind+".v1"], kind)
	}
	_, err = record.VerifyLog(p.Ctx, p.Desk.Log(), p.Desk.Keys(), desktest.Named, nil, func(string, int, int) {})
	require.NoError(t, err)
}
