package mail_test

import (
	"context"

	"posthorn/domain"
	"posthorn/events/people"
)

type names struct{ people *people.Store }

func (n names) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	all, err := n.people.People(ctx, id)
	p, ok := all[id]
	if !ok {
		return "", err
	}
	return p.Display(), err
}
