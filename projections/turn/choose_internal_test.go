package turn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
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
		place("0,-4", step("0", "", step("none", "")), step("180", "0", step("none", ""))), // a straight road, and nobody to stand on it
		place("1,2", step("0", "", step("none", ""), step("road", "")), step("180", "0", step("none", ""), step("road", ""))),
		place("2,2", step("0", "", step("none", "")), step("90", "", step("none", ""))),
		step("pass", ""))
	tree.call(0)
	called := map[string]string{}
	for _, first := range tree.next {
		for path := range first.paths(nil) {
			called[nameOf(path)] = shortOf(path)
		}
	}
	require.Equal(t, map[string]string{"0,-4 a": "0,-4", "0,-4 b": "", "1,2 a a": "1,2 a a", "1,2 a b": "1,2 a b", "1,2 b a": "", "1,2 b b": "",
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
	require.Equal(t, []string{"1,2", "a", "b"}, named("1,2", "0", "road"), "two letters stay, as every answer was read")
}
