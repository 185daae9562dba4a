package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is no move is answered by the words that were not understood, and by a line that fits what is asked now, which
// plays as it stands: not by what the game says of all that it cannot read, which is of other questions.
func TestAnAnswerQuotesWhatWasNotUnderstood(t *testing.T) {
	for _, c := range []struct{ game, scene, lang, text, quotes, example string }{
		{"rivals", "act", "en", "build the gloop", "understood of it: “gloop”.", "for example: "},
		{"rivals", "act", "pl", "zbuduj gloop", "zrozumieć: „gloop”.", "na przykład: "},
		{"rivals", "act", "pt-BR", "construo o gloop", "entender: “gloop”.", "por exemplo: "},
		{"rivals", "act", "pt-PT", "construo o gloop", "perceber: «gloop».", "por exemplo: "},
		{"rivals", "act", "en", "build the marketplace on the moon", "“moon”.", "for example: "},
		{"catan", "main", "en", "build a gloop", "“gloop”.", "for example: "},
		{"carcassonne", "first", "en", "0,1 0 gloop", "“gloop”.", "for example: "},
	} {
		t.Run(c.lang+": "+c.text, func(t *testing.T) {
			s := says(t, c.game, c.scene, c.lang, c.text)
			require.Empty(t, s.moves)
			require.Contains(t, s.answer, c.quotes)
			require.NotContains(t, s.answer, "abbey")
			_, example, ok := strings.Cut(s.answer, c.example)
			require.True(t, ok, s.answer)
			example, _, _ = strings.Cut(example, "\n")
			require.Equal(t, "outcome: played", says(t, c.game, c.scene, c.lang, example).outcome, example)
		})
	}
}

// A line of the mail's list plays as it was copied, with the points behind it.
func TestAListsLineIsReadWithItsPoints(t *testing.T) {
	for _, c := range []struct{ game, scene, lang, text, want string }{
		{"rivals", "act", "en", "City on the left starting place: +1", "city 0"},
		{"rivals", "act", "en", "0  City on the left starting place: +1", "city 0"},
		{"catan", "main", "en", "a 30  build a city, intersection 30, between the desert, forest 3 and fields 4: +1",
			"city 30"},
		{"catan", "main", "en", "a 30  build a city, intersection 30, between the desert, forest 3\n and fields 4: +1",
			"city 30"},
	} {
		s := says(t, c.game, c.scene, c.lang, c.text)
		require.Equal(t, []string{c.want}, s.moves, s.answer)
	}
}

// Words by which people say what the games' own lists say otherwise.
func TestWordsThatMeanAMoveOfTheList(t *testing.T) {
	for _, c := range []struct{ game, scene, lang, want, texts string }{
		{"rivals", "exchange", "en", "pass", "keep|I keep|keep them all"},
		{"rivals", "exchange", "pl", "pass", "Zatrzymuję|zostawiam"},
		{"rivals", "exchange", "pt-BR", "pass", "fico|Mantenho!"},
		{"rivals", "act", "en", "bank 3 ore brick", "exchange 3 ore for brick|swap 3 ore for 1 brick|" +
			"trade 3 ore for 1 brick|bank 3 ore for 1 brick|swap 3 ore for a brick with the bank"},
		{"rivals", "act", "pl", "bank 3 ore brick", "zamieniam 3 rudy na glinę|" +
			"wymieniam 3 rudy na 1 glinę|podmieniam 3 rudy na glinę"},
		{"rivals", "act", "pt-BR", "bank 3 ore brick", "troco 3 minérios por um tijolo|permuto 3 minérios por tijolo"},
		{"catan", "rich", "en", "bank wool brick", "swap 4 wool for 1 brick with the bank|bank 4 wool for 1 brick|" +
			"exchange 4 wool for brick with the bank|trade 4 wool for 1 brick with the bank"},
		{"catan", "rich", "pl", "bank wool brick", "zamieniam 4 wełny na glinę z bankiem"},
		{"catan", "main", "en", "end", "nothing more, end of my turn…|Nothing more. End of my turn"},
		{"catan", "main", "pl", "end", "nic więcej, koniec mojej tury…"},
		{"catan", "main", "pt-BR", "end", "nada mais, fim da minha vez…"},
		{"catan", "rob", "en", "rob 12 B", "12 Bo again"},
		{"catan", "rob", "pl", "rob 12 B", "12 znowu Bo"},
		{"catan", "rob", "pt-PT", "rob 12 B", "12 Bo de novo"},
	} {
		for text := range strings.SplitSeq(c.texts, "|") {
			t.Run(c.lang+": "+text, func(t *testing.T) {
				s := says(t, c.game, c.scene, c.lang, text)
				require.Equal(t, []string{c.want}, s.moves, s.answer)
			})
		}
	}
}

