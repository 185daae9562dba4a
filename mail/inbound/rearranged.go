package inbound

import (
	"cmp"
	"slices"
	"strings"
)

// rearranged finds the moves of a list that say the same words as another one, shared out otherwise among its choices:
// "hills 1 above, fields 1 below" and the other way round.
func rearranged(all []entry) {
	ways := map[string]map[string]bool{}
	each := func(f func(e *entry, words, choices string)) {
		for i := range all {
			var words, choices []string
			for _, s := range all[i].steps {
				words = slices.Concat(words, s.label, s.where)
				choices = append(choices, strings.Join(slices.Concat(s.label, s.where), " "))
			}
			slices.Sort(words)
			f(&all[i], strings.Join(words, " "), strings.Join(choices, ", "))
		}
	}
	each(func(_ *entry, words, choices string) {
		if ways[words] == nil {
			ways[words] = map[string]bool{}
		}
		ways[words][choices] = true
	})
	each(func(e *entry, words, _ string) {
		if len(ways[words]) > 1 {
			e.same = words
		}
	})
}

// fitted is an entry that words fit.
type fitted struct {
	*entry
	score    int
	together int // how many of the words stand beside each other as in one choice
}

// compare says which of two entries with the same words is fitted better, whatever is left open.
func (f fitted) compare(g fitted) int {
	return cmp.Or(f.together-g.together, f.score%whollyNamed-g.score%whollyNamed)
}

// best keeps, of entries with the same words shared out otherwise, those that the words fit best: of these none is more
// wholly named than another.
func best(all []fitted) []fitted {
	most := map[string]fitted{}
	for _, f := range all {
		m, known := most[f.same]
		switch by := f.compare(m); {
		case !known || by > 0:
			most[f.same] = f
		case by == 0 && f.score > m.score:
			most[f.same] = f
		}
	}
	var out []fitted
	for _, f := range all {
		if f.same != "" {
			if f.compare(most[f.same]) < 0 {
				continue
			}
			f.score = most[f.same].score
		}
		out = append(out, f)
	}
	return out
}

// together counts the words that stand beside each other in a text and in one choice, each pair in its order a bit
// more.
func (r repeated) together(steps []step) (n int) {
	var at []int // of the words that count
	for i, w := range r.said {
		if !r.little[w] {
			at = append(at, i)
		}
	}
	used, done := make([]bool, len(at)), make([]bool, len(steps))
	for {
		first, last, which, ordered := 0, 0, -1, 0
		for k, s := range steps {
			for i := 0; i < len(at) && !done[k]; i++ {
				if end, in := r.run(at, used, i, slices.Concat(s.label, s.where)); end-i > max(1, last-first) ||
					end-i > 1 && end-i == last-first && in > ordered {
					first, last, which, ordered = i, end, k, in
				}
			}
		}
		if which < 0 {
			return n
		}
		done[which] = true
		for i := first; i < last; i++ {
			used[i] = true
		}
		n += 2*(last-first) + ordered
	}
}

// run returns where words from the i-th on stop being of a phrase, and 1 if they stand in its order.
func (r repeated) run(at []int, used []bool, i int, phrase []string) (end, ordered int) {
	left, before := slices.Clone(phrase), -1
	ordered = 1
	for end = i; end < len(at) && !used[end]; end++ {
		k := slices.IndexFunc(left, func(w string) bool { return w != "" && r.same(w, r.said[at[end]]) })
		if k < 0 {
			break
		}
		if k < before {
			ordered = 0
		}
		left[k], before = "", k
	}
	return end, ordered
}
