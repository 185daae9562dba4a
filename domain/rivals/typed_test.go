package rivals

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The commonest moves are read in the words of three languages that pages and mails use for them.
func TestTheUsualWordsOfATurnAreRead(t *testing.T) {
	for text, want := range map[string]string{"encerrar": "end", "Encerrar o turno": "end", "termino": "end",
		"zakończ turę": "end", "kończę": "end", "end my turn": "end", "end turn": "end", "passo a vez": "pass",
		"pasuję": "pass", "roll the dice": "roll", "lanço os dados": "roll", "rzucam kośćmi": "roll",
		"construir estrada left": "road left", "zbuduj drogę left": "road left", "build road left": "road left",
		"fechar": "close"} {
		m, err := Rulebook.ParseMove(text, nil)
		require.NoError(t, err, text)
		require.Equal(t, want, Rulebook.FormatMove(m, nil), text)
	}
}
