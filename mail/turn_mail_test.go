package mail_test

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image/color"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/domain/standin"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/programtest"
	"posthorn/mail"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// plays lists the ways to play a game: its defaults, and each value of what is chosen with it.
func plays(t *testing.T, rb domain.Rulebook) (list []domain.Choices) {
	t.Helper()
	for _, o := range rb.Options() {
		for _, value := range o.Values {
			if o.First && value != o.Default {
				list = append(list, domain.Choices{o.Key: value})
			}
		}
	}
	return append(list, domain.Choices{})
}

// A turn mail can be read at a glance, in every game and way to play it: what is asked, what the reader holds and the
// best moves stand in the first 25 lines of its text, half of the mails have at most 60 lines, and none is large.
func TestTurnMailsOfWholeGamesAreShort(t *testing.T) {
	programtest.Long(t)
	for _, rb := range rulebooks.All() {
		var lines []int
		each := 15
		if rb.Name() == "carcassonne" { // whose games have few moves
			each = 5
		}
		if os.Getenv("POSTHORN_LONG") == "1" {
			each = 1
		}
		for i, choices := range plays(t, rb) {
			lang := words.Languages[i%len(words.Languages)]
			wholeGame(t, rb, choices, lang, each, func(h *house, table events.Name, to domain.PersonID) {
				m := h.compose(table, mail.KindTurn, to)
				text := strings.ReplaceAll(parts(t, m).Text, "\r", "")
				lines = append(lines, strings.Count(text, "\n"))
				head, _, _ := strings.Cut(text, "https://")
				require.LessOrEqual(t, strings.Count(head, "\n"), 25, "%s %v: %s", rb.Name(), choices, text)
				most := 80 << 10
				if rb.Name() == "carcassonne" {
					most = 100 << 10
				}
				require.LessOrEqual(t, len(m.Raw), most, "%s %v: %s", rb.Name(), choices, sizes(t, m))
			})
		}
		slices.Sort(lines)
		t.Logf("%s: %d mails of %d to %d lines, half of at most %d", rb.Name(), len(lines), lines[0],
			lines[len(lines)-1], lines[len(lines)/2])
		require.LessOrEqual(t, lines[len(lines)/2], 60, rb.Name())
	}
}

// Whoever has a text mail alone reads of each card that they hold what it costs, beside its name, and what it does.
func TestATextMailSaysWhatCardsCostAndDo(t *testing.T) {
	programtest.Long(t)
	rb, ok := rulebooks.Named("rivals")
	require.True(t, ok)
	cards := map[string]bool{}
	wholeGame(t, rb, domain.Choices{"play": "duel"}, "en", 9, func(h *house, table events.Name, to domain.PersonID) {
		text := strings.ReplaceAll(parts(t, h.compose(table, mail.KindTurn, to)).Text, "\r", "")
		head, _, _ := strings.Cut(text, "https://")
		model, err := h.composer.Maker.Turn(h.Ctx, table, turn.Asker{Person: to, Seat: h.awaited(table), Lang: "en"})
		require.NoError(t, err)
		for _, g := range model.Cards() {
			for _, card := range g.Cards {
				if !g.Hand {
					continue
				}
				cards[card.Label] = true
				_, cost, priced := strings.Cut(card.Lines[0], "Cost: ")
				if priced {
					card.Label += " (" + strings.TrimSuffix(cost, ".")
				}
				require.Contains(t, head, "\n - "+strings.ReplaceAll(card.Label, "\u00a0", " "))
				_, does, _ := strings.Cut(card.Lines[len(card.Lines)-1], "Effect: ")
				if !strings.HasSuffix(does, "points only.") && !strings.HasSuffix(does, "victory points.") {
					require.Contains(t, flat(text), flat(does))
				}
			}
		}
	})
	require.Greater(t, len(cards), 15)
}

// Whoever has a text mail alone can choose where to found in Catan: it says what each harbour takes and where it lies,
// and has them on its map later on as well.
func TestTheIslandInATextMailHasItsHarbours(t *testing.T) {
	rb, ok := rulebooks.Named("catan")
	require.True(t, ok)
	mails := 0
	wholeGame(t, rb, nil, "en", 30, func(h *house, table events.Name, to domain.PersonID) {
		text := parts(t, h.compose(table, mail.KindTurn, to)).Text
		if mails++; mails == 1 {
			require.Contains(t, flat(text), "3:1 (0 and 3), 2:1 grain (1 and 5), 2:1 ore (10 and 15), "+
				"3:1 (26 and 32), 2:1 wool (42 and 46), 3:1 (49 and 52), 3:1 (47 and 51), 2:1 brick (33 and 38), "+
				"2:1 lumber (11 and 16)")
			require.NotContains(t, text, "Your hand:", "it is empty")
		}
		_, text, _ = strings.Cut(text, "https://")
		island, _, _ := strings.Cut(text, "Each hex: ")
		require.Equal(t, 4, strings.Count(island, "3:1"), text)
		for _, port := range []string{"brick", "lumber", "wool", "grain", "ore"} {
			require.Len(t, regexp.MustCompile(`\b`+port+`\b`).FindAllString(island, -1), 1, text)
		}
	})
	require.Greater(t, mails, 2)
}

// However full a table is, its pictures in a mail are recognised by their colours: a card by its ground, a resource by
// its own.
func TestPicturesOfAWholeGameKeepTheirColours(t *testing.T) {
	programtest.Long(t)
	for _, rb := range rulebooks.All() {
		wholeGame(t, rb, nil, "en", 20, func(h *house, table events.Name, to domain.PersonID) {
			m := h.compose(table, mail.KindTurn, to)
			for id, b := range parts(t, m).Pictures {
				pic, err := png.DecodeConfig(bytes.NewReader(b))
				require.NoError(t, err)
				require.GreaterOrEqual(t, len(pic.ColorModel.(color.Palette)), 15, "%s: %s", id, sizes(t, m))
			}
		})
	}
}

