-- +goose Up
-- What the latest letter of a thread is about, as a digest: its link goes on showing what its reader may see.
-- expands: a column
ALTER TABLE thread ADD COLUMN latest BLOB;

-- +goose Down
ALTER TABLE thread DROP COLUMN latest;
