package people

import (
	"context"
	"errors"

	"posthorn/events/database"
)

// Rest frees the memory that only makes the next reads faster.
func (s *Store) Rest(ctx context.Context) error {
	return errors.Join(database.Rest(ctx, s.read), database.Rest(ctx, s.write))
}
