package reply

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Most programs put nothing before the signature that people keep in them but an empty line.
func TestASignatureWithoutAMarkIsNotTheText(t *testing.T) {
	for _, signature := range []string{
		"|Atenciosamente,|Rafael Souza|Analista \\ Correio S.A.|Tel. +55 11 5555-0101",
		"|Atenciosamente,||Rafael Souza|Analista|Correio S.A.||Rua das Flores, 12|01000-000 São Paulo",
		"Abraços|Rafa", "|Abraço,|rafa", "|Abs,|Rafael", "Cumprimentos,|Rui",
		"|Com os melhores cumprimentos,|Rui Reis|Porto",
		"|Att.||Rafael Souza|(11) 5555-0101|www.correio.example", "|Obrigado,|Rafael Souza|+55 11 5555-0101",
		"|Kind regards,|Ann Lee|Head of Post, Mail Ltd|ann@mail.example", "|Best,|Ann",
		"Best regards|Ann Lee||Mail Ltd",
		"|Cheers,|Ann Lee|Mail Ltd|Mobile: 07700 900123", "|Thanks,|Ann Lee|Mail Ltd|https://mail.example",
		"|Pozdrawiam|Jan Kowalski|Kierownik|tel. kom. 601 234 567",
		"|Z poważaniem,|Jan Kowalski|Poczta sp. z o.o.|00-950 Warszawa",
		"|Pozdrawiam serdecznie,|Ola", "|Serdecznie pozdrawiam|Ola", "|Pozdrawiam, Ola|Kierownik|601 234 567",
		"|Pozdr.|Ola",
		"|Rafael Souza|Analista \\ Correio S.A.|Tel. +55 11 5555-0101", "|+48 601 234 567|www.poczta.example",
		"|ann@mail.example",
		"|Rafael Souza|Tel. +55 11 5555-0101||Esta mensagem pode conter informação confidencial e " +
			"destina-se apenas ao destinatário.",
		"|Best,|Ann||This email and any attachments are confidential and intended solely for the " +
			"addressee.|If you are not one, delete it.",
		"|Pozdrawiam|Jan||Treść tej wiadomości jest poufna i przeznaczona wyłącznie dla adresata.",
		"|Att.,|Rafa||Antes de imprimir, pense no meio ambiente.", "|Regards|Ann|Sent from my iPhone",
	} {
		text := "Sim" + strings.NewReplacer("|", "\n", "\\", "|").Replace("|"+signature)
		require.Equal(t, []string{"Sim"}, Own(text), signature)
		require.Equal(t, []string{"Sim"}, Own(text+"\n\n> quoted\n"), signature)
	}
}

func TestWhatIsNoSignatureIsTheText(t *testing.T) {
	for _, text := range []string{"Best|12 a", "Abraços a todos!|fim", "Abraços|diga até já", "Cumprimentos",
		"Obrigado!|fim",
		"12 a||fim", "say call me||say +48 601 234 567", "Thanks,|end", "Regards|end||away until Sunday",
		"13 31 20 36 10||20 36 13 31 10", "Look at this:||https://example.org/games/12?x=y",
		"Best|that I could do was to lose by two points.",
		"Hi!||Best move so far.", "Valeu!||Boa jogada.Parabéns", "12 a||ok.vamos", "Hi!||Call me: +48 601 234 567",
		"Hi!||Call +48 601 234 567|I am home all evening.", "Hi!||Look at www.example.org", "12 a||M 12 13 14",
		"Well played.||Ana, shall we play again?"} {
		require.Equal(t, strings.Split(text, "|"), Own(strings.ReplaceAll(text, "|", "\n")))
	}
}
