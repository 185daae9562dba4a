// Package notation reads and writes the moves and standing orders of Catan as people type them;
// see docs/notation-catan.md.
package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"posthorn/domain"
	"posthorn/domain/catan/state"
	"posthorn/domain/catan/table"
)

// Room is the notation, as kit.New takes it.
type Room struct{}

// ParseMove reads notation, leniently; see docs/notation-catan.md.
func (n Room) ParseMove(text string, names []string) (state.Move, error) {
	r := read(text, names)
	m := r.move()
	if len(r.left) > 0 {
		r.refuse("unreadable-word", "text", r.left[0])
	}
	if r.err == nil {
		return m, nil
	}
	if refused, _ := domain.AsRefusal(r.err); refused.Code == "name-unclear" {
		return state.Move{}, r.err
	}
	if m, ok := n.bargain(text, names); ok {
		return m, nil
	}
	return state.Move{}, r.err
}

// signs are the characters allowed between words.
var signs = strings.NewReplacer(",", " ", ";", " ", "+", " ", "&", " and ", ":", " ", ".", " ", "\t", " ")

// reader takes a move's words one after another. Once something could not be read, what it reads is meaningless.
type reader struct {
	names []string
	left  []string // as typed
	words int      // how many words the name that seat found has
	err   error    // the first refusal
}

// read cuts text into words; it separates digits and letters that touch ("2wool").
func read(text string, names []string) *reader {
	r := &reader{names: names}
	for _, w := range strings.Fields(signs.Replace(text)) {
		if n := len(w) - len(strings.TrimLeft(w, "0123456789")); n > 0 && n < len(w) {
			r.left = append(r.left, w[:n])
			w = w[n:]
		}
		r.left = append(r.left, cmp.Or(digits[domain.Fold(w)], w))
	}
	return r
}

// refuse notes why something could not be read.
func (r *reader) refuse(code string, pairs ...any) {
	if r.err == nil {
		r.err = domain.Refuse(code, pairs...)
	}
}

func (r *reader) peek() string {
	if len(r.left) == 0 {
		return ""
	}
	return domain.Fold(r.left[0])
}

func (r *reader) skip(set map[string]bool) bool {
	if len(r.left) > 0 && set[r.peek()] {
		r.left = r.left[1:]
		return true
	}
	return false
}

// verb takes a word with which a move may begin, or "". What is built may follow a word for building, the robber one
// for moving, and dice and cards one for playing.
func (r *reader) verb() string {
	if does := r.peek(); wordsBuild[does] || wordsMove[does] || wordsPlay[does] {
		before := r.left
		for r.left = r.left[1:]; r.skip(wordsOne) || r.skip(wordsThe); {
		}
		switch verb := verbs[r.peek()]; {
		case wordsBuild[does] && slices.Contains(buildings, verb):
		case wordsMove[does] && verb == "rob":
		case wordsPlay[does] && slices.Contains(played, verb):
		default:
			r.left = before
		}
	}
	verb := verbs[r.peek()]
	if verb != "" {
		r.left = r.left[1:]
	}
	return verb
}

// buildings and played are the verbs of what is built and played.
var (
	buildings = []string{"settle", "road", "city"}
	played    = []string{"knight", "monopoly", "plenty", "roads", "roll"}
)

func (r *reader) move() state.Move {
	if len(r.left) == 0 {
		r.refuse("unreadable")
		return state.Move{}
	}
	switch verb := r.verb(); verb {
	case "":
		if r.isNumber() && slices.ContainsFunc(r.left, isBank) {
			return r.offer()
		}
		r.refuse("unreadable-word", "text", r.left[0])
	case "order":
		r.refuse("order-private")
	case "settle":
		return r.settle()
	case "bank":
		return r.bank()
	case "offer", "exchange":
		return r.offer()
	case "give":
		if slices.ContainsFunc(r.left, is(wordsFor)) {
			return r.offer() // what is wanted for it is told
		}
		return r.parts(state.KindGive)
	case "plenty":
		h := r.hand()
		if h.Len() > 2 {
			r.refuse("plenty-two")
		}
		return state.MoveAt(state.KindPlenty, int8(h.At(0)), int8(h.At(1)))
	case "token":
		if r.skip(wordsTrade) {
			return state.NewMove(state.KindTokenTrade)
		} else if !r.skip(wordsDesert) {
			r.refuse("token-what")
		}
		return state.NewMove(state.KindTokenDesert)
	case "neutral":
		return r.neutral()
	case "end", "roll":
		for r.skip(wordsTurn) {
		}
		return state.NewMove(state.KindNamed(verb))
	case "buy":
		for r.skip(wordsCard) {
		}
		return state.NewMove(state.KindBuy)
	default:
		return r.parts(state.KindNamed(verb))
	}
	return state.Move{}
}

