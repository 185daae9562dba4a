package catan

import (
	"embed"
	"iter"
	"strings"

	"posthorn/domain"
	"posthorn/domain/kit"
)

//go:embed typed/*.txt
var typed embed.FS

// verbs are the words a move may begin with, folded, each to its English one.
var verbs = kit.Words(typed, "typed/verbs.txt")

// The little words between, and those of orders.
var (
	littleWords = readLittle()

	wordsFor, wordsTo, wordsAll      = little("for"), little("to"), little("all")
	wordsAsk, wordsFrom, wordsAnd    = little("ask"), little("from"), little("and")
	wordsTrade, wordsDesert          = little("trade"), little("desert")
	wordsOrder, wordsPlay, wordsThen = little("order"), little("play"), little("then")
	wordsUp, wordsAt, wordsTimes     = little("up"), little("at"), little("times")
	wordsNot, wordsCounter           = little("not"), little("counter")
	wordsEvery, wordsHex, wordsThe   = little("every"), little("hex"), little("the")
)

// little is the set of words with a meaning; one that is not in the file panics.
func little(meaning string) map[string]bool {
	set := littleWords[meaning]
	if set == nil {
		panic("catan: no little words " + meaning)
	}
	return set
}

func readLittle() map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	for line := range typedLines("little.txt") {
		meaning, words, _ := strings.Cut(line, ":")
		sets[meaning] = map[string]bool{meaning: true}
		for _, w := range strings.Fields(words) {
			sets[meaning][domain.Fold(w)] = true
		}
	}
	return sets
}

// orderPhrases say when an order is for, in words. Longer ones stand before those they contain.
var orderPhrases = func() (all [][]string) {
	for line := range typedLines("phrases.txt") {
		var r reader
		r.split(domain.Fold(line))
		all = append(all, r.left)
	}
	return all
}()

// typedLines are the lines of an embedded file, without comments.
func typedLines(name string) iter.Seq[string] {
	text, err := typed.ReadFile("typed/" + name)
	if err != nil {
		panic("catan: " + err.Error())
	}
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}
