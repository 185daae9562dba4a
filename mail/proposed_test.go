package mail_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/mail"
)

func TestAPausesMailSaysWhatAPauseChanges(t *testing.T) {
	h := newHouse(t)
	h.KeepTime(h.people.Calendars)
	ana := h.person("Ana", "en")
	for lang, says := range map[string]string{
		"en": "Say yes or no on the page. If everybody agrees, nobody’s time runs until then. You can go " +
			"on playing all the while.",
		"pt-BR": "Responda sim ou não na página. Se todos concordarem, o tempo de ninguém corre até lá. Dá para " +
			"continuar jogando o tempo todo.",
		"pt-PT": "Responda sim ou não na página. Se todos concordarem, o tempo de ninguém corre até lá. Pode " +
			"continuar a jogar entretanto.",
		"pl": "Odpowiedz na stronie, tak lub nie. Jeśli wszyscy się zgodzą, do tego czasu nikomu nie ubywa " +
			"czasu. Grać można przez cały ten czas.",
	} {
		bo := h.person("Bo-"+lang, lang)
		table := h.timed("weekly", domain.TimeOutTurn, ana, bo)
		h.do(ana, table, desk.ProposePause{Until: calendar.DayOf(noon, time.UTC) + 3})
		require.Contains(t, flat(parts(t, h.compose(table, mail.KindConsent, bo)).Text), says)
	}
}

// A computer player is spoken of where one plays.
func TestARewindsMailSaysThatComputersWaitIfAnyPlay(t *testing.T) {
	h := newHouse(t)
	ana := h.person("Ana", "en")
	for lang, says := range map[string]string{
		"en": "stand-ins wait", "pt-BR": "computador espera", "pt-PT": "computador espera", "pl": "zastępc",
	} {
		bo := h.person("Bo-"+lang, lang)
		alone := h.started("tiny", `{"roller":"A"}`, ana, bo)
		beside := h.open("tiny", ana, `{"roller":"A"}`, append(invited(ana, bo), standIn)...)
		h.join(ana, beside)
		h.join(bo, beside)
		for table, waits := range map[events.Name]bool{alone: false, beside: true} {
			h.play(table, 0, "keep")
			h.proposeRewind(ana, table, 1)
			text := flat(parts(t, h.compose(table, mail.KindConsent, bo)).Text)
			require.Equal(t, waits, strings.Contains(strings.ToLower(text), says), text)
		}
	}
}

// What a rewind would undo is listed once: it is what happened last, too.
func TestARewindsMailListsAMoveOnce(t *testing.T) {
	h := newHouse(t)
	ana, bo := h.person("Ana", "en"), h.person("Bo", "en")
	table := h.started("tiny", `{"roller":"A"}`, ana, bo)
	h.play(table, 0, "keep")
	h.proposeRewind(ana, table, 1)
	text := flat(parts(t, h.compose(table, mail.KindConsent, bo)).Text)
	require.Equal(t, 1, strings.Count(text, "Ana kept the card"), text)
	require.Contains(t, text, "The cards were dealt", "what stays is told as ever")
}
