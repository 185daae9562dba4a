-- +goose Up
-- A decision of a finished game that somebody asks others about, sealed with their key; its link names it. No log and no
-- record has it.

CREATE TABLE puzzles (
    id     BLOB PRIMARY KEY CHECK (length(id) = 16),
    person BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    puzzle BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX puzzles_person ON puzzles (person);

-- +goose Down
DROP TABLE puzzles;
