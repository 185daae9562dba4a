package inbound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
)

// Whoever asks for help, for no more mails, or to play no longer is told how that is had; nothing else happens.
func TestHelpIsGivenAndNothingElseDone(t *testing.T) {
	for lang, c := range map[string][3][2]string{
		"en": {{"help", "the page has them all"}, {"Stop!", "open the link for that at the end"},
			{"I resign", "on the table’s page you can leave it"}},
		"pl": {{"Pomoc, proszę", "wszystkie są na stronie"}, {"wypisz mnie", "otwórz link na końcu"},
			{"poddaję się", "na stronie stołu możesz je opuścić"}},
		"pt-BR": {{"ajuda", "na página estão todas"}, {"parar", "abra o link no fim"},
			{"Desisto.", "na página da mesa você pode sair dele"}},
		"pt-PT": {{"?", "na página estão todas"}, {"parem", "abra a ligação no fim"},
			{"quero desistir", "na página da mesa pode sair dele"}},
	} {
		p := newPost(t)
		table := p.inTurn(lang)
		at := p.last()
		for _, asks := range c {
			require.Equal(t, "outcome: asked", p.becomes(ana, asks[0], "Ana"), asks[0])
			p.deliver(table)
			require.Contains(t, flat(p.newest(ana).Text), asks[1], lang)
		}
		require.Empty(t, p.story(table, at))
		require.Equal(t, domain.TableStarted, p.Sees(table).Table.Status)
	}
	p := newPost(t)
	p.invites(p.person("Ana", "en"), p.person("Bo", "en"))
	require.Equal(t, "outcome: asked", p.becomes(bo, "help?"))
	p = newPost(t)
	table, _ := p.offered("pl", "brick")
	require.Equal(t, "outcome: played", p.becomes(bo, "rezygnuję"), "a no to an offer is one")
	require.Equal(t, domain.TableStarted, p.Sees(table).Table.Status)
}

// Whoever asks to be written to in a language is, beginning with the answer; nothing else happens, and what speaks of a
// language beside something else is left alone.
func TestOnesLanguageIsChangedByMail(t *testing.T) {
	for _, c := range []struct{ from, text, to, says string }{
		{"en", "Please write to me in Polish from now on.", "pl", "Od teraz piszemy do ciebie po polsku."},
		{"en", "po polsku, proszę", "pl", "Zobacz wszystkie ruchy"},
		{"en", "Polish please", "pl", "Twoja kolej"},
		{"pl", "In English please, thanks!", "en", "Your emails are in English from now on."},
		{"pl", "po angielsku", "en", "Your turn"},
		{"pt-PT", "português do Brasil, por favor", "pt-BR", "A partir de agora"},
		{"pt-BR", "português de Portugal", "pt-PT", "A partir de agora"},
		{"pt-BR", "Escreva em inglês, por favor", "en", "from now on"},
	} {
		p := newPost(t)
		table := p.inTurn(c.from)
		at := p.last()
		require.Equal(t, "outcome: language", p.becomes(ana, c.text), c.text)
		p.deliver(table)
		require.Contains(t, flat(p.newest(ana).Text), c.says, c.text)
		someone, err := p.people.Person(p.Ctx, p.Sees(table).Table.Places[0].Holders[0])
		require.NoError(t, err)
		require.Equal(t, c.to, someone.Language, c.text)
		require.Empty(t, p.story(table, at))
	}
	for _, text := range []string{"I learn Polish now", "say in Polish please", "in Polish it is called droga",
		"Polish or English?", "no Polish"} {
		p := newPost(t)
		p.inTurn("en")
		require.NotEqual(t, "outcome: language", p.becomes(ana, text), text)
	}
}

// Whoever writes to the answer that it is not their turn is told that again, and after the end that it has come.
func TestWhoseTurnItIsNotIsToldSo(t *testing.T) {
	for lang, says := range map[string]string{"en": "It is not your turn, so no move was played.",
		"pl": "To nie twoja kolej, więc nic nie zagrano.", "pt-BR": "Não é a sua vez, por isso nada foi jogado.",
		"pt-PT": "Não é a sua vez, por isso não foi feita nenhuma jogada."} {
		p := newPost(t)
		table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)}, // too few cards for a seven
			p.person("Ana", lang), p.person("Bo", "en"), p.person("Cid", "en"))
		p.deliver(table)
		require.Equal(t, "outcome: played", p.becomes(ana, "end"))
		p.deliver(table)
		require.Equal(t, "outcome: stale", p.becomes(ana, "road 44"))
		p.deliver(table)
		require.Contains(t, flat(p.newest(ana).Text), says, lang)
	}
}

// With two offers open, a yes with a but is asked which it answers: that word alone would not say.
func TestAYesWithAButToTwoOffersIsAskedWhich(t *testing.T) {
	p := newPost(t)
	table := p.asking("en")
	require.Equal(t, "outcome: played", p.becomes(bo, "accept"))
	require.Equal(t, "outcome: played", p.becomes(cid, "counter brick for 2 wool"))
	p.deliver(table)
	at := p.last()
	require.Equal(t, "outcome: asked", p.becomes(ana, "yes, but only the good one"))
	require.Empty(t, p.story(table, at))
	p.deliver(table)
	text := flat(unmarked.Replace(p.newest(ana).Text))
	require.Contains(t, text, "confirm Bo")
	require.NotContains(t, text, "that word alone")
}

// A line that is not played is quoted without its full stop, as the sentence has one; a word of the notation is
// nobody's name.
func TestWhatIsNotPlayedIsQuotedOnce(t *testing.T) {
	p := newPost(t)
	table := p.inTurn("en")
	p.becomes(ana, "buy", "Build a castle in the air.", "end")
	p.deliver(table)
	text := flat(unmarked.Replace(p.newest(ana).Text))
	require.Contains(t, text, "Not played: “Build a castle in the air”. It is not a move there.")
	_, err := p.Sees(table).Rulebook.ParseMove("rob 9 and nobody", []string{"Ana", "Bo", "Cid"})
	r, _ := domain.AsRefusal(err)
	require.Equal(t, "unreadable-word", r.Code)
}
