-- +goose Up
-- Studies that their maker lets whoever has the link look at. No log and no record has it.

CREATE TABLE shared (
    at_table BLOB PRIMARY KEY CHECK (length(at_table) = 16),
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE shared;
