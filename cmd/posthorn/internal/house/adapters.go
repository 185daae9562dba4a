package house

import (
	"context"
	"errors"
	"fmt"

	"posthorn/domain"
	"posthorn/events/people"
)

// Names tells projections what people are called.
type Names struct{ People *people.Store }

// DisplayName returns a person's name, or "" for nobody.
func (n Names) DisplayName(ctx context.Context, id domain.PersonID) (string, error) {
	p, err := n.People.Person(ctx, id)
	if errors.Is(err, people.ErrNobody) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("name of a person: %w", err)
	}
	return p.Display(), nil
}

// Opened returns a function that decrypts what a person wrote, or returns "" where that is no longer possible.
func Opened(store *people.Store) func(context.Context, domain.PersonID, []byte) string {
	return func(ctx context.Context, id domain.PersonID, cipher []byte) string {
		text, err := store.Decrypt(ctx, id, cipher)
		if err != nil {
			return ""
		}
		return string(text)
	}
}
