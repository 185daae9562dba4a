package notation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"posthorn/domain"
	"posthorn/domain/catan/state"
)

// Seats are named by letter or by name. A letter always means that seat, and a word of the notation always that word,
// whatever people's names are. A name that could be read as such a word where it appears is refused, and the sentence
// says which letter to write. So nobody's name can change the meaning of an offer.

// naming is a seat that the next words may mean, and how many of them name it.
type naming struct {
	seat  domain.Seat
	words int
}

// namings returns the seats that words can mean. A letter has no other meaning.
func (r *reader) namings(words []string) (list []naming) {
	if len(words) == 0 {
		return nil
	}
	seats := len(r.names)
	if r.names == nil {
		seats = state.MaxColours
	}
	first := 1
	if w := domain.Fold(words[0]); r.article(words) {
		first = 2 // with what follows it may be a name
	} else if len(w) == 1 && w[0] >= 'a' && int(w[0]-'a') < seats {
		list = append(list, naming{domain.Seat(w[0] - 'a'), 1})
		first = 2
	}
	for n := first; n <= min(len(words), 8); n++ {
		typed := domain.Fold(strings.Join(words[:n], " "))
		for i, name := range r.names {
			if nameKey(name) == typed || domain.Fold(name) == typed {
				list = append(list, naming{domain.Seat(i), n})
			}
		}
	}
	if len(list) == 0 && !keyword(domain.Fold(words[0])) {
		return r.inflected(words[0])
	}
	return list
}

// article reports whether words begin with an article that is no seat's letter and no name: it stands before a name,
// and is not written as a letter is.
func (r *reader) article(words []string) bool {
	if len(words) < 2 || !wordsArticle[domain.Fold(words[0])] {
		return false
	}
	if letter := domain.Fold(words[0]) == "a" || slices.ContainsFunc(r.names, func(name string) bool {
		return nameKey(name) == domain.Fold(words[0])
	}); letter && words[0] != strings.ToLower(words[0]) && words[1] != strings.ToUpper(words[1]) {
		return false
	}
	return slices.ContainsFunc(r.namings(words[1:]), func(n naming) bool { return len(words[1]) > 1 || n.words > 1 })
}

// inflected returns the only seat whose name a word is a form of, as Polish declines them: Emmy and Emmie are Emma.
func (r *reader) inflected(word string) (list []naming) {
	for i, name := range r.names {
		if key := nameKey(name); utf8.RuneCountInString(key) >= leastDeclined && stem(key) == stem(domain.Fold(word)) {
			list = append(list, naming{domain.Seat(i), 1})
		}
	}
	if len(list) != 1 {
		return nil
	}
	return list
}

// leastDeclined is the length of the shortest name that may be declined.
const leastDeclined = 3

// endings are those of names in Polish, folded; longer ones come before those they end in.
var endings = []string{"owi", "iem", "em", "ia", "ie", "ii", "io", "a", "e", "i", "o", "u", "y"}

func stem(name string) string {
	if before, ok := strings.CutSuffix(name, "ek"); ok { // Marek, Marka
		return before + "k"
	}
	for _, end := range endings {
		if before, ok := strings.CutSuffix(name, end); ok && len(before) > 1 {
			return before
		}
	}
	return name
}

// nameKey returns a name as read would split it.
func nameKey(name string) string { return domain.Fold(strings.Join(read(name, nil).left, " ")) }

// unclear refuses words that name a seat but also something else.
func (r *reader) unclear(seat domain.Seat) {
	r.refuse("name-unclear", "text", r.left[0], "letter", seat.Letter())
}

// unknown refuses words that name nobody.
func (r *reader) unknown() {
	if len(r.left) == 0 {
		r.refuse("name-missing")
		return
	}
	if keyword(r.peek()) {
		r.refuse("unreadable-word", "text", r.left[0])
		return
	}
	r.refuse("unknown-seat", "text", r.left[0])
}

// seat finds the seat that comes next, by the most words possible, and sets words to their number.
func (r *reader) seat() (seat domain.Seat, named bool) {
	list := r.namings(r.left)
	if len(list) == 0 {
		return domain.Nobody, false
	}
	last := list[len(list)-1]
	r.words = last.words
	return last.seat, true
}

