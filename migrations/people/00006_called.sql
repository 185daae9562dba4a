-- +goose Up
-- What whoever invited somebody calls them, until they have said themselves.
ALTER TABLE people ADD COLUMN called TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE people DROP COLUMN called;
