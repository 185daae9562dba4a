package main

import (
	"context"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events/people"
)

// names tells projections what people are called.
type names struct{ people *people.Store }

func (n names) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	p, err := n.people.Person(ctx, id)
	if errors.Is(err, people.ErrNobody) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("name of a person: %w", err)
	}
	return p.Display(), nil
}

// opened reads what people wrote, as far as that can still be read.
func opened(store *people.Store) func(context.Context, domain.PersonID, []byte) string {
	return func(ctx context.Context, id domain.PersonID, cipher []byte) string {
		text, err := store.Decrypt(ctx, id, cipher)
		if err != nil {
			return ""
		}
		return string(text)
	}
}
