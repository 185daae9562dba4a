package notation

import "posthorn/domain/catan/table"

// verbs are the words a move may begin with, folded, each to its English one.
var verbs = table.Typed.Words("verbs")

// The little words between, and those of orders.
var (
	wordsFor, wordsTo, wordsAll      = little("for"), little("to"), little("all")
	wordsAsk, wordsFrom, wordsAnd    = little("ask"), little("from"), little("and")
	wordsTrade, wordsDesert          = little("trade"), little("desert")
	wordsOrder, wordsPlay, wordsThen = little("order"), little("play"), little("then")
	wordsUp, wordsAt, wordsTimes     = little("up"), little("at"), little("times")
	wordsNot, wordsCounter           = little("not"), little("counter")
	wordsEvery, wordsHex, wordsThe   = little("every"), little("hex"), little("the")
)

// little is the set of words with a meaning; a word may have several.
func little(meaning string) map[string]bool {
	set := map[string]bool{meaning: true}
	for _, w := range table.Typed["little"][meaning] {
		set[w] = true
	}
	return set
}

// orderPhrases say when an order is for, in words. Longer ones stand before those they contain.
var orderPhrases = func() (all [][]string) {
	for _, phrase := range table.Typed["phrases"]["when"] {
		all = append(all, read(phrase, nil).left)
	}
	return all
}()
