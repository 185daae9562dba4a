-- +goose Up
-- Up to when people were reminded of what has a deadline, in milliseconds; NULL until a program that makes a reminder's
-- row when it is due has opened the file. Rows that older programs made in advance stay, and go out when they are due:
-- a key has one row, whoever makes it.
-- expands: a column; older programs find reminders by outbox_by_table, too
ALTER TABLE checkpoint ADD COLUMN reminded INTEGER;
DROP INDEX outbox_reminders;

-- +goose Down
CREATE INDEX outbox_reminders ON outbox (table_name) WHERE state = 'new' AND kind IN ('reminder', 'nudge');
ALTER TABLE checkpoint DROP COLUMN reminded;
