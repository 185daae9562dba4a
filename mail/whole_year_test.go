package mail_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/events/calendar"
	"posthorn/events/desk"
	"posthorn/events/desktest"
	"posthorn/events/pass"
	"posthorn/events/people"
	"posthorn/events/programtest"
)

// gamesOfYear is how many games every test run plays in a year. POSTHORN_YEAR sets another number, worth using for
// changes to clocks, mails or rhythms; the long form has a hundred.
const gamesOfYear = 16

// folkOfYear is how many people play them.
const folkOfYear = 48

// wholeYear is a whole house with many people in many zones, over a year.
type wholeYear struct {
	*days
	folks   []*player
	vanish  map[domain.PersonID]map[events.Name]bool // who does not return to which table
	refuses *refusing
	tables  []events.Name
}

// refusing is a mail server that takes nothing for a while, now and then.
type refusing struct {
	mu  sync.Mutex
	off bool
}

func (r *refusing) Send(_ context.Context, _, _ string, _ []byte) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.off {
		return "", errors.New("535 5.7.8 not today")
	}
	return "2.0.0 kept", nil
}

func TestAYearOfTheWholeHouse(t *testing.T) {
	programtest.Long(t)
	games := gamesOfYear
	if os.Getenv("POSTHORN_LONG") == "1" {
		games = 100
	}
	if n, err := strconv.Atoi(os.Getenv("POSTHORN_YEAR")); err == nil {
		games = n
	}
	t.Run(fmt.Sprintf("%d games", games), func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { newWholeYear(t).lives(games) })
	})
}

// zonesOfYear have nights at different times, and change their clocks on different days, by half an hour, or never.
var zonesOfYear = []string{"Europe/Lisbon", "Europe/Warsaw", "America/New_York", "America/Sao_Paulo",
	"Australia/Sydney", "Australia/Lord_Howe", "Asia/Kolkata", "Asia/Tokyo", "Pacific/Auckland", "Atlantic/Azores",
	"UTC", "America/St_Johns"}

func newWholeYear(t *testing.T) *wholeYear {
	t.Helper()
	y := &wholeYear{days: newDays(t, time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)),
		vanish: map[domain.PersonID]map[events.Name]bool{}, refuses: &refusing{}}
	y.clock.Rest, y.runner.Sweep = time.Hour, 24*time.Hour
	langs := []string{"en", "pt-BR", "pt-PT", "pl"}
	for i := range folkOfYear {
		night := []calendar.Night{{}, {From: 22, To: 7}, {From: 23, To: 8}, {From: 1, To: 9}}[i%4]
		p := y.comes(fmt.Sprintf("P%c%c", 'a'+i/7, 'a'+i%7), langs[i%len(langs)], zonesOfYear[i%len(zonesOfYear)],
			night)
		var off [7]bool
		if i%5 == 0 {
			off[i%7] = true
		}
		require.NoError(t, y.people.SetCalendar(y.Ctx, p.id, night, off))
		if i%6 == 5 {
			require.NoError(t, y.people.SetRhythm(y.Ctx, p.id, people.Rhythms()[1+i%(len(people.Rhythms())-1)]))
			p.rhythm = people.Rhythms()[1+i%(len(people.Rhythms())-1)]
		}
		p.read = func(a arrival) { y.reads(p, a) }
		y.folks = append(y.folks, p)
	}
	return y
}

// lives lets a year pass.
func (y *wholeYear) lives(games int) {
	y.T.Helper()
	begin := time.Now()
	y.runs(y.refuses)
	for i := range games {
		days := 270
		if i < len(houseGames) {
			days = 60 // the long ones begin early
		}
		at := time.Duration(y.rnd.Int64N(int64(days) * int64(24*time.Hour)))
		y.later(at, func() { y.opens(i) })
	}
	for _, p := range y.folks {
		for range 3 {
			at := time.Duration(y.rnd.Int64N(int64(330 * 24 * time.Hour)))
			y.later(at, func() { y.leaves(p) })
		}
	}
	for range 6 {
		at := time.Duration(y.rnd.Int64N(int64(330 * 24 * time.Hour)))
		y.later(at, func() { y.outage(20 * time.Hour) })
	}
	for day := range 365 {
		for hour := range 24 {
			time.Sleep(time.Until(begin.AddDate(0, 0, day).Add(time.Duration(hour) * time.Hour)))
			y.overdue(2*time.Hour + time.Minute)
		}
		y.fine()
	}
	synctest.Wait()
	for _, table := range y.tables {
		look := y.Sees(table)
		require.Equal(y.T, domain.TableEnded, look.Table.Status, "%s asks %v until %v", look.Table.Rulebook,
			look.Asks(), look.Deadlines())
	}
	y.shuts()
	for _, line := range y.tally() {
		y.T.Log(line)
	}
	y.T.Log(len(y.tables), "games,", len(y.mails), "mails,", y.did)
	y.ends()
}

func (y *wholeYear) chance(n int) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.rnd.IntN(n)
}

// houseGames are the first games of a year; the others are of the small game.
var houseGames = []string{"carcassonne", "catan", "rivals"}

