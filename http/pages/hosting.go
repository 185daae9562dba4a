package pages

import (
	"html/template"
	"maps"
	"slices"
	"strconv"
	"time"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/words"
)

// hosting is the page for the hosts.
type hosting struct {
	Queue       door.Queue
	Unreachable []unreached
	All         *door.Standing // nil if only the mails are known
	Todo        []string       // what needs the host's attention, in words, each with what to do
	Waits       []waitRow
	Unlisted    int // tables in play that are not in Waits
	Behind      []behind
	Free, Disk  string
	Files       []fileRow
	Guests      *hostPeople
}

type unreached struct{ Name, Address, Why string }

// waitRow is a table in play, and whom it waits for.
type waitRow struct {
	Table  events.Name
	Game   string
	Hidden bool
	For    []template.HTML
}

// behind is how far something has followed the log.
type behind struct {
	Name string
	At   uint64
	Lag  int
}

// fileRow is a file with its size in words.
type fileRow struct{ Name, Size string }

// host shows the hosts how the house is doing.
func (v hostPages) host() error {
	if !v.IsHost() || v.Mails == nil {
		return events.ErrNoStream // for everybody else the page does not exist
	}
	q, err := v.Mails.Queue(v.Ctx())
	if err != nil {
		return err
	}
	page := hosting{Queue: q}
	all, err := v.Mails.Unreachable(v.Ctx())
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		p, known, err := v.Person(id)
		if err != nil {
			return err
		}
		if known {
			page.Unreachable = append(page.Unreachable, unreached{p.Name, string(p.Address), all[id]})
		}
	}
	if v.Hosting != nil {
		if err := v.standing(&page); err != nil {
			return err
		}
		if page.Guests, err = v.hostPeople(); err != nil {
			return err
		}
	}
	return v.render("hosting", sheet{Title: v.T("page.host.title"), Body: page})
}

// standing shows how the house is doing apart from its mails.
func (v hostPages) standing(page *hosting) error {
	s := v.Hosting.Standing(v.Ctx())
	page.All, page.Unlisted = &s, max(s.Tables.Started-len(s.Longest), 0)
	for _, w := range s.Longest {
		row := waitRow{Table: w.Table, Game: v.Book.Printer(v.Lang, w.Rulebook, nil).Text("name"), Hidden: w.Hidden}
		for _, f := range w.For {
			who, err := v.Called(f.Person)
			if err != nil {
				return err
			}
			said := template.HTML(template.HTMLEscapeString(v.T("page.host.waits.for", "who", words.Isolated(who),
				"ago", v.Ago(f.At)))) // #nosec: escaped
			if !f.Due.IsZero() {
				said += "\u00a0" + v.Timed("page.host.waits.due", "when", f.Due)
			}
			row.For = append(row.For, said)
		}
		page.Waits = append(page.Waits, row)
	}
	for _, f := range s.Follow {
		page.Behind = append(page.Behind, behind{f.Name, f.At, int(s.Last - min(f.At, s.Last))})
	}
	for _, f := range s.Files {
		page.Files = append(page.Files, fileRow{f.Name, v.bytesOf(uint64(f.Bytes))})
	}
	page.Free, page.Disk = v.bytesOf(s.Disk.Free), v.bytesOf(s.Disk.All)
	page.Todo = v.todo(page)
	return nil
}

// Limits beyond which a host should act.
const (
	leastFree  = 1 << 30 // bytes
	mostLag    = 1000    // events
	mostBackup = 8 * 24 * time.Hour
)

// todo lists what needs the host's attention, worst first.
func (v hostPages) todo(page *hosting) (out []string) {
	s := page.All
	say := func(when bool, key string, pairs ...any) {
		if when {
			out = append(out, v.T(key, pairs...))
		}
	}
	say(s.Full, "page.host.todo.full")
	for _, f := range s.Faults {
		say(true, "page.host.todo.fault."+f.Kind, "file", f.File)
	}
	say(s.Anew, "page.host.todo.anew")
	for _, what := range s.Missing {
		say(true, "page.host.todo.missing", "what", what)
	}
	say(s.Disk.All > 0 && s.Disk.Free < leastFree, "page.host.todo.disk", "free", page.Free)
	say(page.Queue.Stopped, "page.host.todo.mail")
	say(len(s.Stopped) > 0, "page.host.todo.stopped", "n", len(s.Stopped))
	say(s.Alarm, "page.host.todo.alarm", "why", s.NATS)
	say(!s.Alarm && s.NATS != "", "page.host.todo.nats", "why", s.NATS)
	for _, f := range page.Behind {
		say(f.Name != "nats" && f.Lag > mostLag, "page.host.todo.behind", "n", f.Lag)
	}
	say(len(page.Queue.Failed) > 0, "page.host.todo.failed", "n", len(page.Queue.Failed))
	say(s.Older > 0, "page.host.todo.older", "n", s.Older)
	errs := 0
	for _, line := range s.Told {
		if line.Error && v.Now().Sub(line.At) < 24*time.Hour {
			errs++
		}
	}
	say(errs > 0, "page.host.todo.errors", "n", errs)
	say(s.Backup.IsZero() && s.Last > 0, "page.host.todo.backup")
	say(!s.Backup.IsZero() && v.Now().Sub(s.Backup) > mostBackup, "page.host.todo.backup.old", "ago", v.Ago(s.Backup))
	return out
}

// bytesOf formats a size in the largest unit of which it has more than one, to a tenth if there are only a few.
func (v hostPages) bytesOf(n uint64) string {
	switch {
	case n < 1_000_000:
		return strconv.FormatUint((n+999)/1000, 10) + " kB"
	case n < 1_000_000_000:
		return strconv.FormatUint(n/1_000_000, 10) + " MB"
	case n < 10_000_000_000:
		return v.past().decimal(float64(n/100_000_000)/10, -1, false) + " GB"
	default:
		return strconv.FormatUint(n/1_000_000_000, 10) + " GB"
	}
}

// invitationState tells the opener how somebody's invitation is doing, with the address that they typed. A branched
// table invites people whose address its opener need not know.
func (v hostPages) invitationState(t *domain.Table, id domain.PersonID) (string, error) {
	if v.Mails == nil || id == v.Me {
		return "", nil
	}
	if closed, err := v.Invitations().Closed(); closed || err != nil {
		return v.T("page.delivery.closed"), err // do not reveal whether somebody is here
	}
	f, ok, err := v.Mails.Invitation(v.Ctx(), v.Table, id)
	if err != nil || !ok {
		return "", err
	}
	p, known, err := v.Person(id)
	if err != nil || !known {
		return "", err
	}
	to := string(p.Address)
	if t.Branch != nil {
		if to, err = v.Called(id); err != nil {
			return "", err
		}
	}
	return v.T("page.delivery."+f.State, "to", to, "why", f.Why), nil
}

// inviteAgain resends an invitation that was not answered.
func (v hostPages) inviteAgain() error {
	var in door.Input
	if err := v.read(&in, "person"); err != nil {
		return err
	}
	at, err := v.at(v.Me)
	if err == nil {
		_, err = v.Invitations().InviteAgain(at, in.Seat.At(), domain.PersonID(in.Person))
	}
	return v.after(err, v.Home(), "invited")
}
