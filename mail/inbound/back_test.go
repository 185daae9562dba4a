package inbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/desk"
)

// building is a game of Catan in which Ana, who has rolled, can build two roads, buy a card and end her turn; Bo's dice
// are not rolled for him.
const building = `{"active": "A", "phase": "main",
	"players": [
		{"settlements": [13, 31], "roads": [20, 36], "hand": {"brick": 2, "lumber": 2, "wool": 1, "grain": 1, "ore": 1}},
		{"settlements": [10, 40], "roads": [13, 53], "hand": {"ore": 1}, "cards": {"knight": 1}},
		{"settlements": [22, 42], "roads": [28, 57]}
	]}`

// roads opens a table in that position, and returns two roads that Ana can build, one after the other.
func roads(h *house, lang string) (table events.Name, one, two string) {
	h.T.Helper()
	table = h.started(desk.NewTable{Rulebook: "catan", Given: []byte(building)}, h.person("Ana", lang),
		h.person("Bo", "pl"), h.person("Cid", "en"))
	look := h.Sees(table)
	var all []string
	for m := range look.Rulebook.Legal(look.Line.State, 0) {
		if text := look.Rulebook.FormatMove(m, nil); strings.HasPrefix(text, "road ") {
			all = append(all, text)
		}
	}
	require.GreaterOrEqual(h.T, len(all), 2)
	return table, all[0], all[1]
}

func TestAStepIsTakenBackByMail(t *testing.T) {
	for lang, word := range map[string]string{"en": "Back", "pt-BR": "voltar", "pt-PT": "desfazer", "pl": "cofnij."} {
		h := newHouse(t)
		table, one, two := roads(h, lang)
		first := h.address(table, 0)
		before := h.Sees(table)
		require.NotContains(t, h.composed(table, 0).Text, strings.ToLower(strings.Trim(word, "."))+" ",
			"there is no step yet")
		require.Equal(t, "outcome: played", h.write(first, ana, "1", one, two))

		at, to := h.last(), h.address(table, 0)
		require.Equal(t, "outcome: back", h.write(to, ana, "2", word, "", "> quoted"))
		story := h.story(table, at)
		require.Equal(t, "reply: table.undone.v1", story[0])
		require.Len(t, story, 2, "%v", story)
		require.Equal(t, before.LineHead.Version+2, h.Sees(table).LineHead.Version,
			"a line that opens where the other was before the second road")
		answers := h.answers(table)
		require.Contains(t, answers[len(answers)-1], " "+strings.TrimPrefix(two, "road ")+".")

		require.Equal(t, "why: again", h.write(to, ana, "2", word, "", "> quoted"))
		require.Equal(t, "outcome: stale", h.write(to, ana, "3", word), "that mail's step is taken back")
		require.Equal(t, story, h.story(table, at))

		require.Equal(t, "outcome: back", h.write(h.address(table, 0), ana, "4", word),
			"and the one before it, from the mail that came then")
		require.Equal(t, before.Line.Awaited()[0].Decision, h.Sees(table).Line.Awaited()[0].Decision)
		require.Equal(t, "outcome: refused", h.write(h.address(table, 0), ana, "5", word), "there is no further step")
	}
}

func TestTheMailAfterAStepSaysThatItCanBeTakenBack(t *testing.T) {
	h := newHouse(t)
	table, one, _ := roads(h, "en")
	const says = "back – takes back your last step"
	text := func() string { return strings.Join(strings.Fields(h.composed(table, 0).Text), " ") }
	require.NotContains(t, text(), says)
	h.play(table, 0, one)
	require.Contains(t, text(), says)
	h.play(table, 0, "buy")
	require.NotContains(t, text(), says, "a card has come to light")
}

func TestTheMailThatAStepAnsweredTakesItBack(t *testing.T) {
	h := newHouse(t)
	table, one, _ := roads(h, "en")
	to := h.address(table, 0)
	h.play(table, 0, one)
	require.Equal(t, "outcome: back", h.write(to, ana, "1", "sorry", "take back", "say that was a slip"))
	require.Equal(t, []string{"Taken back: build a road, " + one + ". Your line is in the chat."}, h.answers(table))
}

