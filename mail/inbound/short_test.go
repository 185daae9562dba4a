package inbound_test

import (
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/projections/words"
)

// Answers that refuse or ask can be read at a glance, in every game: half of them have at most 40 lines of text.
func TestRefusalsOfWholeGamesAreShort(t *testing.T) {
	for _, rb := range rulebooks.All() {
		t.Run(rb.Name(), func(t *testing.T) {
			var lines []int
			long := ""
			for _, lang := range []string{"en", "pl"} {
				for _, text := range refusals(t, rb, lang) {
					n := strings.Count(text, "\n")
					if lines = append(lines, n); n == slices.Max(lines) {
						long = text
					}
				}
			}
			slices.Sort(lines)
			half := lines[len(lines)/2]
			t.Logf("%d answers of %d to %d lines, half of at most %d; the longest:\n%s", len(lines), lines[0],
				lines[len(lines)-1], half, long)
			require.LessOrEqual(t, half, 40)
		})
	}
}

// refusals plays a game with steady players, who write three things to every tenth mail that play nothing: words, a
// move that they had earlier, and a move with a question mark. It returns the texts of the answers.
func refusals(t *testing.T, rb domain.Rulebook, lang string) (texts []string) {
	t.Helper()
	require.Contains(t, words.Languages, lang)
	cryptotest.SetGlobalRandom(t, 7) // the table's luck
	h := newHouse(t)
	h.Desk.Limit(desk.Limits{})
	table := h.started(desk.NewTable{Rulebook: rb.Name()}, h.person("Ana", lang), h.person("Bo", lang))
	had := map[domain.Seat]string{}
	for i := 0; ; i++ {
		look := h.Sees(table)
		if len(look.Line.Awaited()) == 0 {
			return texts
		}
		o := look.Line.Awaited()[0]
		m, ok := standin.Steady{}.Choose(standin.Look(rb, look.Line.State, o.Seat, look.Line.Version))
		require.True(t, ok)
		move := rb.FormatMove(m, nil)
		if i%25 == 9 {
			to, from := h.address(table, o.Seat), []string{"ana@example.org", "bo@example.org"}[o.Seat]
			for _, line := range []string{"hm, what now then", had[o.Seat], move + "?"} {
				h.now.add(time.Hour)
				at := h.last()
				if h.write(to, from, events.NewCommandID().String(), line); h.last() == at {
					texts = append(texts, h.answered(table).Text)
				}
			}
		}
		if h.Sees(table).Line.Version == look.Line.Version {
			h.play(table, o.Seat, move)
		}
		if had[o.Seat] == "" {
			had[o.Seat] = move
		}
	}
}

// answered returns the last answer about a table.
func (h *house) answered(table events.Name) mail.Parts {
	h.T.Helper()
	list, err := h.outbox.Letters(h.Ctx, table)
	require.NoError(h.T, err)
	for _, l := range slices.Backward(list) {
		if _, ok := mail.AnswerOf(l.Notice); !ok {
			continue
		}
		w, err := h.composer.Compose(h.Ctx, l)
		require.NoError(h.T, err)
		p, err := mail.Message{Raw: w.Message}.Read()
		require.NoError(h.T, err)
		p.Text = strings.ReplaceAll(p.Text, "\r", "")
		return p
	}
	require.Fail(h.T, "no answer")
	return mail.Parts{}
}
