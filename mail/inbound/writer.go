package inbound

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
	"posthorn/projections/guide"
	"posthorn/projections/turn"
	"posthorn/projections/words"
)

// writer is somebody whose mail is being carried out.
type writer struct {
	d     *Door
	l     *letter
	actor events.Actor
	m     *turn.Model // the table as it was when the mail came
	v     vocabulary
	p     words.Printer // in the writer's language
	open  *domain.Open  // the decision that the mail answers, if still awaited
	alive bool          // what the mail answers is not over, or no later letter about the table has gone out
	newer time.Time     // when that letter went out, if it is known
	// proved is whether more than its address, and a From that anybody can write, speaks for the mail.
	proved bool

	words []string // still to be said
	said  int      // how many were said

	outcome string
	board   bool                 // the answer is to show the board
	list    bool                 // the answer is to list all moves
	stops   bool                 // the answer is to have the link that stops mails
	done    bool                 // something was done
	nothing string               // the key of the text to use if nothing was done
	did     []string             // what was done, in sentences
	meant   []string             // the moves that a yes to the answer plays, in notation
	rest    mail.Waits           // what goes on after what is asked first
	took    bool                 // what an earlier mail left went on, or does not any more
	lines   []string             // more sentences
	idle    []string             // what they wrote that came to nothing beside what was done
	rules   map[string][2]string // for refusals: where the rule behind a sentence stands, and its reading
}

// writer returns what is needed to give a mail's commands.
func (d *Door) writer(ctx context.Context, l *letter) (*writer, error) {
	w := &writer{d: d, l: l, rules: map[string][2]string{},
		actor: events.Actor{Person: l.person, Door: domain.DoorReply,
			Reply: fmt.Sprintf("%x", d.digest("event", l.key)[:8])}}
	var err error
	if w.m, err = d.Maker.Turn(ctx, l.table, w.asker()); err != nil {
		return nil, err
	}
	w.v = vocabulary{rulebook: l.look.Rulebook, seat: l.Seat, refuse: w.refusal, line: l.look.Line}
	p, names, err := d.Maker.Printer(ctx, l.look, l.to.Lang)
	if err != nil {
		return nil, err
	}
	w.v.names, w.v.p, w.p = names, p, p
	if err := w.decision(ctx); err != nil {
		return nil, err
	}
	w.alive, err = w.lives(ctx)
	return w, err
}

// lives reports whether the mail's address is good for more than being told what is asked now.
func (w *writer) lives(ctx context.Context) (bool, error) {
	if w.open != nil {
		return true, nil
	}
	if w.l.kind.How() == mail.HowYesNo {
		stale, err := w.d.Desk.Stale(ctx, w.l.look, w.question())
		if err != nil || stale == desk.StillAsked || stale == desk.StaleAnswered {
			return true, err
		}
	}
	if w.l.opens { // the letter may be about something from before
		return true, nil
	}
	over, at, err := w.d.Outbox.Superseded(ctx, w.question())
	w.newer = at
	return !over, err
}

func (w *writer) asker() turn.Asker {
	return turn.Asker{Person: w.l.person, Seat: w.l.Seat, Lang: w.l.to.Lang, Zone: w.l.to.Zone}
}

// decision finds the decision that the mail answers, and what the mail called its choices.
func (w *writer) decision(ctx context.Context) error {
	l := w.l
	for _, a := range l.look.Asks() {
		if a.Kind == desk.AskTurn && a.Person == l.person && a.Stream == l.stream &&
			(a.Open.Since == l.since || l.opens && a.Open.Since < l.since) && l.Asks(a.Open.Decision) {
			if w.open != nil {
				w.open = nil // two that nothing tells apart
				return nil
			}
			w.open = &a.Open
		}
	}
	mailed := w.m
	if l.look.Line != nil {
		w.v.version = l.look.Line.Version
	}
	if w.open == nil && l.kind == "" {
		return nil
	}
	if at := l.since + l.Ahead; l.kind == "" && at != l.look.Line.Version {
		var err error
		w.v.version = at
		if mailed, err = w.d.Maker.AsMailed(ctx, l.table, at, w.asker()); err != nil {
			return err
		}
	}
	for _, g := range mailed.Groups() {
		w.v.mailed.moves = append(w.v.mailed.moves, g.Moves...)
	}
	return nil
}

