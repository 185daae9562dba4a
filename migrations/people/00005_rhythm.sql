-- +goose Up
-- How often somebody is mailed about their tables: '' at once, 'every 6' hours, 'daily 18'.
ALTER TABLE people ADD COLUMN rhythm TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE people DROP COLUMN rhythm;