// parts reads the parts of a move of a kind.
func (r *reader) parts(k state.Kind) state.Move {
	m := state.NewMove(k)
	for _, p := range state.PartsOf[k] {
		switch p {
		case state.PartHex:
			for r.skip(wordsHex) {
			}
			m.A = r.number()
		case state.PartCorner, state.PartPath:
			m.A = r.number()
		case state.PartSecond:
			if r.skip(wordsAnd); r.isNumber() {
				m.B = r.number()
			}
		case state.PartGive:
			m.A = int8(r.resource())
		case state.PartSeat:
			for k != state.KindRob && k != state.KindKnight && r.skip(wordsOffer) {
			}
			m.Seat = r.from()
		case state.PartCards:
			m.Give = r.hand()
		case state.PartSwap:
			m.Give, m.Want = r.swap()
		case state.PartTo: // [ask] [to …] [ask]
			if m.Ask = r.skip(wordsAsk); r.err == nil && (r.skip(wordsTo) || wordsAll[r.peek()]) {
				to := r.to(!m.Ask)
				m.To, m.Ask = to.seats, m.Ask || to.ask
			}
		}
	}
	if k == state.KindRoads && m.B != table.NoPlace && m.B < m.A {
		m.A, m.B = m.B, m.A
	}
	return m
}

// offer reads an offer, or a trade with the bank. Whom it is made to may come first.
func (r *reader) offer() state.Move {
	words := slices.IndexFunc(r.left, func(w string) bool {
		_, named := table.ResourceNamed(w)
		_, err := strconv.Atoi(w)
		return named || err == nil
	})
	if words > 0 && wordsOne[domain.Fold(r.left[words-1])] {
		words--
	}
	if at := slices.IndexFunc(r.left, isBank); at >= 0 {
		from := at
		for from > 0 && slices.ContainsFunc([]map[string]bool{wordsTo, wordsArticle, wordsFor},
			func(set map[string]bool) bool { return is(set)(r.left[from-1]) }) {
			from--
		}
		r.left = slices.Concat(r.left[:from], r.left[at+1:])
		return r.bank()
	}
	if words > 0 {
		to := r.left[:words:words]
		if !wordsTo[domain.Fold(to[0])] {
			to = append([]string{"to"}, to...)
		}
		r.left = slices.Concat(r.left[words:], to)
	}
	return r.parts(state.KindOffer)
}

func isBank(word string) bool { return verbs[domain.Fold(word)] == "bank" }

// number reads a place. Decide refuses what is not on the board, so any small number will do here.
func (r *reader) number() int8 {
	if len(r.left) == 0 {
		r.refuse("number-missing")
		return 0
	}
	n, err := strconv.Atoi(strings.TrimPrefix(r.left[0], "#"))
	if err != nil || n < 0 || n > 99 {
		r.refuse("unreadable-word", "text", r.left[0])
		return 0
	}
	r.left = r.left[1:]
	return int8(n)
}

func (r *reader) isNumber() bool {
	if len(r.left) == 0 {
		return false
	}
	_, err := strconv.Atoi(r.left[0])
	return err == nil
}

func (r *reader) settle() state.Move {
	a := r.number()
	r.skip(wordsAnd)
	before := r.left
	if r.verb() != "road" {
		r.left = before
		return state.MoveAt(state.KindSettle, a, table.NoPlace)
	}
	return state.MoveAt(state.KindFound, a, r.number())
}

// verbs maps the words with which a move may begin, folded, to the English ones.
var verbs = table.Typed.Words("verbs")

// Means implements [domain.Extras.Means]; a land means what it yields.
var Means = table.Typed.Means("verbs", "resources", "cards", "also")

// Reword implements [domain.Extras.Reword].
var Reword = table.Typed.Reword("reworded")

// digits are the numbers that people write in words.
var digits = table.Typed.Words("numbers")

// Begins implements domain.Verbs.
func (Room) Begins(words string) (begins, names bool) {
	word, _, _ := strings.Cut(domain.Fold(words), " ")
	return verbs[word] != "" || wordsBuild[word], false
}

// The little words in between, and those of orders.
var (
	wordsFor, wordsTo, wordsAll      = little("for"), little("to"), little("all")
	wordsAsk, wordsFrom, wordsAnd    = little("ask"), little("from"), little("and")
	wordsTrade, wordsDesert          = little("trade"), little("desert")
	wordsOrder, wordsPlay, wordsThen = little("order"), little("play"), little("then")
	wordsUp, wordsAt, wordsTimes     = little("up"), little("at"), little("times")
	wordsNot, wordsCounter, wordsOne = little("not"), little("counter"), little("one")
	wordsEvery, wordsHex, wordsThe   = little("every"), little("hex"), little("the")
	wordsTurn, wordsBuild            = little("turn"), little("build")
	wordsArticle, wordsMove          = little("article"), little("move")
	wordsCard, wordsOffer            = little("card"), little("offer")
	wordsTaken                       = little("taken")
)

// is returns whether a word, as typed, is one of a set.
func is(set map[string]bool) func(word string) bool {
	return func(word string) bool { return set[domain.Fold(word)] }
}