// Of two moves of which one is meant the writer is asked which: by two lines that each play as they stand.
func TestAnAlternativeIsAskedAbout(t *testing.T) {
	for _, c := range []struct{ scene, lang, text, one, other string }{
		{"play", "en", "2 bricks for a lumber or a wool?", "offer 2 brick for 1 lumber", "offer 2 brick for 1 wool"},
		{"play", "pl", "2 gliny za drewno albo wełnę?", "offer 2 brick for 1 lumber", "offer 2 brick for 1 wool"},
		{"play", "pt-BR", "2 tijolos por uma madeira ou uma lã?", "offer 2 brick for 1 lumber",
			"offer 2 brick for 1 wool"},
		{"main", "en", "road 43 or 44", "road 43", "road 44"},
	} {
		t.Run(c.text, func(t *testing.T) {
			s := says(t, "catan", c.scene, c.lang, c.text)
			require.Empty(t, s.moves)
			lines := strings.Split(s.answer, "\n")
			for i, want := range []string{c.one, c.other} {
				line := lines[len(lines)-2+i]
				back := says(t, "catan", c.scene, c.lang, line)
				require.Equal(t, want, strings.TrimSuffix(back.moves[0], " to B C"), line)
			}
		})
	}
}

// A line with many an "or" is read as quickly as any other: nobody can keep the house busy with it.
func TestManyAlternativesAreNotTriedOneByOne(t *testing.T) {
	s := says(t, "catan", "main", "en", "road 43"+strings.Repeat(" or 44 or 43", 14))
	require.Empty(t, s.moves)
	require.NotEmpty(t, s.answer)
}

// Whoever takes a step back and says what they would rather play is told how: a step goes back alone.
func TestAWishBehindAStepBackIsAnswered(t *testing.T) {
	for lang, c := range map[string][2]string{
		"en":    {"take back, I'd rather have road 46", "Reply with back only"},
		"pl":    {"cofnij, wole droge 46", "Napisz samo cofnij"},
		"pt-BR": {"voltar, prefiro a estrada 46", "Escreva só voltar"},
	} {
		s := says(t, "catan", "built", lang, c[0])
		require.Empty(t, s.moves)
		require.Contains(t, s.answer, c[1])
	}
}

// What is to hold always is a standing order, and plays at once what it says.
func TestWhatAlwaysHoldsIsAStandingOrder(t *testing.T) {
	for lang, texts := range map[string]string{
		"en":    "from now on always roll for me|always roll the dice",
		"pl":    "od teraz zawsze rzucaj za mnie|zawsze rzucaj kośćmi",
		"pt-BR": "a partir de agora role sempre por mim", "pt-PT": "a partir de agora lança sempre por mim",
	} {
		for text := range strings.SplitSeq(texts, "|") {
			for _, game := range []string{"catan", "rivals"} {
				require.Equal(t, "outcome: ordered", says(t, game, "roll", lang, text).outcome, text)
			}
		}
	}
}

// What is no answer to an offer leaves it open.
func TestWhatIsNoAnswerLeavesAnOfferOpen(t *testing.T) {
	for lang, texts := range map[string]string{"pl": "no to gramy|no to gramy!", "en": "sorry no lumber"} {
		for text := range strings.SplitSeq(texts, "|") {
			s := says(t, "catan", "asked-kasia", lang, text)
			require.Empty(t, s.moves, text)
			require.Equal(t, "outcome: asked", s.outcome, text)
		}
	}
}

// Whose card is taken is said as people say it, and little words around a move are no matter.
func TestAMoveIsReadThroughFillers(t *testing.T) {
	for _, c := range [][3]string{{"rob", "12, take Bo's card", "rob 12 B"},
		{"rob", "robber to 12, I take Bo’s", "rob 12 B"}, {"rob", "12 and steal from Bo first!", "rob 12 B"},
		{"main", "road 44 first!", "road 44"}, {"main", "then road 44", "road 44"}, {"main", "build 44", "road 44"}} {
		s := says(t, "catan", c[0], "en", c[1])
		require.Equal(t, []string{c[2]}, s.moves, "%s: %s", c[1], s.answer)
	}
	require.Empty(t, says(t, "catan", "rob", "en", "12, not Bo").moves)
	require.Empty(t, says(t, "catan", "main", "en", "Bo's road 44").moves)
}

// A condition is no move, and its writer is told so.
func TestAConditionIsSaidToBeNone(t *testing.T) {
	for lang, c := range map[string][2]string{"en": {"if nobody wants to trade, road 44", "sets a condition"},
		"pl":    {"jeśli nikt nie chce handlować, droga 44", "stawia warunek"},
		"pt-BR": {"se ninguém quiser trocar, estrada 44", "põe uma condição"},
		"pt-PT": {"se ninguém quiser trocar, estrada 44", "põe uma condição"}} {
		s := says(t, "catan", "main", lang, c[0])
		require.Empty(t, s.moves)
		require.Contains(t, s.answer, c[1])
	}
}
