package walk

import (
	"fmt"
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"
	"time"

	"posthorn/cmd/posthorn/internal/posthorntest"
	"posthorn/mail/inbound"
)

// typedLine is a line that a mail says may be answered: " - LINE – what it does".
var typedLine = regexp.MustCompile(`(?m)^ - ([^\n–]+?) – `)

// listed are a mail's moves: a place, and below it the ways to use it.
var (
	listedPlace = regexp.MustCompile(`^ {0,12}(\S{1,8}(?: \S{1,5})?) {2}[^\s|]`) // and no hex of an island
	listedWay   = regexp.MustCompile(`(?:^| )([a-z]{1,2})\) `)
)

// moves returns the moves that a mail lists, as it says they may be written.
func moves(text string) (out []string) {
	place := ""
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		if m := listedPlace.FindStringSubmatch(line); m != nil && !strings.HasPrefix(strings.TrimSpace(line), "- ") {
			place = m[1]
			out = append(out, place)
		}
		for _, m := range listedWay.FindAllStringSubmatch(line, -1) {
			if place != "" {
				out = append(out, place+" "+m[1])
			}
		}
	}
	return out
}

// silence are the listed reasons for which an answer of a person who does what mails say may get none.
var silence = []inbound.Drop{"same again", "withdrawn", "forgotten", "enough", "told today", "late and unproved"}

// answers has somebody answer a mail as it says that it may be answered.
func (w *walk) answers(p *person) {
	box := w.house.box(p.address)
	if len(box) == 0 {
		return
	}
	l := w.chooses(box, "answered")
	l.uses++
	to := l.Header.Get("Reply-To")
	if to == "" || w.one(15) || w.reached["mail house"] == 0 && w.one(3) {
		to = l.Header.Get("From") // there are programs that look at nothing else
	}
	a, err := netmail.ParseAddress(to)
	if err != nil {
		w.wrong("no address", string(l.row.Kind), "the mail %q (%s) cannot be answered: %v", l.Subject, l.row.Kind, err)
		return
	}
	lines := w.letter(l)
	fresh := l == box[len(box)-1]
	w.sends(p, l, a.Address, fresh, lines)
}

// letter returns the lines of an answer to a mail.
func (w *walk) letter(l *letter) []string {
	var says []string
	for _, m := range typedLine.FindAllStringSubmatch(l.Text, -1) {
		says = append(says, strings.Trim(m[1], "“”\"„ "))
	}
	switch w.rnd.IntN(10) {
	case 0:
		return []string{pick(w, own)}
	case 1:
		return []string{pick(w, []string{"yes", "no", "sim", "não", "tak", "nie"})}
	case 2, 3:
		if len(says) > 0 {
			return []string{pick(w, says)}
		}
	}
	if _, list, ok := strings.Cut(l.Text, "\n\n"); ok {
		if m := moves(list); len(m) > 0 {
			return []string{pick(w, m)}
		}
	}
	if len(says) > 0 {
		return []string{says[0]}
	}
	return []string{pick(w, []string{"yes", "sim", "tak"})}
}

// sends sends an answer and waits for what becomes of it: an event, or an answer in the mailbox.
func (w *walk) sends(p *person, l *letter, to string, fresh bool, lines []string) {
	w.wrote = append(w.wrote, lines...)
	id := fmt.Sprintf("walk-%d-%d@example.org", w.step, w.rnd.Uint64())
	raw := "From: " + p.name + " <" + p.address + ">\r\nTo: " + to + "\r\nDate: " + time.Now().Format(time.RFC1123Z) +
		"\r\nMessage-ID: <" + id + ">\r\nIn-Reply-To: " +
		l.Header.Get("Message-Id") + "\r\nSubject: Re: " + l.Subject +
		"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + strings.Join(lines, "\r\n") + "\r\n"
	before, had := w.end(), len(w.house.box(p.address))
	w.house.last = ""
	w.chose(p, "answers %q (%s) with %q", l.Subject, l.row.Kind, lines)
	err := w.house.deliver(p.address, to, []byte(raw))
	w.house.settles(10 * time.Second)
	about := fmt.Sprintf("%s answers the mail %q (%s, %s) with %q", p, clip(firstLine(l.Text)), l.row.Kind,
		l.at.UTC().Format("01-02 15:04"), strings.Join(lines, " / "))
	w.reached["answered "+string(l.row.Kind)]++
	if err != nil {
		w.wrong("an answer bounces", string(l.row.Kind), "%s: %v", about, err)
		return
	}
	silent := func() bool { return w.end() == before && len(w.house.box(p.address)) == had }
	comes := time.Now().Add(posthorntest.Patient)
	for w.house.alive && silent() && w.house.last == "" && time.Now().Before(comes) {
		w.house.settles(time.Second) // on a busy machine a letter takes its time
	}
	_, why, _ := strings.Cut(w.house.last, "why=")
	if silent() && !(inbound.Drop(why).Listed() && slices.Contains(silence, inbound.Drop(why))) {
		w.wrong("an answer is dropped", string(l.row.Kind)+w.house.last, "%s: %s", about, w.house.last)
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
