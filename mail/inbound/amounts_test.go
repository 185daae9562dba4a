package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// said is what becomes of a reply.
type said struct {
	outcome string
	moves   []string // in notation
	answer  string   // its first sentence and lines
	mail    string   // its text
}

// says plays a scene of the corpus to where somebody is asked, mails it, and answers that mail.
func says(t *testing.T, game, scene, lang, text string) said {
	t.Helper()
	return answered(t, scenesOf(t, game)[scene], lang, text)
}

func answered(t *testing.T, scene, lang, text string) (s said) {
	t.Helper()
	p := newPost(t)
	table, seat := p.house.plays(scene, lang)
	p.deliver(table)
	at := p.last()
	person, err := p.people.Person(p.Ctx, p.Sees(table).Table.Places[seat].Holders[0])
	require.NoError(t, err)
	s.outcome = p.becomes(string(person.Address), strings.Split(text, "\n")...)
	for _, e := range p.replied(table, at) {
		s.moves = append(s.moves, strings.TrimPrefix(e, "reply: move "+seat.Letter()+" "))
	}
	s.answer = strings.Join(p.answers(table), "\n")
	p.deliver(table)
	s.mail = p.newest(string(person.Address)).Text
	return s
}

// Whoever has to discard says what of: all of a kind, some of another. What is played is exactly that, in any language,
// with or without the language's own letters.
func TestADiscardIsWhatItsWordsAddUpTo(t *testing.T) {
	for _, c := range []struct{ scene, lang, want, texts string }{ // of 3, 2, 2, 1; and of 4 and 4
		{"too-many", "en", "3 wool 1 ore", "all my wool and the ore|all the wool and an ore|" +
			"discard all my wool, 1 ore|I'll throw away all of my wool and the ore|the ore and all my wool, please"},
		{"too-many", "en", "2 lumber 2 grain", "all my grain and the lumber|all grain, all lumber|" +
			"both grain and both lumber|all my lumber and 2 grain, thanks|all my grain and all my lumber"},
		{"too-many", "pl", "3 wool 1 ore", "wyrzucam całą wełnę i rudę|" +
			"wyrzucam cala welne i rude|całą wełnę i całą rudę"},
		{"too-many", "pl", "2 lumber 2 grain", "wyrzucam całe zboże i całe drewno|" +
			"cale zboze i drewno|oba zboża i oba drewna"},
		{"too-many", "pt-BR", "3 wool 1 ore", "descarto toda a lã e o minério|toda a minha la e um minerio"},
		{"too-many", "pt-PT", "2 lumber 2 grain", "deito fora todo o trigo e toda a madeira|" +
			"todos os cereais e toda a madeira"},
		{"discard", "en", "4 brick", "all my bricks|all the bricks, please|ugh ok dump all the bricks"},
		{"discard", "en", "3 brick 1 wool", "1 wool and 3 bricks|wool, 3 bricks|a wool and three bricks"},
	} {
		for text := range strings.SplitSeq(c.texts, "|") {
			t.Run(c.lang+": "+text, func(t *testing.T) {
				s := says(t, "catan", c.scene, c.lang, text)
				require.Equal(t, []string{"discard " + c.want}, s.moves, s.answer)
			})
		}
	}
}

// Cards that are not said are not discarded, also if only one choice has those that are.
func TestADiscardThatDoesNotAddUpIsAskedAbout(t *testing.T) {
	for scene, texts := range map[string]string{
		"discard": "3 bricks|1 brick|brick|the bricks|discard 3 bricks|all but one brick|all my brick and a wool|" +
			"5 wool",
		"too-many": "all my wool|all my wool and lumber|wool|all but the ore|everything|" +
			"all my grain or all my lumber|not all my wool and the ore|half my wool and all my grain",
	} {
		for text := range strings.SplitSeq(texts, "|") {
			t.Run(scene+": "+text, func(t *testing.T) {
				s := says(t, "catan", scene, "en", text)
				require.Empty(t, s.moves)
				if text == "all my wool" || text == "3 bricks" {
					require.Contains(t, s.answer, "Discard exactly 4 cards.")
				}
			})
		}
	}
}
