package turn

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/projections/words"
)

func TestALetterBesideWhichThereIsNoOtherNeedNotBeSaid(t *testing.T) {
	step := func(key, like string, next ...*node) *node {
		n := &node{Option: Option{Key: key, Like: like, Label: key}, next: next}
		if len(next) == 0 {
			n.move = key
		}
		return n
	}
	place := func(at string, next ...*node) *node {
		n := step(at, "", next...)
		n.step = domain.Step{Place: at}
		return n
	}
	tree := step("", "",
		// a straight road, and nobody to stand on it
		place("0,-4", step("0", "", step("none", "")), step("180", "0", step("none", ""))),
		place("1,2", step("0", "", step("none", ""), step("road", "")),
			step("180", "0", step("none", ""), step("road", ""))),
		place("2,2", step("0", "", step("none", "")), step("90", "", step("none", ""))),
		step("pass", ""))
	tree.call(0)
	called := map[string]string{}
	for _, first := range tree.next {
		for path := range first.paths(nil) {
			called[nameOf(path)] = shortOf(path)
		}
	}
	require.Equal(t, map[string]string{"0,-4 a": "0,-4", "0,-4 b": "", "1,2 a a": "1,2 a", "1,2 a b": "1,2 b",
		"1,2 b a": "", "1,2 b b": "",
		"2,2 a": "2,2 a", "2,2 b": "2,2 b", "a": "a"}, called)

	named := func(keys ...string) (out []string) {
		path, n := make([]Option, len(keys)), tree
		for i, key := range keys {
			for _, c := range n.next {
				if c.Key == key {
					n = c
					break
				}
			}
			path[i] = n.Option
		}
		tree.unname(path)
		for _, o := range path {
			out = append(out, o.Name)
		}
		return out
	}
	require.Equal(t, []string{"0,-4", "", ""}, named("0,-4", "0", "none"))
	require.Equal(t, []string{"1,2", "", "b"}, named("1,2", "0", "road"),
		"a lone turn has no letter, what is chosen after it has one")
}

// loose is a rulebook whose moves each take three of four things, two of which are alike.
type loose struct{ domain.Rulebook }

func (loose) Legal(domain.State, domain.Seat) iter.Seq[domain.Move] {
	return slices.Values([]domain.Move{"aab", "aac", "abc"})
}

func (loose) Steps(_ domain.State, m domain.Move) (list []domain.Step) {
	for i, thing := range m.(string) {
		list = append(list, domain.Step{Key: string(thing), Spot: "at-" + string(thing), Any: i == 0})
	}
	return list
}

func (loose) Forms(domain.State, domain.Seat) []domain.Form { return nil }
func (loose) FormatMove(m domain.Move, _ []string) string   { return m.(string) }
func (loose) Extras() domain.Extras                         { return domain.Extras{} }

// People may pick several things in any order; names and lists know one order, as mails do.
func TestStepsThatHaveNoOrderAreMadeInAny(t *testing.T) {
	book, err := words.New(nil)
	require.NoError(t, err)
	mod := &Model{rulebook: loose{}, printer: book.Printer("en", "", nil)}
	mod.choices(&domain.Line{})
	for chosen, next := range map[string]string{"": "abc", "a": "abc", "b": "ac", "c": "ab", "aa": "bc", "ab": "ac",
		"ca": "ab", "cb": "a"} {
		c := mod.Choose(strings.Split(chosen, "")[:len(chosen)])
		if len(next) == 1 { // a single choice is taken automatically
			require.NotNil(t, c.Move, chosen)
			continue
		}
		keys, names, spots := "", map[string]bool{}, 0
		for _, o := range c.Options {
			keys += o.Key
			names[o.Name] = true
			spots += len(o.Spot)
		}
		require.ElementsMatch(t, strings.Split(next, ""), strings.Split(keys, ""), chosen)
		require.Len(t, names, len(next), "each has a letter: %q", chosen)
		require.False(t, names[""], chosen)
		require.Empty(t, mod.Others(c), "what is pressed is added, and replaces nothing: %q", chosen)
	}
	for _, way := range []string{"abc", "acb", "bac", "bca", "cab", "cba"} {
		require.Equal(t, "abc", mod.Choose(strings.Split(way, "")).Notation, way)
	}
	require.Equal(t, "aab", mod.Choose([]string{"b", "a", "a"}).Notation)

	require.Len(t, mod.List(false), 3)
	require.Equal(t, 3, mod.Legal())
	for _, m := range mod.List(true) {
		keys, ok := mod.KeysOf(m.Move)
		require.True(t, ok)
		require.Equal(t, m.Move, mod.Choose(keys).Move)
		back, err := mod.Parse(m.Name)
		require.NoError(t, err)
		require.Equal(t, m.Move, back)
	}
	var mailed []string
	for _, o := range mod.sketch(mod.Choose(nil).mailed()).Open {
		mailed = append(mailed, o.Key)
	}
	require.Equal(t, []string{"a"}, mailed, "a mail's picture has the letters of its list")
}
