package catan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"posthorn/domain"
	"posthorn/domain/catan/notation"
	"posthorn/domain/catan/state"
)

func TestNotationIsReadLenientlyAndWrittenInOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"settle 13 road 21":               "settle 13 road 21",
		"  SETTLE 13, Road 21 ":           "settle 13 road 21",
		"osada 13 droga 21":               "settle 13 road 21",
		"road 22":                         "road 22",
		"estrada 22":                      "road 22",
		"aldeia 13":                       "settle 13",
		"cidade 13":                       "city 13",
		"banco lã minério":                "bank wool ore",
		"fim":                             "end",
		"encerrar":                        "end",
		"encerrar o turno":                "end",
		"termino a vez":                   "end",
		"zakończ turę":                    "end",
		"end my turn":                     "end",
		"roll the dice":                   "roll",
		"lanço os dados":                  "roll",
		"rzucam kośćmi":                   "roll",
		"build a road 22":                 "road 22",
		"construir estrada 22":            "road 22",
		"zbuduj osadę 13":                 "settle 13",
		"stawiam miasto 13":               "city 13",
		"compro":                          "buy",
		"kupuję":                          "buy",
		"trocar lã por minério com Bo":    "offer 1 wool for 1 ore to Bo",
		"proponuję wełnę za rudę dla Bo":  "offer 1 wool for 1 ore to Bo",
		"city 13":                         "city 13",
		"miasto 13":                       "city 13",
		"roll":                            "roll",
		"rzuć":                            "roll",
		"lançar":                          "roll",
		"buy":                             "buy",
		"kup":                             "buy",
		"knight 9 Bo":                     "knight 9 Bo",
		"rycerz 9 b":                      "knight 9 Bo",
		"rob 9":                           "rob 9",
		"ladrão 9 de Bo":                  "rob 9 Bo",
		"discard 2 wool 1 ore":            "discard 2 wool 1 ore",
		"discard 1 ore 2wool":             "discard 2 wool 1 ore",
		"odrzuć 2 wełny i 1 ruda":         "discard 2 wool 1 ore",
		"descartar 2 lãs e 1 minério":     "discard 2 wool 1 ore",
		"bank wool ore":                   "bank wool ore",
		"bank wool for ore":               "bank wool ore",
		"offer 1 wool for 1 ore to Bo Cy": "offer 1 wool for 1 ore to Bo, Cy",
		"offer wool for ore to Cy, Bo and Di ask": "offer 1 wool for 1 ore to Bo, Cy, Di ask",
		"offer 2 sheep for 1 wheat ask":           "offer 2 wool for 1 grain ask",
		"oferta 1 lã por 1 minério para Bo":       "offer 1 wool for 1 ore to Bo",
		"offer wool for ore to all":               "offer 1 wool for 1 ore",
		"accept":                                  "accept",
		"accept Bo":                               "accept Bo",
		"nie":                                     "decline",
		"decline cy":                              "decline Cy",
		"confirm Bo":                              "confirm Bo",
		"counter 1 ore for 1 wool":                "counter 1 ore for 1 wool",
		"withdraw":                                "withdraw",
		"monopoly ore":                            "monopoly ore",
		"monopólio madeira":                       "monopoly lumber",
		"plenty ore grain":                        "plenty grain ore",
		"plenty 2 ore":                            "plenty ore ore",
		"plenty ore":                              "plenty ore",
		"roads 23 22":                             "roads 22 23",
		"roads 22":                                "roads 22",
		"token trade":                             "token trade",
		"ficha deserto":                           "token desert",
		"give 1 wool 1 ore":                       "give 1 wool 1 ore",
		"refill":                                  "refill",
		"neutral road 30 settle 41":               "neutral road 30 settle 41",
		"neutral N road 30 M settle 41":           "neutral road 30 settle 41",
		"neutral M settle 41 N road 30":           "neutral road 30 settle 41",
		"neutral M road 30":                       "neutral M road 30",
		"neutral road 30":                         "neutral road 30",
		"end":                                     "end",
		"koniec":                                  "end",
	} {
		m, err := notation.Room{}.ParseMove(text, testNames)
		require.NoError(t, err, text)
		require.Equal(t, want, Rulebook.FormatMove(m, testNames), text)
		back, err := notation.Room{}.ParseMove(Rulebook.FormatMove(m, nil), nil)
		require.NoError(t, err)
		require.Equal(t, m, back, text)
		for _, typed := range []string{strings.ToUpper(text), norm.NFD.String(text),
			norm.NFD.String(strings.ToUpper(text)), strings.ReplaceAll(text, " ", "\u00a0"), domain.Fold(text)} {
			again, err := notation.Room{}.ParseMove(typed, testNames)
			require.NoError(t, err, typed)
			require.Equal(t, m, again, typed)
		}
	}
}

