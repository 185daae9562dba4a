package api

import (
	nethttp "net/http"
	"slices"
	"time"

	"posthorn/domain"
	"posthorn/events/calendar"
	"posthorn/events/people"
	"posthorn/http/door"
)

type nightJSON struct {
	From int `json:"from"` // hours on the caller's clock; no nights if both are the same
	To   int `json:"to"`
}

type spanJSON struct {
	From  string `json:"from"`
	Until string `json:"until"` // the last day
}

type settingsJSON struct {
	Language string          `json:"language"`
	Zone     string          `json:"zone"`
	Night    nightJSON       `json:"night"`
	DaysOff  []int           `json:"days_off"` // days of the week, Sunday is 0
	Away     []spanJSON      `json:"away"`
	Rhythm   string          `json:"rhythm"`
	Rhythms  []string        `json:"rhythms"`
	Mails    map[string]bool `json:"mails"`
}

// settings answers with when the caller has time and how they are mailed.
func settings(c *call) (any, error) {
	p, err := c.People.Person(c.Ctx(), c.Me)
	if err != nil {
		return nil, err
	}
	cal, err := c.People.Calendar(c.Ctx(), c.Me)
	if err != nil {
		return nil, err
	}
	rhythm, err := c.People.Rhythm(c.Ctx(), c.Me)
	if err != nil {
		return nil, err
	}
	if p.Dated != "" {
		cal.Night = calendar.Night{} // they set none
	}
	out := settingsJSON{Language: p.Language, Zone: p.Zone, Night: nightJSON{cal.Night.From, cal.Night.To},
		DaysOff: []int{}, Away: []spanJSON{},
		Rhythm: rhythm.String(), Rhythms: each(people.Rhythms(), people.Rhythm.String), Mails: map[string]bool{}}
	for d, off := range cal.Off {
		if off {
			out.DaysOff = append(out.DaysOff, d)
		}
	}
	today := calendar.DayOf(c.Now(), cal.Zone)
	for _, s := range cal.Away {
		if s.Until >= today {
			out.Away = append(out.Away, spanJSON{s.From.String(), s.Until.String()})
		}
	}
	for _, k := range c.People.MailKinds {
		out.Mails[k] = p.Wants(k)
	}
	return out, nil
}

type newSettings = struct {
	Language *string         `json:"language"`
	Zone     *string         `json:"zone"`
	Night    *nightJSON      `json:"night"`
	DaysOff  *[]int          `json:"days_off"`
	Rhythm   *string         `json:"rhythm"`
	Mails    map[string]bool `json:"mails"`
}

// setSettings changes what was sent, all or nothing, and leaves the rest as it is.
func setSettings(c *call, in newSettings) (any, error) {
	for k := range in.Mails {
		if !slices.Contains(c.People.MailKinds, k) {
			return nil, door.ErrMalformed
		}
	}
	to := people.Settings{Language: in.Language, Zone: in.Zone, Mails: c.Settings().TurnMails(in.Mails)}
	if in.Night != nil {
		to.Night = &calendar.Night{From: in.Night.From, To: in.Night.To}
	}
	if in.DaysOff != nil {
		to.Off = &[7]bool{}
		for _, d := range *in.DaysOff {
			if d < 0 || d >= len(to.Off) {
				return nil, door.ErrMalformed
			}
			to.Off[d] = true
		}
	}
	if in.Rhythm != nil {
		r, err := people.ParseRhythm(*in.Rhythm)
		if err != nil {
			return nil, err
		}
		to.Rhythm = &r
	}
	if err := c.People.SetSettings(c.Ctx(), c.Me, to); err != nil {
		return nil, err
	}
	return settings(c)
}

// goAway notes a holiday and tells all the caller's tables.
func goAway(c *call, in spanJSON) (any, error) {
	from, err1 := calendar.ParseDay(in.From)
	until, err2 := calendar.ParseDay(in.Until)
	if err1 != nil || err2 != nil {
		return nil, domain.Refuse("day")
	}
	if err := c.Settings().GoAway(calendar.Span{From: from, Until: until}, c.Table); err != nil {
		return nil, err
	}
	return settings(c)
}

// comeBack ends the caller's holidays, and tells all their tables.
func comeBack(c *call) (any, error) {
	if err := c.Settings().Back(c.Table); err != nil {
		return nil, err
	}
	return nil, c.NoContent(nethttp.StatusNoContent)
}

type hookJSON struct {
	Ref     string       `json:"ref"`
	Address string       `json:"address"`
	Kinds   []string     `json:"kinds"`
	Created door.Instant `json:"created"`
	Done    time.Time    `json:"done,omitzero"`    // when a post was last accepted
	Failing time.Time    `json:"failing,omitzero"` // since when posts have failed
	Off     time.Time    `json:"off,omitzero"`     // when it was given up
	Why     string       `json:"why,omitempty"`
	Waiting int          `json:"waiting"`
}

func hookOf(h door.Hook) hookJSON {
	out := hookJSON{Ref: h.Ref, Address: h.Address, Kinds: h.Kinds, Created: door.Instant(h.Created),
		Done: h.Delivery.Done.UTC(), Failing: h.Delivery.Failing.UTC(),
		Off: h.Off.UTC(), Why: h.Delivery.Why, Waiting: h.Delivery.Waiting}
	if !h.Off.IsZero() {
		out.Why = h.Why
	}
	return out
}

func hooks(c *call) (any, error) {
	list, err := c.Settings().MyHooks()
	return struct {
		Hooks []hookJSON `json:"hooks"`
	}{each(list, hookOf)}, err
}

type newHook = struct {
	Address string   `json:"address"`
	Kinds   []string `json:"kinds"`
}

// makeHook makes a webhook. Only this answer ever contains its secret.
func makeHook(c *call, in newHook) (any, error) {
	h, err := c.Settings().MakeHook(in.Address, in.Kinds)
	if err != nil {
		return nil, err
	}
	return nil, c.json(nethttp.StatusCreated, struct {
		Secret string `json:"secret"`
		hookJSON
	}{h.Secret, hookOf(h)})
}

// tryHook posts a test message to a webhook.
func tryHook(c *call, _ struct{}) (any, error) {
	h, err := c.Settings().TryHook(c.Param("hook"))
	return hookOf(h), err
}

func removeHook(c *call) (any, error) {
	if err := c.Settings().RemoveHook(c.Param("hook")); err != nil {
		return nil, err
	}
	return nil, c.NoContent(nethttp.StatusNoContent)
}
