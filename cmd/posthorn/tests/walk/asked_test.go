package walk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/desk"
	"posthorn/mail"
)

// known is what the walk has seen of a table.
type known struct {
	asked     map[desk.Ask]bool // without deadlines
	everybody []domain.PersonID
}

// asked looks at what the tables that something happened at ask of anybody: whoever is awaited anew has a letter made
// since the walk looked last.
func (w *walk) asked() {
	var changed []events.Name
	now, upTo := time.Now().Truncate(time.Millisecond), w.sawAt // letters have milliseconds
	for _, r := range w.records(w.sawAt) {
		upTo = r.Pos
		s, err := w.house.Log.Stream(w.house.ctx, r.Stream)
		require.NoError(w.t, err)
		if (s.Kind == events.KindTable || s.Kind == events.KindLine) && !slices.Contains(changed, s.Table) {
			changed = append(changed, s.Table)
		}
	}
	for _, name := range changed {
		w.looks(name)
		w.held(name)
	}
	w.saw, w.sawAt = now, upTo             // what came while it looked is looked at the next time
	w.house.settles(10 * time.Millisecond) // and what comes now is later
}

func (w *walk) looks(name events.Name) {
	look, err := w.house.Desk.Look(w.house.ctx, name)
	require.NoError(w.t, err)
	asks, err := w.house.Desk.Asks(w.house.ctx, look)
	require.NoError(w.t, err)
	if w.known[name] == nil {
		w.known[name] = &known{}
		w.tables = append(w.tables, name)
		w.reached["game "+look.Table.Rulebook]++
	}
	k, now := w.known[name], map[desk.Ask]bool{}
	for _, a := range asks {
		a.Due = time.Time{}
		w.reached["ask "+string(a.Kind)]++
		if a.Kind == desk.AskTurn {
			w.decision(look, a.Open)
		}
		if k.anew(a) {
			w.lettered(look, a)
		}
	}
	for _, a := range look.Asks() { // with what a standing order is about to answer: its person gave it, and knows
		a.Due = time.Time{}
		now[a] = true
	}
	k.asked, k.everybody = now, look.Table.Everybody()
	for _, p := range look.Table.Places {
		k.everybody = append(k.everybody, p.Invited...)
	}
}

// anew reports whether something is asked that was not before. What had come back to somebody stands as it stood once
// it no longer does: somebody else is missing, too, or a team has moved on.
func (k *known) anew(a desk.Ask) bool {
	for e := range k.asked {
		if a.Again == 0 {
			e.Again = 0
		}
		if e == a {
			return false
		}
	}
	return true
}

// records returns what was logged after a position.
func (w *walk) records(pos uint64) (out []events.Record) {
	for {
		recs, err := w.house.Log.Read(w.house.ctx, pos, 500)
		require.NoError(w.t, err)
		if len(recs) == 0 {
			return out
		}
		out, pos = append(out, recs...), recs[len(recs)-1].Pos
	}
}

// decision counts a kind of decision as reached, and what exactly it asks.
func (w *walk) decision(look desk.Look, o domain.Open) {
	game := look.Table.Rulebook
	w.reached["decision "+game+" await."+o.Kind]++
	if asked := look.Rulebook.Extras().Asked; asked != nil {
		if step := asked(look.Line.State, o.Decision); step != "" {
			w.reached["decision "+game+" "+step]++
		}
	}
}

// lettered judges whether somebody who is asked something anew has a letter made for it.
func (w *walk) lettered(look desk.Look, a desk.Ask) {
	if a.Kind == desk.AskInvitation && a.Person == look.Table.Opener && a.Again == 0 {
		return // they are on the page
	}
	if w.cameBack(look, a) {
		return
	}
	if step, ok := w.switched[w.named(a.Person)]; ok && step == w.step {
		return // they wanted no such mail when it was asked
	}
	last := w.letterFor(a)
	if last.Before(w.saw) { // the notifier may be a moment behind
		w.house.settles(2 * time.Second)
		last = w.letterFor(a)
	}
	if wants, err := w.wants(a); !last.Before(w.saw) || !wants {
		require.NoError(w.t, err)
		return
	}
	at, err := w.house.Outbox.Position(w.house.ctx)
	require.NoError(w.t, err)
	w.wrong("nobody told", look.Table.Rulebook+string(a.Kind)+a.Open.Kind,
		"%s is asked %s %s of seat %d (since %d) at a table of %s, and has no letter made since; the last is of %s; "+
			"it came back at %d; events %v; notified up to %d of %d; their letters:%s", w.named(a.Person), a.Kind,
		a.Open.Kind, a.Open.Seat, a.Open.Since, look.Table.Rulebook, last.UTC().Format("01-02 15:04:05"),
		a.Again, w.lately(look), at, w.end(), w.newest(a))
}