// opens opens a table for two or three.
func (y *wholeYear) opens(i int) {
	y.mu.Lock()
	seats := y.rnd.Perm(len(y.folks))[:2+y.rnd.IntN(2)]
	y.mu.Unlock()
	out := domain.TimeOuts[i/4%len(domain.TimeOuts)]
	n := desk.NewTable{Rulebook: "tiny", Pace: []string{"daily", "weekly"}[i/2%2],
		Choices: domain.Choices{"rounds": []string{"1", "1", "1", "2"}[i%4]}}
	n.Clock = domain.ClockOf(n.Pace, out)
	if i < len(houseGames) {
		n.Rulebook, n.Choices, seats = houseGames[i], nil, seats[:2]
	}
	for _, s := range seats {
		n.Places = append(n.Places, desktest.Player(y.folks[s].id))
	}
	opener := y.folks[seats[0]]
	ans, err := y.Open(y.Ctx, desktest.By(opener.id), events.NewCommandID(), n)
	if err != nil {
		y.wrong("open: %v", err)
		return
	}
	y.mu.Lock()
	y.tables = append(y.tables, ans.Table)
	if i >= len(houseGames) && i%7 == 0 && out != domain.TimeOutRemind {
		who := y.folks[seats[1]].id
		if y.vanish[who] == nil {
			y.vanish[who] = map[events.Name]bool{}
		}
		y.vanish[who][ans.Table] = true
	}
	y.mu.Unlock()
	y.joins(opener, ans.Table)
}

// leaves goes on holiday.
func (y *wholeYear) leaves(p *player) {
	today := calendar.DayOf(time.Now(), p.zone)
	from := today + calendar.Day(y.chance(10))
	y.away(p, calendar.Span{From: from, Until: from + calendar.Day(y.chance(14))})
}

// outage makes the mail server take nothing for a while.
func (y *wholeYear) outage(lasts time.Duration) {
	y.mu.Lock()
	y.outages = append(y.outages, outage{from: time.Now()})
	n := len(y.outages) - 1
	y.mu.Unlock()
	y.refuses.set(true)
	y.later(lasts, func() {
		y.refuses.set(false)
		y.mu.Lock()
		y.outages[n].to = time.Now()
		y.mu.Unlock()
	})
}

func (r *refusing) set(off bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.off = off
}

// reads is how people react to a mail: mostly they play within hours, sometimes after days, and sometimes only after a
// reminder.
func (y *wholeYear) reads(p *player, a arrival) {
	overlooked := !a.Letter.Kind.Reminds() && y.chance(8) == 0
	slow := time.Duration(y.chance(10*60)) * time.Minute
	if y.chance(10) == 0 {
		slow = time.Duration(y.chance(70)) * time.Hour
	}
	for _, f := range a.all {
		s, err := y.Log().Stream(y.Ctx, f.Stream)
		if err != nil {
			y.wrong("a link: %v", err)
			return
		}
		y.mu.Lock()
		gone := y.vanish[p.id][s.Table]
		y.mu.Unlock()
		switch {
		case f.Purpose == pass.Join:
			y.later(p.awake(slow), func() { y.joins(p, s.Table) })
		case f.Purpose == pass.Answer && !overlooked:
			y.later(p.awake(slow), func() { y.does(p, s.Table, desk.Agree{Since: f.Since}) })
		case f.Purpose == pass.Play && !gone && !overlooked:
			y.later(p.awake(slow), func() { y.plays(p, f) })
		}
	}
}

// plays takes a decision; a person on holiday does it when they are back.
func (y *wholeYear) plays(p *player, f pass.Facts) {
	look, o, ok := y.asksFor(f)
	if !ok {
		return
	}
	c, err := y.people.Calendar(y.Ctx, p.id)
	if err != nil {
		y.wrong("calendar: %v", err)
		return
	}
	if today := calendar.DayOf(time.Now(), p.zone); c.IsAway(today) {
		y.later(24*time.Hour, func() { y.plays(p, f) })
		return
	}
	if y.enough(look) {
		y.does(p, look.Name, desk.ProposeEnd{})
		return
	}
	_, err = y.Play(y.Ctx, desktest.By(p.id),
		desk.Move{ID: events.NewCommandID(), Table: look.Name, Line: look.LineName, Seat: o.Seat, Decision: o,
			Text: y.chooses(p, look, o)})
	if _, refused := domain.AsRefusal(err); err != nil && !refused {
		y.wrong("%s plays: %v", p.name, err)
	}
	if _, _, still := y.asksFor(f); still && err != nil {
		y.wrong("%s may not play: %v", p.name, err)
	}
	y.goesOn(p, look.Name, 40)
}

// enough reports whether to end a game by agreement: the house's games would fill the year.
func (y *wholeYear) enough(look desk.Look) bool {
	return look.Table.Rulebook != "tiny" && look.Line.Version > 30
}

// goesOn takes the decision that the player's own move brought up, on the page that it led to.
func (y *wholeYear) goesOn(p *player, table events.Name, most int) {
	look, err := y.Look(y.Ctx, table)
	if err != nil || look.Line == nil || look.Table.Status != domain.TableStarted || most == 0 || y.enough(look) {
		return
	}
	for _, o := range look.Line.Awaited() {
		if !look.Table.Places[o.Seat].Holds(p.id) {
			continue
		}
		time.Sleep(time.Second)
		_, err := y.Play(y.Ctx, desktest.By(p.id),
			desk.Move{ID: events.NewCommandID(), Table: table, Line: look.LineName, Seat: o.Seat, Decision: o,
				Text: y.chooses(p, look, o)})
		if _, refused := domain.AsRefusal(err); err != nil && !refused {
			y.wrong("%s goes on: %v", p.name, err)
		}
		y.goesOn(p, table, most-1)
		return
	}
}