// answer returns what to tell the mail's writer.
func (w *writer) answer() mail.Answer {
	l := w.l
	a := mail.Answer{Key: hex.EncodeToString(l.key), Person: l.person, Table: l.table, Stream: l.stream,
		Message: l.head.MessageID(), Reply: w.actor.Reply,
		Open:    domain.Open{Decision: domain.Decision{Seat: l.Seat, Kind: string(l.kind)}, Since: l.since},
		Asked:   l.at,
		Outcome: w.outcome, Board: w.board, List: w.list, Stops: w.stops,
		Took: w.took, Fruitless: !w.done, Headline: w.headline(), Lines: append(w.lines, w.besides()...),
		Last: w.text("last")}
	a.Rule, a.Reading = w.rule()
	if a.Waits = w.rest; a.Fruitless && len(w.meant) > 0 {
		a.Meant, a.Version = w.meant, w.l.look.Line.Version
	}
	switch {
	case a.Unread():
	case a.Outcome == mail.OutcomeAsked:
		a.Last = w.text("last.unclear")
	default:
		a.Last = w.text("last.again")
	}
	if a.Fruitless || a.Outcome == "said" {
		a.Same = w.d.same(l)
	}
	return a
}

// text returns one of the answers' texts.
func (w *writer) text(key string, pairs ...any) string {
	return w.m.Text("mail.answer."+key, pairs...)
}

// told notes what came of a mail, and sentences about it.
func (w *writer) told(outcome string, sentences ...string) {
	if w.outcome == "" {
		w.outcome = outcome
	}
	w.lines = append(w.lines, sentences...)
}

// achieved notes something that was done.
func (w *writer) achieved(outcome, sentence string) {
	if !w.done {
		w.outcome = outcome
	}
	w.done, w.did = true, append(w.did, sentence)
}

// headline returns the answer's first sentence.
func (w *writer) headline() string {
	if len(w.did) == 0 {
		return w.text(cmp.Or(w.nothing, "nothing"))
	}
	return strings.Join(w.did, " ")
}

// refusal says why something was refused; ok is false for an error that should be retried.
func (w *writer) refusal(err error) (string, bool) {
	if r, ok := domain.AsRefusal(err); ok {
		why := w.m.Refusal(r)
		rb := w.l.look.Rulebook
		if rule := guide.Path(rb, r.Code); rule != "" {
			w.rules[why] = [2]string{rule, guide.Reading(rb, r.Code)}
		}
		return why, true
	}
	if fast, ok := desk.AsTooFast(err); ok {
		return w.text("fast", "n", int(math.Ceil(fast.Wait.Minutes()))), true
	}
	return "", false
}

// rule returns where the rule stands behind the first refusal in the answer, and the reading of a rulebook that it
// follows from; "" for nowhere.
func (w *writer) rule() (rule, reading string) {
	for _, line := range w.lines {
		for why, at := range w.rules {
			if strings.Contains(line, why) {
				return at[0], at[1]
			}
		}
	}
	return "", ""
}

// refused notes why something was refused.
func (w *writer) refused(err error) error {
	why, ok := w.refusal(err)
	if !ok {
		return err
	}
	w.told("refused", why)
	return nil
}

// id returns a command id for this mail: the same mail gives the same ids.
func (w *writer) id(what string, n int) events.CommandID {
	return events.CommandID(w.d.digest("command", w.l.key, []byte(what), []byte{byte(n)})[:16])
}
