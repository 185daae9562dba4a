package desk

import (
	"context"
	"fmt"
	"time"

	"posthorn/domain"
)

// Expiry is an unanswered invitation and when it expires.
type Expiry struct {
	Ask
	Until time.Time
}

// Expiries lists the invitations of a table that expire.
func (l Look) Expiries() (out []Expiry) {
	if l.Table.Status != domain.TableOpen {
		return nil
	}
	for _, a := range l.invitations() {
		if until := l.Table.AskedUntil(a.Open.Seat, a.Person); !until.IsZero() {
			out = append(out, Expiry{a, until})
		}
	}
	return out
}

// Expire ends an invitation whose time is over. It is the clock's command.
type Expire struct {
	Seat   domain.Seat
	Person domain.PersonID
	Until  time.Time
}

// Row returns its wish and its judge.
func (c Expire) Row() Row {
	return Row{fmt.Sprintf("expire %d %s %s", c.Seat, c.Person, c.Until.UTC().Format(time.RFC3339)),
		func(ctx context.Context, by domain.PersonID, r Case) (domain.TableEvent, error) {
			if !r.Table.AskedUntil(c.Seat, c.Person).Equal(c.Until) {
				return nil, domain.Refuse("overtaken") // they were invited again
			}
			return r.Decide(ctx, by, &domain.Expired{Seat: c.Seat, Person: c.Person})
		}}
}
