package people

import (
	"context"
	"errors"

	"posthorn/events/database"
)

// Rest gives back the memory that is only there to make the next reading faster.
func (s *Store) Rest(ctx context.Context) error {
	return errors.Join(database.Rest(ctx, s.read.DB), database.Rest(ctx, s.write))
}
