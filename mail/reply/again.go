package reply

import "strings"

// Again reports whether lines ask to play once more, and say nothing else but greetings and names.
func Again(lines []Line) bool {
	asked := false
	for _, l := range lines {
		for _, clause := range clauses(l.Text) {
			switch said := strings.TrimSpace(clause); {
			case l.Kind != KindOther:
				return false
			case typed.is("again", said), typed.is("again", Plain(said)):
				asked = true
			case !Polite(said):
				return false
			}
		}
	}
	return asked
}
