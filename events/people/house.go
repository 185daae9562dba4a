package people

import (
	"context"
	"fmt"

	"posthorn/events"
)

// settingLog is where the name of the log that these people play in is kept.
const settingLog = "log"

// LogName is the name of the log that these people play in; ok is false in a file that was
// never beside one.
func (s *Store) LogName(ctx context.Context) (name events.Name, ok bool, err error) {
	text, err := s.Setting(ctx, settingLog)
	if err != nil || text == "" {
		return name, false, err
	}
	if name, err = events.ParseName(text); err != nil {
		return name, false, fmt.Errorf("whose people these are: %w", err)
	}
	return name, true, nil
}

// SetLogName notes which log these people play in.
func (s *Store) SetLogName(ctx context.Context, name events.Name) error {
	return s.SetSetting(ctx, settingLog, name.String())
}

// Anybody tells whether the file knows anybody.
func (s *Store) Anybody(ctx context.Context) (bool, error) {
	return value[bool](s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM people)`), "look for people")
}
