package reply

import "strings"

// Query is a question about the game that is no move.
type Query string

// What people ask.
const (
	AsksPrice Query = "price?" // what something costs
	AsksWhat  Query = "what?"  // what something is good for
	AsksWho   Query = "who?"   // who has something
)

// Asks returns what a clause asks, and about what; "" if it asks nothing of the kind.
func Asks(clause string) (q Query, about string) {
	all := strings.Fields(strings.TrimRight(Plain(clause), "?.! "))
	for _, q := range []Query{AsksWho, AsksPrice, AsksWhat} {
		for i := range all {
			for n := min(mostPhrase, len(all)-i); n > 0; n-- {
				if (i == 0 || q == AsksPrice) && typed.is(string(q), strings.Join(all[i:i+n], " ")) {
					return q, strings.Join(append(all[:i:i], all[i+n:]...), " ")
				}
			}
		}
	}
	return "", ""
}
