-- +goose Up
-- Reminders that wait, by table: each move there may end some.
-- expands: an index
CREATE INDEX outbox_reminders ON outbox (table_name) WHERE state = 'new' AND kind IN ('reminder', 'nudge');

-- +goose Down
DROP INDEX outbox_reminders;