// Whoever does not see pictures reads which cards they hold, and no signs that only the text's drawing has.
func TestWithoutPicturesAMailSaysWhatIsHeld(t *testing.T) {
	rb, ok := rulebooks.Named("rivals")
	require.True(t, ok)
	held := 0
	wholeGame(t, rb, nil, "en", 25, func(h *house, table events.Name, to domain.PersonID) {
		doc := html.UnescapeString(parts(t, h.compose(table, mail.KindTurn, to)).HTML)
		model, err := h.composer.Maker.Turn(h.Ctx, table, turn.Asker{Person: to, Seat: h.awaited(table), Lang: "en"})
		require.NoError(t, err)
		for _, g := range model.Cards() {
			for _, card := range g.Cards {
				if g.Hand {
					require.Regexp(t, `alt="[^"]*`+regexp.QuoteMeta(card.Label), doc)
					held++
				}
			}
		}
		require.NotContains(t, doc, "HI hills")
	})
	require.Positive(t, held)
}

// The moves that a turn mail puts first are the best ones, in text and HTML, and each is played by what stands before
// it.
func TestATurnMailPutsTheBestMovesFirst(t *testing.T) {
	for _, rb := range rulebooks.All() {
		wholeGame(t, rb, nil, "en", 25, func(h *house, table events.Name, to domain.PersonID) {
			p := parts(t, h.compose(table, mail.KindTurn, to))
			head, _, _ := strings.Cut(strings.ReplaceAll(p.Text, "\r", ""), "https://")
			model, err := h.composer.Maker.Turn(h.Ctx, table,
				turn.Asker{Person: to, Seat: h.awaited(table), Lang: "en"})
			require.NoError(t, err)
			top, of := model.Top(3)
			require.Len(t, top, min(of, 3))
			text, doc := head, p.HTML
			for _, m := range top {
				name := cmp.Or(m.Short, m.Name)
				if m.Whole != "" && !slices.ContainsFunc(m.Path, func(o turn.Option) bool { return o.Place }) {
					name = m.Label() // a hand of cards is spelled out
				}
				read, err := model.Parse(m.Name)
				require.NoError(t, err)
				require.Equal(t, m.Move, read, name)
				for _, in := range []*string{&text, &doc} {
					before, rest, ok := strings.Cut(*in, name)
					require.True(t, ok, "%s: %q after %q", rb.Name(), name, before)
					*in = rest
				}
			}
		})
	}
}

// What happened last stands first, and below it all in its order where that begins in the middle: what is left out is
// counted.
func TestATurnMailTellsAllThatHappened(t *testing.T) {
	programtest.Long(t)
	rb, ok := rulebooks.Named("catan")
	require.True(t, ok)
	below, left := 0, 0
	wholeGame(t, rb, nil, "en", 6, func(h *house, table events.Name, to domain.PersonID) {
		text := flat(parts(t, h.compose(table, mail.KindTurn, to)).Text)
		model, err := h.composer.Maker.Turn(h.Ctx, table, turn.Asker{Person: to, Seat: h.awaited(table), Lang: "en"})
		require.NoError(t, err)
		if strings.Contains(text, "before these") {
			left++
			return
		}
		_, story, all := strings.Cut(text, "In order, since your last turn: ")
		if !all {
			story = text
		}
		for _, happened := range model.Since {
			for _, sentence := range happened.Sentences {
				_, story, all = strings.Cut(story, flat(sentence))
				require.True(t, all, "%s\n%s", sentence, text)
			}
		}
		if strings.Contains(text, "In order, since") {
			below++
		}
	})
	require.Positive(t, below)
	require.Less(t, left, below)
}

// wholeGame plays a game with steady players, and calls each with whom it asks at every so many decisions.
func wholeGame(t *testing.T, rb domain.Rulebook, choices domain.Choices, lang string, every int,
	each func(*house, events.Name, domain.PersonID)) {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 7) // the table's luck
	h := newHouse(t)
	defer h.shut()
	full, err := domain.Complete(rb, choices)
	require.NoError(t, err)
	least, _ := rb.Seats(full)
	var who []domain.PersonID
	for i := range max(least, 2) {
		who = append(who, h.person([]string{"Ana", "Bo", "Jo", "Lu"}[i], lang))
	}
	ans, err := h.Desk.Open(h.Ctx, desktest.By(who[0]), events.NewCommandID(),
		desk.NewTable{Rulebook: rb.Name(), Places: invited(who...), Pace: "weekly", Choices: choices})
	require.NoError(t, err)
	for _, id := range who {
		h.join(id, ans.Table)
	}
	for i := 0; ; i++ {
		look := h.Sees(ans.Table)
		if len(look.Line.Awaited()) == 0 {
			return
		}
		o := look.Line.Awaited()[0]
		if i%every == 0 {
			each(h, ans.Table, who[o.Seat])
		}
		m, ok := standin.Steady{}.Choose(standin.Look(rb, look.Line.State, o.Seat, look.Line.Version))
		require.True(t, ok)
		h.play(ans.Table, o.Seat, rb.FormatMove(m, nil))
	}
}

// sizes says what takes the room in a mail.
func sizes(t *testing.T, m mail.Message) string {
	t.Helper()
	p := parts(t, m)
	text := fmt.Sprintf("text %d, HTML %d", len(p.Text), len(p.HTML))
	for id, b := range p.Pictures {
		text += fmt.Sprintf(", %s %d", id, len(b))
	}
	return text
}
