package inbound

import (
	"context"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/reply"
	"posthorn/projections/words"
)

// says posts to the chat what the mail says, once.
func (w *writer) says(ctx context.Context) error {
	lines := w.words
	w.words = nil
	for i, text := range lines {
		said, err := w.say(ctx, "say", i, text)
		if err != nil {
			return err
		}
		if !said {
			break
		}
		w.said++
	}
	return nil
}

// say posts a line to the chat, unless it is refused.
func (w *writer) say(ctx context.Context, what string, n int, text string) (bool, error) {
	said, err := w.d.People.Write(ctx, w.l.person, people.Plain(text))
	if err != nil {
		return false, err
	}
	if _, err = w.d.Desk.Do(ctx, w.actor, w.l.table, w.id(what, n), desk.Say{Written: said}); err != nil {
		if r, ok := domain.AsRefusal(err); ok && r.Code == "not-a-player" {
			why, err := w.outside(ctx)
			w.told("stale", why...)
			return false, err
		}
		return false, w.refused(err)
	}
	return true, nil
}

// away tells the others at this table that the writer is away, and moves the writer's deadlines there, if any. To be
// away from every table, people use a page.
func (w *writer) away(ctx context.Context, text string) error {
	if w.l.look.Table.Status == domain.TableEnded {
		w.told("refused", w.text("away.ended"))
		return nil
	}
	now, zone, timed := w.d.Now(), w.l.to.Zone, w.l.look.Table.Clock != nil
	until, ok := reply.Until(text, now.In(zone))
	if !ok || timed && until.IsZero() {
		w.told(mail.OutcomeAsked, w.text("away.when", "text", words.Isolated(text)))
		return nil
	}
	if until.IsZero() {
		return w.awaySaid(ctx, w.text("away.chat.open"))
	}
	days := calendar.Span{From: calendar.DayOf(now, zone), Until: calendar.DayOf(until, zone)}
	if days.Until-days.From >= people.MostAway {
		return w.refused(domain.Refuse("away-days", "most", people.MostAway))
	}
	if !timed && w.l.look.Table.Status == domain.TableOpen {
		return w.awaySaid(ctx, w.text("away.chat", "until", w.p.Day(until)))
	}
	_, err := w.d.Desk.Do(ctx, w.actor, w.l.table, w.id("away", 0), desk.GoAway{Days: days})
	if r, refused := domain.AsRefusal(err); refused && r.Code == "away-known" {
		last := w.l.look.Table.AwayUntil(w.l.person).Add(-12 * time.Hour) // the end of the last day is the next one's
		w.told("refused", w.text("away.known", "until", w.p.Day(last.In(zone))))
		return nil
	}
	if err != nil {
		return w.refused(err)
	}
	w.achieved("away", w.text("away.told"))
	if timed {
		w.did = append(w.did, w.text("away.moved"))
	}
	return nil
}

// here tells the table that the writer, who was away, is back.
func (w *writer) here(ctx context.Context) error {
	if _, err := w.d.Desk.Do(ctx, w.actor, w.l.table, w.id("here", 0), desk.ComeBack{}); err != nil {
		return w.refused(err)
	}
	w.achieved("here", w.text("here"))
	return nil
}

// awaySaid tells of an absence that a table cannot note, because it has no last day or the game has yet to begin.
func (w *writer) awaySaid(ctx context.Context, chat string) error {
	said, err := w.say(ctx, "away said", 0, chat)
	if said {
		w.achieved("away", w.text("away.told"))
	}
	return err
}