// Given a name after an article or declined, it is that player; a letter stays a seat.
func TestNamesAreReadAsPeopleWriteThem(t *testing.T) {
	names := []string{"Emma", "Kasia", "Rafa", "Marek"}
	for text, want := range map[string]string{
		"Ofereço uma lã por um minério para a Kasia":    "offer 1 wool for 1 ore to Kasia",
		"ofereço um tijolo por uma lã para o Rafa":      "offer 1 brick for 1 wool to Rafa",
		"oferta 1 tijolo por 1 lã ao Rafa":              "offer 1 brick for 1 wool to Rafa",
		"oferta 1 tijolo por 1 lã à Kasia e ao Rafa":    "offer 1 brick for 1 wool to Kasia, Rafa",
		"oferta 1 tijolo por 1 lã para a Emma":          "offer 1 brick for 1 wool to Emma",
		"oferta 1 tijolo por 1 lã para A, B":            "offer 1 brick for 1 wool to Emma, Kasia",
		"offer 1 brick for 1 wool to a b":               "offer 1 brick for 1 wool to Emma, Kasia",
		"offer 1 brick for 1 wool to A Kasia":           "offer 1 brick for 1 wool to Emma, Kasia",
		"OFERTA 1 TIJOLO POR 1 LÃ PARA A KASIA":         "offer 1 brick for 1 wool to Kasia",
		"proponuję 1 cegłę za 1 wełnę dla Emmy i Rafy":  "offer 1 brick for 1 wool to Emma, Rafa",
		"proponuję 1 cegłę za 1 wełnę dla Kasi":         "offer 1 brick for 1 wool to Kasia",
		"proponuję 1 cegłę za 1 wełnę dla Marka":        "offer 1 brick for 1 wool to Marek",
		"ladrão 9 da Emma":                              "rob 9 Emma",
		"ladrão 9 do Rafa":                              "rob 9 Rafa",
		"złodziej 9 od Rafy":                            "rob 9 Rafa",
		"Offer Rafa a brick for two wool":               "offer 1 brick for 2 wool to Rafa",
		"Proponho à Kasia 1 tijolo por 1 lã":            "offer 1 brick for 1 wool to Kasia",
		"Dou dois tijolos por uma lã ao Rafa":           "offer 2 brick for 1 wool to Rafa",
		"Wymienię dwie cegły na jedną wełnę z Emmą":     "offer 2 brick for 1 wool to Emma",
		"Oferuję jedną cegłę za jedną wełnę wszystkim":  "offer 1 brick for 1 wool",
		"Wymieniam z bankiem 4 zboża na glinę":          "bank grain brick",
		"Troco com o banco 3 lãs por 1 tijolo":          "bank wool brick",
		"Przesuwam złodzieja na pole 9, zabieram Rafie": "rob 9 Rafa",
		"Movo o ladrão para o hexágono 9":               "rob 9",
		"Place the robber on hex 9, taking from Emma":   "rob 9 Emma",
	} {
		m, err := notation.Room{}.ParseMove(text, names)
		require.NoError(t, err, text)
		require.Equal(t, want, Rulebook.FormatMove(m, names), text)
	}
	_, err := notation.Room{}.ParseMove("oferta 1 cegła za 1 wełnę dla Emmy", []string{"Ana", "Emma", "Emmo"})
	require.Error(t, err, "two could be meant")
	_, err = notation.ParseOrder("ordem oferta 1 tijolo por 1 lã para a Kasia", names)
	require.NoError(t, err)
}

func TestALetterIsThatSeatWhateverTheOthersAreCalled(t *testing.T) {
	names := []string{"B", "A", "Anna Maria", "2 Pac"}
	m, err := notation.Room{}.ParseMove("rob 9 B", names)
	require.NoError(t, err)
	require.Equal(t, domain.Seat(1), m.Seat)
	require.Equal(t, "rob 9 B", Rulebook.FormatMove(m, names))
	for text, seat := range map[string]domain.Seat{"rob 9 anna  maria": 2, "rob 9 2 pac": 3} {
		m, err = notation.Room{}.ParseMove(text, names)
		require.NoError(t, err)
		require.Equal(t, seat, m.Seat)
	}
}

func TestANameMayBeALittleWord(t *testing.T) {
	m, err := notation.Room{}.ParseMove("offer wool for ore to I and E", []string{"Ana", "I", "E"})
	require.NoError(t, err)
	require.Equal(t, state.SeatSet(0b110), m.To)
}

