package reply

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestYesAndNoAreReadAsPeopleWriteThem(t *testing.T) {
	for said, texts := range map[Said][]string{
		SaidYes: {"yes", "Yes!", "YES, I would love to!", "yes please", "Hi Ana!|Sure, count me in.|See you",
			"I'd love to", "ok", "Okay, why not?", "Of course.",
			"no problem", "yes, no rush", "thanks, I'd be happy to", "I agree.", "👍", "sim", "Sim, claro!",
			"Claro que sim", "Com prazer.", "Concordo", "Olá! Aceito.",
			"pode ser", "tak", "Tak, chętnie", "Chętnie!", "Jasne, czemu nie?", "tak nie ma problemu", "Zgadzam się.",
			"Dzięki, z przyjemnością", "Bem|sim", "Quero jogar!", "Chcę zagrać", "I want to join"},
		SaidNo: {"no", "No thanks", "no, thank you", "Sorry, I can't", "Nope", "not this time", "of course not",
			"thanks but no", "No, I don't want to", "I disagree",
			"não", "Não, obrigado.", "claro que não", "Desculpe, não posso", "Infelizmente não", "nie", "Nie, dziękuję",
			"Niestety nie mogę", "raczej nie", "Oczywiście, że nie."},
		SaidUnsure: {"maybe", "yes and no", "yes, if Ana begins", "yes but not before Monday", "I don't know yet",
			"talvez", "não sei", "ainda não", "może", "nie wiem", "jeszcze nie",
			"tak, ale nie teraz", "sim, mas agora não"},
		SaidNothing: {"", "Who is playing?", "12 a", "keep", "Yesterday I was ill", "Nowadays",
			"Simone sends greetings", "Nieładnie", "hello", "thanks", "no to koniec",
			"quero trocar 1 tijolo por 1 lã com a Kasia", "chcę wymienić 1 cegłę", "I'd like to trade wool"},
	} {
		for _, text := range texts {
			require.Equal(t, said, YesNo(strings.Split(text, "|")), text)
		}
	}
}

func TestWhatStandsBesidesAYesIsNoticed(t *testing.T) {
	for text, besides := range map[string]bool{"Sim, com todo o gosto! Quem começa?": true, "yes please": false,
		"Yes!|Shall we say Sunday?": true,
		"no thanks|Ana Maria":       false, "tak, chętnie": false, "yes|I shall be away in August": true,
		"Hi Ana!|Sure, count me in.|See you": false} {
		require.Equal(t, besides, Besides(strings.Split(text, "|")), text)
	}
}

func TestWordsThatAreForNothingElseBecomeChat(t *testing.T) {
	none := func(Line) bool { return false }
	require.Equal(t, []Line{{Kind: KindSay, Text: "What a game! Thanks to all."},
		{Kind: KindAway, Text: "until Sunday"}},
		Words(Sort(strings.Split("What a game!||away until Sunday|Thanks to all.", "|")), none))
	require.Equal(t, []Line{{Kind: KindSay, Text: "hi"}}, Words(Sort([]string{"say hi"}), none))
	long := Words(Sort(Own(strings.Repeat(strings.Repeat("ó", 400)+"\n", 8))), none)
	require.Len(t, long, 1)
	require.True(t, long[0].Cut && len(long[0].Text) <= longest)
}
