package events

import (
	"context"
	"errors"
	"fmt"

	"posthorn/domain"
)

// Opened finds the table that a person's command opened; ok is false if it opened none.
func (d *Desk) Opened(ctx context.Context, by domain.PersonID, id CommandID) (table Name, ok bool, err error) {
	table = d.tableNameOf(by, id)
	_, err = d.log.Stream(ctx, table)
	if errors.Is(err, ErrNoStream) {
		return Name{}, false, nil
	}
	if err != nil {
		return Name{}, false, fmt.Errorf("find the table of a command: %w", err)
	}
	return table, true, nil
}