// from reads the one seat that a move may name, or Nobody: "Bo", "from Bo", "and take from Bo".
func (r *reader) from() domain.Seat {
	if len(r.left) == 0 || r.err != nil {
		return domain.Nobody
	}
	r.taken()
	if len(r.left) > 1 && wordsFrom[r.peek()] && wordsFrom[domain.Fold(r.left[1])] {
		r.left = r.left[1:]
	}
	var found []naming
	for skipped := 0; skipped == 0 || skipped == 1 && wordsFrom[r.peek()]; skipped++ {
		rest := r.left[skipped:]
		if r.article(rest) {
			rest = rest[1:]
		}
		for _, n := range r.namings(rest) {
			if n.words += len(r.left) - len(rest); n.words == len(r.left) {
				found = append(found, n)
			}
		}
	}
	if len(found) == 0 {
		r.skip(wordsFrom)
		r.unknown()
		return domain.Nobody
	}
	for _, n := range found {
		if n.seat != found[0].seat {
			r.unclear(n.seat)
		}
	}
	r.left = nil
	return found[0].seat
}

// taken drops the words for taking a card before a name: "and I take one card from Bo" is "from Bo".
func (r *reader) taken() {
	for i := 0; i+1 < len(r.left); i++ {
		w := domain.Fold(r.left[i])
		if wordsFrom[w] {
			r.left = r.left[i:]
		} else if !wordsAnd[w] && !wordsOne[w] && !wordsCard[w] && !wordsTaken[w] || len(r.namings(r.left[i:])) > 0 {
			return
		}
	}
}

// addressed says whom an offer goes to, and whether it has the word ask.
type addressed struct {
	seats state.SeatSet
	ask   bool
}

// to reads what follows the word to: everybody, or seats, and the word ask if it is allowed. It tries all ways to read
// the words; exactly one must work.
func (r *reader) to(mayAsk bool) addressed {
	type step struct { // how far the words have been read
		at   int
		to   state.SeatSet
		must bool // a seat must follow, after the word and
	}
	var found []addressed
	seen, far := map[step]bool{}, 0
	end := func(words []string, to state.SeatSet) { // a complete reading, if nothing more follows, or only the word ask
		got := addressed{seats: to, ask: len(words) == 1 && mayAsk && wordsAsk[domain.Fold(words[0])]}
		if (len(words) == 0 || got.ask) && !slices.Contains(found, got) {
			found = append(found, got)
		}
	}
	var walk func(step)
	walk = func(s step) {
		if seen[s] {
			return
		}
		seen[s], far = true, max(far, s.at)
		words := r.left[s.at:]
		if !s.must {
			end(words, s.to)
			if s.to != 0 && len(words) > 0 && wordsAnd[domain.Fold(words[0])] {
				walk(step{s.at + 1, s.to, true})
			}
		}
		if r.article(words) {
			walk(step{s.at + 1, s.to, true})
		}
		for _, n := range r.namings(words) {
			if len(found) < 2 {
				walk(step{s.at + n.words, s.to.With(int8(n.seat)), false})
			}
		}
	}
	walk(step{must: len(r.left) == 0}) // whom, if nothing follows?
	if wordsAll[r.peek()] {
		end(r.left[1:], 0)
	}
	switch len(found) {
	case 0:
		r.left = r.left[min(far, len(r.left)):]
		r.unknown()
		return addressed{}
	case 1:
		r.left = nil
		return found[0]
	}
	seat := (found[0].seats ^ found[1].seats).List()[0]
	for _, w := range r.left { // the word that is also a name
		if n := r.namings([]string{w}); len(n) > 0 && n[0].seat == seat {
			r.left = []string{w}
		}
	}
	r.unclear(seat)
	return addressed{}
}

// goesOn reports whether a word of an order begins something other than a seat.
func (r *reader) goesOn(word string) bool {
	return wordsAt[word] || wordsUp[word] || wordsNot[word] || wordsCounter[word] || wordsTo[word] || r.isNumber()
}

// callable reports whether a seat can be written by its name: the name is not a seat's letter, and does not begin with
// a word of the notation or another seat's name.
func callable(names []string, seat domain.Seat) bool {
	if int(seat) >= len(names) {
		return false
	}
	key := nameKey(names[seat])
	first, _, _ := strings.Cut(key, " ")
	if first == "" || len(first) == 1 && first[0] >= 'a' && first[0] < 'a'+state.MaxColours {
		return false
	}
	if keyword(first) {
		return false
	}
	for i, other := range names {
		if i != int(seat) && (nameKey(other) == key || strings.HasPrefix(key, nameKey(other)+" ") ||
			strings.HasPrefix(nameKey(other), key+" ")) {
			return false
		}
	}
	return first[0] < '0' || first[0] > '9'
}

// keyword reports whether a word beside a name has a meaning of its own.
func keyword(word string) bool {
	for _, set := range []map[string]bool{wordsAll, wordsAsk, wordsAnd, wordsFrom, wordsTo, wordsFor, wordsNot, wordsAt,
		wordsUp, wordsCounter, wordsTimes} {
		if set[word] {
			return true
		}
	}
	return false
}
