package reply

import "strings"

// Want is something that people ask a program for by a word of its own.
type Want string

// What they may want.
const (
	WantHelp   Want = "help"   // to know what can be written
	WantStop   Want = "stop"   // no more mails
	WantResign Want = "resign" // to play no longer
)

// Wants returns what a mail wants that has one line for it, and otherwise only greetings and names; "" for nothing.
func Wants(lines []Line) (want Want) {
	for _, l := range lines {
		if l.Kind != KindOther {
			return ""
		}
		text, found := strings.TrimRight(Plain(l.Text), ".! "), Want("")
		for _, w := range []Want{WantHelp, WantStop, WantResign} {
			if typed.is(string(w), text) || typed.is(string(w), strings.TrimRight(text, "? ")) {
				found = w
			}
		}
		switch {
		case found != "" && want == "":
			want = found
		case found != "" || !Polite(l.Text):
			return ""
		}
	}
	return want
}