// lately tells of the last events of a table and of its line.
func (w *walk) lately(look desk.Look) (out []string) {
	for _, r := range w.records(w.end() - min(w.end(), 60)) {
		if r.Stream == look.Name || r.Stream == look.LineName {
			meta, err := events.ReadMeta(&r)
			require.NoError(w.t, err)
			out = append(out, fmt.Sprintf("%s %d at %s by %s (%s)", r.Type, r.Version,
				r.At.UTC().Format("01-02 15:04:05"),
				w.named(meta.By), meta.Door))
		}
	}
	return out
}

// newest tells of the newest letters to an ask's person about its table.
func (w *walk) newest(a desk.Ask) (out string) {
	rows, err := w.house.Outbox.Letters(w.house.ctx, a.Table)
	require.NoError(w.t, err)
	rows = slices.DeleteFunc(rows, func(r mail.Letter) bool { return r.Person != a.Person })
	for _, r := range rows[max(0, len(rows)-5):] {
		out += fmt.Sprintf("\n\t%s of seat %d since %d, made %s, %s %s", r.Kind, r.Open.Seat, r.Open.Since,
			r.Made.UTC().Format("01-02 15:04:05"), r.State, r.Note)
	}
	return out
}

// cameBack reports whether somebody has taken a seat back since the walk looked last, or asked for more time where a
// stand-in was about to play their turn: they did so on the page that asks now. Where a teammate took the seat back,
// that is news to the others of it, whose letter about the same turn stands.
func (w *walk) cameBack(look desk.Look, a desk.Ask) bool {
	own := []string{domain.TableEventType(&domain.Returned{}), domain.TableEventType(&domain.Deferred{})}
	return slices.ContainsFunc(w.records(w.sawAt), func(r events.Record) bool {
		meta, err := events.ReadMeta(&r)
		if err != nil || r.Stream != look.Name || !slices.Contains(own, r.Type) {
			return false
		}
		return meta.By == a.Person || look.Table.Places[a.Open.Seat].Holds(meta.By) && w.toldOf(a.Person, &r)
	})
}

// toldOf reports whether somebody has a letter with the news of an event.
func (w *walk) toldOf(who domain.PersonID, r *events.Record) bool {
	rows, err := w.house.Outbox.Letters(w.house.ctx, r.Stream)
	require.NoError(w.t, err)
	return slices.ContainsFunc(rows, func(l mail.Letter) bool {
		return l.Person == who && l.Kind == mail.KindNews && l.Open.Since == r.Version
	})
}

// letterFor returns when the newest letter of an ask's kind to its person, or the newest answer to them, was made.
func (w *walk) letterFor(a desk.Ask) (last time.Time) {
	rows, err := w.house.Outbox.Letters(w.house.ctx, a.Table)
	require.NoError(w.t, err)
	for _, l := range w.house.box(w.named(a.Person)) { // the queue forgets them a day after they were sent
		if l.row.Table == a.Table {
			rows = append(rows, l.row)
		} else if l.row.Kind == mail.KindDigest && l.at.After(last) {
			last = l.at // it may be in there
		}
	}
	for _, r := range rows {
		about := r.Kind == mail.KindReply || r.Kind == mail.Kind(a.Kind) &&
			(a.Kind == desk.AskInvitation || r.Open.Seat == a.Open.Seat)
		if r.Person == a.Person && about && r.Made.After(last) {
			last = r.Made
		}
	}
	return last
}

// wants reports whether somebody wants mails about an ask.
func (w *walk) wants(a desk.Ask) (bool, error) {
	return mail.PeopleDirectory{People: w.house.People}.Wants(w.house.ctx, a.Person, mail.Kind(a.Kind), a.Table)
}

func (w *walk) named(id domain.PersonID) string {
	p, err := w.house.People.Person(w.house.ctx, id)
	if err != nil {
		return string(id)
	}
	return strings.TrimPrefix(string(p.Address), second)
}
