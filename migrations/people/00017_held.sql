-- +goose Up
-- Since when the browser in which the latest letter's link was pressed last (presses.browser) has been the one that is
-- lent the seat: only what was played since is taken back there.
-- expands: a column. An older program leaves it as it is, and keeps the first browser: what that was lent goes on.

ALTER TABLE presses ADD COLUMN held INTEGER NOT NULL DEFAULT 0; -- milliseconds

-- +goose Down
ALTER TABLE presses DROP COLUMN held;
