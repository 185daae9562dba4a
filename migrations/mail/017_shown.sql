-- +goose Up
-- Which line of its table, and up to which version, a letter shows, and the latest one of a thread showed: if a step of
-- it is taken back, the next letter says so. NULL: no board.
-- expands: columns
ALTER TABLE outbox ADD COLUMN shown_line TEXT;
ALTER TABLE outbox ADD COLUMN shown INTEGER;
ALTER TABLE thread ADD COLUMN shown_line TEXT;
ALTER TABLE thread ADD COLUMN shown INTEGER;

-- +goose Down
ALTER TABLE thread DROP COLUMN shown;
ALTER TABLE thread DROP COLUMN shown_line;
ALTER TABLE outbox DROP COLUMN shown;
ALTER TABLE outbox DROP COLUMN shown_line;
