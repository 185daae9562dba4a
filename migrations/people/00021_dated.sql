-- +goose Up
-- How far from UTC a person's answers by mail are dated, in minutes: their nights go by it while their zone is unknown.
-- expands: a column that fills itself. An older program leaves it as it is.

ALTER TABLE people ADD COLUMN dated INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE people DROP COLUMN dated;