func TestANameFromTheNotationTurnsNoOfferIntoAnother(t *testing.T) {
	offer := "offer wool for ore "
	for _, c := range []struct {
		names   []string
		text    string
		to      state.SeatSet
		ask     bool
		unclear string // the seat's letter
	}{
		{[]string{"Ana", "Ask", "Cy"}, "to Ask", 0, false, "B"},
		{[]string{"Ana", "Ask", "Cy"}, "to Cy ask", 0, false, "B"},
		{[]string{"Ana", "Ask", "Cy"}, "to B", 0b010, false, ""},
		{[]string{"Ana", "Ask", "Cy"}, "ask to C", 0b100, true, ""},
		{[]string{"Ana", "Ask", "Cy"}, "ask to Ask", 0b010, true, ""},
		{[]string{"Ana", "All", "Cy"}, "to all", 0, false, "B"},
		{[]string{"Ana", "All", "Cy"}, "to B", 0b010, false, ""},
		{[]string{"Ana", "All", "Cy"}, "to Cy All", 0b110, false, ""},
		{[]string{"Ana", "All", "Cy"}, "", 0, false, ""},
		{[]string{"Ana", "Bo", "And"}, "to Bo and And", 0b110, false, ""},
		{[]string{"Ana", "Bo", "And", "Di"}, "to Bo and Di", 0, false, "C"},
		{[]string{"Ana", "Bo", "Perguntar"}, "to Bo perguntar", 0, false, "C"},
		{[]string{"Ana", "Bo", "Ana Bo"}, "to Ana Bo", 0, false, "A"},
		{[]string{"Ana", "Bo", "Ask"}, "to Bo C", 0b110, false, ""},
		{[]string{"Ana", "Bo", "Cy"}, "to Bo ask", 0b010, true, ""},
		{nil, "to ask", 0, true, ""},
		{nil, "to B C ask", 0b110, true, ""},
	} {
		m, err := notation.Room{}.ParseMove(offer+c.text, c.names)
		where := c.text + " of " + strings.Join(c.names, ", ")
		if c.unclear != "" {
			refusal, ok := domain.AsRefusal(err)
			require.True(t, ok, where)
			require.Equal(t, "name-unclear", refusal.Code, where)
			require.Contains(t, []any{"A", "B", "C"}, refusal.Args["letter"], where)
			continue
		}
		require.NoError(t, err, where)
		require.Equal(t, c.to, m.To, where)
		require.Equal(t, c.ask, m.Ask, where)
		back, err := notation.Room{}.ParseMove(Rulebook.FormatMove(m, c.names), c.names)
		require.NoError(t, err, Rulebook.FormatMove(m, c.names))
		require.Equal(t, m, back)
	}
	for text, seat := range map[string]domain.Seat{"accept De": 1, "accept from De": 1, "accept de Bo": 2,
		"confirm B": 1} {
		m, err := notation.Room{}.ParseMove(text, []string{"Ana", "De", "Bo"})
		require.NoError(t, err, text)
		require.Equal(t, seat, m.Seat, text)
	}
	_, err := notation.Room{}.ParseMove("accept de Bo", []string{"De Bo", "Ana", "Bo"})
	require.Equal(t, "name-unclear", err.(*domain.Refusal).Code)
}

func TestHowManyCardsGoToTheBankMayBeSaid(t *testing.T) {
	g := given(t, 3, `{"phase":"main","players":[{"hand":{"wool":8},"settlements":[8]}]}`)
	g.refuse("Ana: bank 3 wool brick", "bank-rate")
	g.refuse("Ana: bank 5 wool brick", "bank-rate-none")
	g.refuse("Ana: bank 4 wool for 2 brick", "bank-one")
	g.play("Ana: bank 4 wool brick", "Ana: bank 4 wool for 1 ore")
	g.then("1 brick 1 ore", g.hand("Ana"))
}

func TestUnreadableNotationIsRefusedWithAReason(t *testing.T) {
	for text, code := range map[string]string{
		"": "unreadable", "fly": "unreadable-word", "road": "number-missing", "road x": "unreadable-word",
		"roll twice":     "unreadable-word",
		"settle 13 road": "number-missing", "rob 9 Zed": "unknown-seat", "confirm 7": "unknown-seat",
		"bank wool": "resource-missing", "bank wool gold": "unknown-resource",
		"discard": "resource-missing", "discard 3": "resource-missing", "discard 99 wool": "too-many-cards",
		"plenty ore ore ore": "plenty-two",
		"offer 1 wool":       "for-missing", "offer wool for": "resource-missing",
		"offer wool for ore to Zed": "unknown-seat",
		"token":                     "token-what", "neutral": "neutral-what",
		"neutral road 1 road 2 road 3": "neutral-what",
		"order roll":                   "order-private",
		"road 9999999999999999999":     "unreadable-word", "road -1": "unreadable-word",
	} {
		_, err := notation.Room{}.ParseMove(text, testNames)
		refusal, ok := domain.AsRefusal(err)
		require.True(t, ok, text)
		require.Equal(t, code, refusal.Code, text)
	}
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"settle 13 road 21", "offer 1 wool for 1 ore to Bo Cy ask",
		"neutral N road 30 M settle 41", "discard 2 wool 1 ore", "knight 9 Bo"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := notation.Room{}.ParseMove(text, testNames)
		if err != nil {
			if _, ok := domain.AsRefusal(err); !ok {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		for _, names := range [][]string{nil, testNames} {
			back, err := notation.Room{}.ParseMove(Rulebook.FormatMove(m, names), names)
			require.NoError(t, err)
			require.Equal(t, m, back)
		}
	})
}
