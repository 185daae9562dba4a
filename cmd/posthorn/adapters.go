package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	if p.Name == "" {
		return "Guest " + strings.ToUpper(string(id[:4])), nil // their address is nobody else's business
	}
	return p.Name, nil
}
