package inbound_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events/desk"
	"posthorn/events/programtest"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// bracketed is what a mail adds to a move in brackets, and thanks are what people do.
var (
	bracketed = regexp.MustCompile(` ?\([^)]*\)`)
	thanks    = []string{", please", ", proszę", " por favor", ", dzięki!", ". Obrigado, pessoal!", ", thanks everyone"}
)

// sayings are ways to repeat what a mail says of a move.
func sayings(n turn.Named, rnd *rand.Rand) []string {
	var names, labels, both, places []string
	for _, o := range n.Path {
		label := o.Label
		if o.None {
			label = ""
		}
		names, labels, both = append(names, o.Name), append(labels, label), append(both, o.Name+" "+label)
		if o.Where != "" {
			label = o.Name + " (" + o.Where + ")"
		} else if o.Place {
			label = o.Name
		}
		places = append(places, label)
	}
	out := []string{n.Label(), strings.Join(both, " "), strings.Join(places, ", "), strings.ToUpper(n.Label()) + "!"}
	if bare := bracketed.ReplaceAllString(n.Label(), ""); bare != n.Label() {
		out = append(out, bare)
	}
	out = append(out, n.Label()+thanks[rnd.IntN(len(thanks))])
	slices.Reverse(labels)
	if out = append(out, strings.Join(labels, " ")); n.Path[0].Place && n.Path[0].Where == "" {
		return out // what lies there tells it from other places
	}
	return append(out, strings.Join(append(names[:1:1], labels[:len(labels)-1]...), " "))
}

// Whatever a mail says of a move, a reply that repeats it is that move, or is asked about among several: at random
// moments of random games, in every language.
func TestEachMoveIsReadByTheMailsOwnWords(t *testing.T) {
	programtest.Long(t)
	for _, game := range []string{"carcassonne", "catan", "rivals"} {
		t.Run(game, func(t *testing.T) {
			p, rnd := newPost(t), rand.New(rand.NewPCG(7, 31))
			ids := []domain.PersonID{p.person("Emma", "en"), p.person("Rafa", "en")}
			if game == "catan" {
				ids = append(ids, p.person("Kasia", "en"))
			}
			table, alone, all := p.started(desk.NewTable{Rulebook: game}, ids...), 0, 0
			for range 30 {
				if p.Random(table, rnd, 1+rnd.IntN(5)) {
					break
				}
				look := p.Sees(table)
				who := turn.Asker{Seat: look.Line.Awaited()[0].Seat, Lang: words.Languages[rnd.IntN(4)]}
				who.Person = look.Table.Places[who.Seat].Holders[0]
				mod, err := p.composer.Maker.Turn(t.Context(), table, who)
				require.NoError(t, err)
				read, err := p.door.Reads(t.Context(), look, who)
				require.NoError(t, err)
				labels := map[domain.Move]string{}
				for _, n := range mod.From("") {
					labels[n.Move] = n.Label()
				}
				for _, n := range mod.From("") {
					if rnd.IntN(mod.Legal()) > 20 {
						continue
					}
					if _, one := read(n.Label() + "?"); one {
						t.Errorf("%s %s: %q is a question", who.Lang, mod.Decision.Kind, n.Label()+"?")
					}
					for _, text := range sayings(n, rnd) {
						got, one := read(text)
						if !slices.Contains(got, n.Move) && (len(got) != 1 || !strings.Contains(text, labels[got[0]])) {
							// what repeats another move whole is that move
							t.Errorf("%s %s: %q is not %s: %v", who.Lang, mod.Decision.Kind, text, n.Notation, got)
						}
						if all++; one {
							alone++
						}
					}
				}
			}
			t.Logf("%d of %d are one move", alone, all)
			require.Greater(t, alone, all*9/10)
		})
	}
}

// The letter of a first choice before the words of the second is that choice, also where it is an article, or the
// "and", of a language.
func TestALetterBeforeOtherWordsIsItsChoice(t *testing.T) {
	p, rnd := newPost(t), rand.New(rand.NewPCG(7, 31))
	table := p.started(desk.NewTable{Rulebook: "rivals", Given: []byte(`{"phase":"act","active":"A",
		"tasks":[{"kind":"bury","seat":"A","n":2,"card":"fraternal_feuds"}],
		"seats":[{"towns":["0 settlement above candamir","1 settlement"],"hand":[]},
			{"hand":["weavers_shop","marketplace","gold_ship"]}]}`)}, p.person("Ana", "en"), p.person("Bo", "en"))
	look := p.Sees(table)
	for _, lang := range words.Languages {
		who := turn.Asker{Seat: 0, Lang: lang, Person: look.Table.Places[0].Holders[0]}
		mod, err := p.composer.Maker.Turn(t.Context(), table, who)
		require.NoError(t, err)
		read, err := p.door.Reads(t.Context(), look, who)
		require.NoError(t, err)
		for _, n := range mod.From("") {
			said := sayings(n, rnd)
			text := said[len(said)-1]
			got, _ := read(text)
			require.Contains(t, got, n.Move, "%s: %q is %s", lang, text, n.Label())
		}
	}
}
