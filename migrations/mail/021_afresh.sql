-- +goose Up
-- How often a letter was sent afresh because the links of the one before it were withdrawn: each time has a Message-ID of
-- its own.
-- expands: a column with a default
ALTER TABLE outbox ADD COLUMN afresh INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE outbox DROP COLUMN afresh;
