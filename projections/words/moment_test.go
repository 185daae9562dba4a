package words_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"posthorn/projections/words"
)

func TestAMomentIsWrittenAsTheReadersClockShowsIt(t *testing.T) {
	book, err := words.New(nil)
	require.NoError(t, err)
	at := time.Date(2026, 11, 24, 17, 0, 0, 0, time.UTC)
	for lang, want := range map[string][3]string{
		"en": {"Tuesday, 24 November, 18:00 (CET)", "Tuesday, 24 November", "24 November 2026, 18:00 (CET)"},
		"pl": {"wtorek, 24 listopada, 18:00 (CET)", "wtorek, 24 listopada", "24 listopada 2026, 18:00 (CET)"},
		"pt-BR": {"terça-feira, 24 de novembro, 18:00 (CET)", "terça-feira, 24 de novembro",
			"24 de novembro de 2026, 18:00 (CET)"},
		"pt-PT": {"terça-feira, 24 de novembro, 18:00 (CET)", "terça-feira, 24 de novembro",
			"24 de novembro de 2026, 18:00 (CET)"},
	} {
		zone, err := time.LoadLocation("Europe/Warsaw")
		require.NoError(t, err)
		p := book.Printer(lang, "", nil)
		require.Equal(t, want[0], p.Moment(at.In(zone)))
		require.Equal(t, want[1], p.Day(at.In(zone)))
		require.Equal(t, want[2], p.Dated(at.In(zone)))
	}
	zone, err := time.LoadLocation("America/Sao_Paulo")
	require.NoError(t, err)
	require.Equal(t, "Tuesday, 24 November, 14:00 (UTC-03)", book.Printer("en", "", nil).Moment(at.In(zone)))
}
