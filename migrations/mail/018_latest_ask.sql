-- +goose Up
-- What the latest letter of a thread is about, as JSON: the answer to an older letter has the address of this. NULL:
-- there is none, or it went out before this was kept.
-- expands: a column
ALTER TABLE thread ADD COLUMN latest_ask TEXT;

-- +goose Down
ALTER TABLE thread DROP COLUMN latest_ask;
