package inbound_test

import (
	"fmt"
	"math/rand/v2"
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
)

// trading is a turn of Catan with enough for a road, and wool to trade: too few cards to discard any on a seven.
const trading = `{"phase":"main","first":"A","active":"A",
	"players":[{"settlements":[30],"roads":[35],"hand":{"wool":3,"brick":1,"lumber":1}},{"hand":{"ore":2}},{}]}`

func (p *post) trades() (table events.Name, at uint64) {
	people := []domain.PersonID{p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en")}
	require.NoError(p.T, p.people.SetName(p.Ctx, people[1], "Bo Sousa"))
	table = p.started(desk.NewTable{Rulebook: "catan", Given: []byte(trading)}, people...)
	p.deliver(table)
	return table, p.last()
}

// road returns a road that Ana may build.
func (p *post) road(table events.Name) string {
	look := p.Sees(table)
	for m := range look.Rulebook.Legal(look.Line.State, 0) {
		if road := look.Rulebook.FormatMove(m, nil); strings.HasPrefix(road, "road ") {
			return road
		}
	}
	p.T.Fatal("no road can be built")
	return ""
}

// Whatever a line asks for, no later line is played in its stead.
func TestALineThatFailsIsNotPassedOver(t *testing.T) {
	for _, first := range []string{"buld a road 34", "road 71", "z", "road 99 please", "b 4 Bo Sousa"} {
		p := newPost(t)
		table, at := p.trades()
		got := p.becomes(ana, first, "end")
		require.Contains(t, []string{"outcome: asked", "outcome: refused"}, got, first)
		require.Empty(t, p.story(table, at), first)
		p.deliver(table)
		require.NotContains(t, flat(p.newest(ana).Text), "Played", first)
	}
	p := newPost(t)
	table, _ := p.trades()
	require.Equal(t, "outcome: played", p.becomes(ana, "Hi all, sorry for the wait!", "end"),
		"a greeting is passed over")
	p.deliver(table)
}

// Moves stand in one line, in notation or as the mail lists them.
func TestAPressMayUseTheNamesOfTheMail(t *testing.T) {
	p := newPost(t)
	table, _ := p.trades()
	road := p.road(table)
	listed := p.called(table, 0, p.Sees(table).Table.Places[0].Holders[0], road)
	require.NotContains(t, []string{"", road}, listed)
	require.Equal(t, "outcome: played", p.becomes(ana, listed+"; end"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "Played: build a road, "+road+"; end the turn")
}

// After an answer to an offer the turn goes on, in the same mail too.
func TestATurnThatComesBackGoesOnInTheSameMail(t *testing.T) {
	p := newPost(t)
	table, _ := p.trades()
	require.Equal(t, "outcome: played", p.becomes(ana, "offer 2 wool for 1 ore to Bo"), "by their first name")
	p.deliver(table)
	got := p.becomes(bo, "counter 1 ore for 3 wool")
	p.deliver(table)
	require.Equal(t, "outcome: played", got, flat(p.newest(bo).Text))
	p.deliver(table)
	road := p.road(table)
	got = p.becomes(ana, "decline; "+road+"; end")
	p.deliver(table)
	require.Equal(t, "outcome: played", got, flat(p.newest(ana).Text))
	require.Contains(t, flat(unmarked.Replace(p.newest(ana).Text)),
		"Played: decline Bo Sousa's counter-offer; build a road, "+road+"; end the turn")
}

// Words after the end are said, whichever mail they answer, and a word that could be a move takes nothing away.
func TestWordsAfterTheEndAreSaid(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)},
		p.person("Ana", "en"), p.person("Bo", "en"))
	p.deliver(table)
	turn := p.newest(bo)
	p.play(table, 0, "keep")
	p.play(table, 1, "keep")
	p.Random(table, rand.New(rand.NewPCG(1, 2)), 100)
	p.Follows(table)
	require.Equal(t, domain.TableEnded, p.Sees(table).Table.Status)
	p.deliver(table)
	at, end := p.last(), p.newest(bo)
	p.answerTo(bo, end, "That was fun", "keep", "Again?")
	require.Equal(t, []string{"reply: said That was fun keep Again?"}, p.story(table, at))
	p.answerTo(bo, turn, "Such fun")
	require.Len(t, p.story(table, at), 1, "the mail about the turn is over since that about the end came")
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text),
		"a newer one about this table went out to you on Saturday, 21 November")
	require.Contains(t, flat(p.newest(bo).Text), "Nothing was played. The game is over.")
}

// Whoever answers a mail that is over is told which one is not, and can answer that answer as well.
func TestTheAnswerToAnOldMailNamesTheNewOne(t *testing.T) {
	for lang, says := range map[string]string{
		"en": "about this table went out to you on Saturday, 21 November, %s (UTC). " +
			"Reply to that one, or to this answer.",
		"pl": "Nowsza o tym stole wyszła do ciebie: sobota, 21 listopada, %s (UTC). Odpowiedz na nowszą albo na tę",
		"pt-BR": "Um mais novo sobre esta mesa foi enviado a você: sábado, 21 de novembro, %s (UTC). " +
			"Responda ao mais novo ou a este.",
		"pt-PT": "Foi-lhe enviado um mais recente sobre esta mesa: sábado, 21 de novembro, %s (UTC). " +
			"Responda ao mais recente ou a este.",
	} {
		t.Run(lang, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "tiny", Given: []byte(`{"roller":"A","hands":[17,23]}`)},
				p.person("Ana", "en"), p.person("Bo", lang))
			p.deliver(table)
			old := p.newest(bo)
			p.play(table, 0, "keep")
			p.play(table, 1, "keep")
			p.play(table, 0, "roll")
			p.deliver(table)
			newer := p.newest(bo)
			went, err := netmail.ParseDate(newer.Header.Get("Date"))
			require.NoError(t, err)
			p.answerTo(bo, old, "away until Monday")
			p.deliver(table)
			require.Contains(t, flat(unmarked.Replace(p.newest(bo).Text)),
				fmt.Sprintf(says, went.UTC().Format("15:04")))
			require.Equal(t, "outcome: said", p.becomes(bo, "say Hello!"))
		})
	}
}

// Whoever says something where nothing is asked is told how, not that a turn is over; an order may be given at any
// time.
func TestAReplyWhereNothingIsAskedIsToldHow(t *testing.T) {
	p := newPost(t)
	table, _ := p.trades()
	require.Equal(t, "outcome: played", p.becomes(ana, "end"))
	p.deliver(table)
	require.Equal(t, "outcome: unread", p.becomes(ana, "Hi folks, good to play with you"))
	p.deliver(table)
	require.Contains(t, flat(p.newest(ana).Text), "begin a line with say")
	require.Equal(t, "outcome: ordered", p.becomes(ana, "order decline from Bo"))
}
