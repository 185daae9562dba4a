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

// DisplayName is what a person is called; nothing, for nobody.
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

// Opened reads what people wrote, as far as that can still be read.
func Opened(store *people.Store) func(context.Context, domain.PersonID, []byte) string {
	return func(ctx context.Context, id domain.PersonID, cipher []byte) string {
		text, err := store.Decrypt(ctx, id, cipher)
		if err != nil {
			return ""
		}
		return string(text)
	}
}