func TestAWriterIsToldThatTheirTextWasCut(t *testing.T) {
	h := newHouse(t)
	table, _, _ := roads(h, "en")
	h.write(h.address(table, 0), ana, "1", "say "+strings.Repeat("long ", 600))
	require.Equal(t, []string{"Your line is in the chat.\nIt was too long for the chat and is cut there with “…”. " +
		"Send the rest in another email, or on the page."}, h.answers(table))
}

func TestWhyAStepIsNotTakenBack(t *testing.T) {
	for name, c := range map[string]struct{ move, why string }{
		"a card was drawn":        {"buy", "came to light in that step"},
		"somebody else is asked":  {"end", "Somebody else has been asked"},
		"it was another's step":   {"", "Only your own last step"},
		"together with a new one": {"road", "Reply with back only"},
	} {
		h := newHouse(t)
		table, one, two := roads(h, "en")
		to, lines := h.address(table, 0), []string{"back"}
		switch c.move {
		case "":
		case "road":
			h.play(table, 0, one)
			to, lines = h.address(table, 0), []string{"back", two}
		default:
			h.play(table, 0, c.move)
		}
		at := h.last()
		h.write(to, ana, "1", lines...)
		require.Empty(t, h.story(table, at), name)
		require.Contains(t, h.answers(table)[0], "Nothing was taken back.", name)
		require.Contains(t, h.answers(table)[0], c.why, name)
	}
}

func TestAStepIsTakenBackOnceWhereItsAnswerWasLost(t *testing.T) {
	h := newHouse(t)
	table, one, two := roads(h, "en")
	h.play(table, 0, one)
	h.play(table, 0, two)
	to, at := h.address(table, 0), h.last()
	raw := written(ana, "1", "back")
	h.full = true
	require.Error(t, h.handle(to, ana, raw), "the mail server is to send it again")
	h.full = false
	done := h.story(table, at)
	require.NoError(t, h.handle(to, ana, raw))
	require.Equal(t, done, h.story(table, at))
	require.Equal(t, []string{"Your step was taken back."}, h.answers(table))
}

func TestNoGameHasAMoveThatIsAWordForTakingBack(t *testing.T) {
	for _, rb := range rulebooks.All() {
		for _, word := range []string{"back", "take back", "take it back", "undo", "voltar", "voltar atrás", "desfazer",
			"desfaz", "desfaça", "cofnij", "cofnij ruch", "cofam", "cofnąć"} {
			_, err := rb.ParseMove(word, nil)
			_, refused := domain.AsRefusal(err)
			require.True(t, refused, "%s reads %q", rb.Name(), word)
		}
	}
}

// A word for taking back names the step that its letter shows or that answered it: a late one takes back no later step.
func TestTakingBackLateTakesBackNoLaterStep(t *testing.T) {
	h := newHouse(t)
	table, one, two := roads(h, "en")
	first := h.address(table, 0)
	h.play(table, 0, one)
	second := h.address(table, 0)
	h.play(table, 0, two)
	at := h.last()
	require.Equal(t, "outcome: stale", h.write(first, ana, "1", "back"), "two steps came since")
	require.Contains(t, h.answers(table)[0], "The step that this email was about is no longer the last one.")
	require.Empty(t, h.story(table, at))
	require.Equal(t, "outcome: back", h.write(second, ana, "2", "back"), "the step that answered the second letter")
}

// Whoever traded had a part in it: the other alone does not take it back, but is told to ask.
func TestATradeIsNotTakenBackWithoutTheOther(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "offer 2 wool for ore to B"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(bo, "counter ore for 3 wool"))
	p.deliver(table)
	require.Equal(t, "outcome: played", p.becomes(ana, "accept"))
	p.deliver(table)
	require.NotContains(t, flat(p.newest(ana).Text), "takes back your last step")
	at := p.last()
	require.Equal(t, "outcome: refused", p.becomes(ana, "back"))
	require.Empty(t, p.story(table, at))
	require.Contains(t, p.answers(table)[len(p.answers(table))-1],
		"Somebody else had a part in that step. Ask the others to go back.\nYou ask them on the table’s page")
}