// little returns the set of words with a meaning; a word may have several.
func little(meaning string) map[string]bool {
	set := map[string]bool{meaning: true}
	for _, w := range slices.Concat(table.Typed["little"][meaning], table.Typed["also"][meaning]) {
		set[w] = true
	}
	return set
}

// orderPhrases are the words that say when an order applies. Longer ones come before those they contain.
var orderPhrases = func() (all [][]string) {
	for _, phrase := range table.Typed["phrases"]["when"] {
		all = append(all, read(phrase, nil).left)
	}
	return all
}()

// The words of moves that name cards, and of the neutrals' pieces.

func (r *reader) resource() table.Resource {
	if len(r.left) == 0 {
		r.refuse("resource-missing")
		return table.NoResource
	}
	k, ok := table.ResourceNamed(r.left[0])
	if !ok {
		r.refuse("unknown-resource", "text", r.left[0])
		return table.NoResource
	}
	r.left = r.left[1:]
	return k
}

// hand reads amounts: "2 wool 1 ore", or "wool ore" for one each.
func (r *reader) hand() (h table.Hand) {
	for len(r.left) > 0 {
		if r.skip(wordsAnd) {
			continue
		}
		n := int8(1)
		if r.isNumber() {
			n = r.number()
			r.skip(wordsFrom)
		} else if _, ok := table.ResourceNamed(r.left[0]); !ok && !r.one() {
			break
		}
		k := r.resource()
		if r.err == nil && (h[k]+n > table.CardsOfKind*2 || h[k]+n < 0) {
			r.refuse("too-many-cards")
		}
		if r.err != nil {
			return h
		}
		h[k] += n
	}
	if h.Len() == 0 {
		r.refuse("resource-missing")
	}
	return h
}

// one takes an article before a resource: "a brick".
func (r *reader) one() bool {
	if len(r.left) < 2 {
		return false
	}
	_, named := table.ResourceNamed(r.left[1])
	return named && r.skip(wordsOne)
}

// swap reads "1 wool for 1 ore". Whom it is offered to may stand between them.
func (r *reader) swap() (give, want table.Hand) {
	give = r.hand()
	if at := slices.IndexFunc(r.left, is(wordsFor)); at > 0 && wordsTo[r.peek()] {
		r.left = slices.Concat(r.left[at:], r.left[:at])
	}
	if !r.skip(wordsFor) {
		r.refuse("for-missing")
		return give, want
	}
	return give, r.hand()
}

// bank reads "wool ore", or "3 wool 1 ore" with amounts, which then are in Give.
func (r *reader) bank() state.Move {
	n := int8(0)
	if r.isNumber() {
		if n = r.number(); n < 2 || n > 4 {
			r.refuse("bank-rate-none", "n", int(n))
		}
		r.skip(wordsFrom)
	}
	give := r.resource()
	r.skip(wordsFor)
	if r.isNumber() { // one card, of the kind that follows
		if one, _ := strconv.Atoi(r.left[0]); one != 1 {
			r.refuse("bank-one")
		}
		r.left = r.left[1:]
	}
	r.skip(wordsOne)
	m := state.MoveAt(state.KindBank, int8(give), int8(r.resource()))
	if r.err == nil {
		m.Give[give] = n
	}
	return m
}

// neutral reads "neutral road 30 settle 41": the first neutral's piece, then the second's; letters say whose they are:
// "neutral M road 30". A single piece without a letter belongs to whichever neutral can build it.
func (r *reader) neutral() state.Move {
	m := state.NewMove(state.KindNeutral)
	next, pieces := 0, 0
	for len(r.left) > 0 && r.err == nil {
		if r.skip(wordsAnd) {
			continue
		}
		who := r.peek()
		if who == "n" || who == "m" {
			next = int('n' - who[0])
			r.left = r.left[1:]
		}
		sort := map[string]state.Sort{"road": state.RoadPiece, "settle": state.SettlementPiece}[verbs[r.peek()]]
		if sort == state.NoPiece || next > 1 || m.Neutral[next].Sort != state.NoPiece {
			break
		}
		r.verb()
		m.Neutral[next] = state.NeutralPiece{Sort: sort, At: r.number()}
		m.Loose = who != "n" && who != "m" && pieces == 0
		pieces++
		next++
	}
	if len(r.left) > 0 || pieces == 0 {
		r.refuse("neutral-what")
	}
	m.Loose = m.Loose && pieces == 1
	return m
}

// ParseTaken reads the cards that a script takes from a hand; the text returned says why it cannot, or is "".
func ParseTaken(words string, hand table.Hand, n int) (table.Hand, string) {
	r := read(words, nil)
	took := r.hand()
	switch {
	case r.err != nil || len(r.left) > 0:
		return table.Hand{}, fmt.Sprintf("%d resources are wanted", n)
	case took.Len() != n:
		return table.Hand{}, fmt.Sprintf("%d cards are taken", n)
	case !hand.Covers(took):
		return table.Hand{}, "no such cards there"
	}
	return took, ""
}
