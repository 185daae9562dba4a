package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// won is a position in which a city wins Ana the game.
const won = `{"active":"A","phase":"main","players":[{"cities":[13,31,10],"settlements":[40,22,42],
	"roads":[20,36],"hand":{"grain":2,"ore":3}},{},{}]}`

// Whoever ends a game by a reply gets one mail, which says what became of the reply and how the game ended.
func TestWhoEndsAGameByReplyGetsOneMail(t *testing.T) {
	for name, c := range map[string]struct {
		ends func(p *post) string
		says []string
	}{
		"the last to agree": {func(p *post) string {
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
				p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			p.Does(p.Sees(table).Table.Places[0].Holders[0], table, desk.ProposeEnd{})
			p.deliver(table)
			require.Equal(t, "outcome: answered", p.becomes("cid@example.org", "yes"))
			p.deliver(table)
			before := p.got(bo)
			require.Equal(t, "outcome: answered", p.becomes(bo, "yes"))
			p.deliver(table)
			require.Equal(t, domain.TableEnded, p.Sees(table).Table.Status)
			require.Equal(t, before+1, p.got(bo))
			require.Equal(t, "The players agreed to end the game. Nobody wins.",
				strings.Split(p.newest(ana).Text, "\r\n")[0])
			return bo
		}, []string{"You have agreed.", "The players agreed to end the game. Nobody wins.", "Final scores"}},
		"the winner": {func(p *post) string {
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(won)},
				p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			before := p.got(ana)
			require.Equal(t, "outcome: played", p.becomes(ana, "city 40"))
			p.deliver(table)
			require.Equal(t, domain.TableEnded, p.Sees(table).Table.Status)
			require.Equal(t, before+1, p.got(ana))
			return ana
		}, []string{"Played: build a city, intersection 40.", "The game is over", "Final scores"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPost(t)
			who := c.ends(p)
			mail := p.newest(who)
			require.Equal(t, "auto-replied", mail.Header.Get("Auto-Submitted"))
			for _, says := range c.says {
				require.Equal(t, 1, strings.Count(flat(mail.Text), says), "%s: %s", says, mail.Text)
			}
			require.Equal(t, "outcome: said", p.becomes(who, "Thanks for the game!"), "it is answered as an end is")
		})
	}
}

// What a start's mail promises of the chat holds, though the turn's mail has gone out since.
func TestWordsToAStartAreSaidThoughTheTurnCame(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "carcassonne", Given: []byte(`{"tile":"B","to_move":"A"}`)},
		p.person("Ana", "en"), p.person("Bo", "en"))
	p.deliver(table)
	p.deliver(table)
	start := p.newest(bo)
	require.Contains(t, flat(start.Text), "goes into the table’s chat")
	p.play(table, 0, p.Sees(table).Rulebook.FormatMove(first(p.Sees(table).Line), nil))
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text), "Your turn")
	at := p.last()
	p.answerTo(bo, start, "Hello everybody, good luck!")
	require.Equal(t, []string{"reply: said Hello everybody, good luck!"}, p.story(table, at))
}

// Below a move that is not played, a signature is no move.
func TestASignatureBelowWhatIsNotPlayedIsNoMove(t *testing.T) {
	for text, rest := range map[string]bool{
		"end|build a castle|Ana": false, "buy|build a castle|Love from the two of us": false,
		"buy|build a castle|The seaside was lovely this year": false, "buy|build a castle|end": true,
		"buy|build a castle|and then a road please": true,
	} {
		t.Run(text, func(t *testing.T) {
			p := newPost(t)
			table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
				p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
			p.deliver(table)
			p.becomes(ana, lined(text)...)
			require.Contains(t, p.answers(table)[0], "Not played: “build a castle”")
			require.Equal(t, rest, strings.Contains(p.answers(table)[0], "What follows it was not played either"),
				p.answers(table)[0])
		})
	}
}

// first returns a move that a line awaits.
func first(line *domain.Line) domain.Move {
	for m := range line.Rulebook.Legal(line.State, line.Awaited()[0].Seat) {
		return m
	}
	return nil
}
